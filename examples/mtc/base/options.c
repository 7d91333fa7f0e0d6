/* SPDX-License-Identifier: MIT
 *
 * options.c - one table of options; parsing, checking and printing from it
 *
 * `options` says of every option what it is called, what type it has, where
 * its value goes, what is allowed and what it means.  A command or a method
 * only lists the names it takes, with their defaults: "k seed=1 keep=.95".
 * Where one text serves several options of a name, their ranges differ.
 * Defaults, parsing, messages, `mtc help` and the `options` of the JSON all
 * come from these two, and so cannot contradict one another.  To add an
 * option: a field of `settings` in app.h, and a row of the table here.
 */
#include "app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define K_HELP \
    "clusters, or classes of a transfer: one number, or a comma list with one\n" \
    "for each task; default: as many as the labels have classes.  generate has\n" \
    "3 by default, and 2 for bridge"
#define RESTARTS_HELP \
    "runs from different seeds: the one with the lowest loss is kept; with\n" \
    "vote, auto and --guard all of them vote"
#define PREPROCESS_HELP \
    "how values are scaled: l2 brings rows to length 1; tfidf is x ln(n/df),\n" \
    "then l2; zscore brings features to mean 0 and deviation 1, which makes\n" \
    "sparse data dense.  Frequencies, means and deviations come from all files\n" \
    "of the run that have the same features.  auto is zscore for tables whose\n" \
    "columns are on different scales, unless only the values as they are have\n" \
    "clear clusters or most of them are 0, as counts are; auto is tfidf for\n" \
    "texts, and leaves other files as they are"

static const option options[] = {
    {"Common options", HEADING, 0, NULL, NULL},
    {"k", CLUSTERS, IN(k), "[1,inf), A-B or auto",
     "clusters: one number, or a comma list with one for each task.\n"
     "auto finds the number as `mtc choose` does, for each task where its own\n"
     "is clear, else for all tasks together.  A-B is auto between A, 2 or more, and B; tasks of\n"
     "too few rows get A.  Default: the number of classes if the file has\n"
     "labels, else auto"},
    {"k.numbers", COUNTS, IN(k), "[1,inf)", K_HELP},
    {"k.one", COUNTS, IN(k), "[1,8]", K_HELP},
    {"k-min", COUNT, IN(k_min), "[1,inf)",
     "the smallest number that auto may find; 2 if you know that there are\n"
     "groups"},
    {"k-max", COUNT, IN(k_max), "[2,inf)",
     "the largest number that auto may find, at most n / 6, as a cluster needs\n"
     "six samples.  Numbers above 12 are tried only if the others leave the\n"
     "answer open"},
    {"seed", SEED, IN(seed), NULL,
     "number that all random choices depend on; the same seed gives the same\n"
     "result"},
    {"init", PATHS, IN(init), "FILE,FILE,...",
     "labels to start from, from 0, one on each line: a file for each task in\n"
     "order, which makes one run; for a transfer one file, for the target"},
    {"pool", FLAG, IN(pool), NULL,
     "stacks all tasks and clusters them as one"},
    {"restarts", COUNT, IN(restarts), "[1,inf)", RESTARTS_HELP},
    {"restarts.family", COUNT, IN(restarts), "[2,1000]", RESTARTS_HELP},
    {"iterations", COUNT, IN(iterations), "[1,inf)",
     "the most iterations; if no default is shown, as many as it takes"},
    {"tolerance", REAL, IN(tolerance), "[0,inf)",
     "stop at a smaller fall of the objective, as a share of it"},
    {"tolerance.gap", REAL, IN(tolerance), "(0,inf)",
     "stop when the KKT gap is this small"},
    {"preprocess", CHOICE, IN(preprocess), "none|l2|tfidf|zscore",
     PREPROCESS_HELP},
    {"preprocess.words", CHOICE, IN(preprocess), "none|l2|tfidf",
     PREPROCESS_HELP},
    {"preprocess.auto", CHOICE, IN(preprocess), "auto|none|l2|tfidf|zscore",
     PREPROCESS_HELP},
    {"log", PATHS, IN(log), "auto|none|NAME,NAME,...",
     "columns to take logs of first, by name or number; auto takes those that\n"
     "grow by factors, as money and counts do, if that makes the clusters\n"
     "clear (with --preprocess auto).  A model keeps them"},
    {"source", FILES, IN(source), "FILE...", "labeled data to learn from"},
    {"source.one", TEXT, IN(origin), "FILE", "the data to learn from"},
    {"target", TEXT, IN(target), "FILE",
     "data to label; its own labels only score the result"},
    {"align", CHOICE, IN(align), "auto|none|units|own|shares",
     "how the target's columns are brought to the source's, which are scaled\n"
     "alike.  none: as they are.  units: those that spread more than 3 times as\n"
     "much or as little get the source's means and spreads.  own: all do.\n"
     "shares: all get those that the source would have with the target's shares\n"
     "of classes.  auto: as distances to the source's rows tell"},

    {"Options of tables", HEADING, 0, NULL,
     "An option names a column by the word in the header, or by its number\n"
     "from 1; 3-5 means three of them.  A comma in a name has a backslash\n"
     "before it.  Lists that are given again add up."},
    {"labels", TEXT, IN(labels), "first|last|none|NAME",
     "column of labels, by name or number; default: the one column named label,\n"
     "class or target.  Labels that are not whole numbers are numbered from 0\n"
     "as they appear (by vectorize in the order of their names)"},
    {"use", PATHS, IN(use), "NAME,NAME,...",
     "columns that count, by name or number; all others are left out.  +NAME\n"
     "counts beside all others"},
    {"drop", PATHS, IN(drop), "NAME,NAME,...", "columns to leave out"},
    {"id", TEXT, IN(id), "NAME",
     "column with the names of the samples, for the files written; it is no\n"
     "feature.  In a transfer only the target must have it"},
    {"onehot", PATHS, IN(onehot), "NAME,NAME,...",
     "columns of words: each word in any file becomes a feature of 0 and 1,\n"
     "named column=word"},
    {"header", CHOICE, IN(header), "yes|no",
     "does the first line hold names?  Default: its look decides; if that is\n"
     "not clear, mtc asks"},
    {"missing", CHOICE, IN(missing), "fail|drop|mean",
     "what to do with empty fields, NA, N/A, NaN, null, ? and . in a table\n"
     "(quoted, among words, they are words), and among numbers -, --, none,\n"
     "#N/A and #DIV/0!: refuse them, leave their rows out (label -1 in the\n"
     "files written; rows stay where only a label is missing that only\n"
     "scores), or fill in the column's mean over the file, with --pool over\n"
     "all files, in assign that of the training data.  Default: mean where at\n"
     "most one cell in 20 of a column is missing, else fail"},
    {"missing-word", PATHS, IN(missing_word), "WORD,WORD,...",
     "cells of a table that are missing, too: words or numbers as they are\n"
     "written there"},
    {"split", TEXT, IN(split), "NAME",
     "one table, a task for each value of this column, which names it"},
    {"decimal", CHOICE, IN(decimal), ".|,",
     "decimal sign in tables; the other of the two then parts thousands.\n"
     "Default: as the values of the file show"},
    {"dates", CHOICE, IN(dates), "days",
     "makes features of columns of dates: days since the first one, at\n"
     "Greenwich if they have zones.  Times of day become parts of a day, from\n"
     "0 to 1"},
    {"match", CHOICE, IN(match), "common",
     "uses the columns that all files have, if their columns differ"},
    {"strict", FLAG, IN(strict), NULL,
     "refuses to guess: what a notice would say was guessed of columns or rows\n"
     "is an error"},
    {"names", TEXT, IN(names), "FILE",
     "names of features, for files that have none: one on each line"},

    {"Options of texts", HEADING, 0, NULL, NULL},
    {"text", PATHS, IN(text), "NAME,NAME,...",
     "columns of texts, or members of the objects of a .jsonl file, whose\n"
     "words are features; several make one text.  In a table only these and\n"
     "the columns that --use names count.  See `mtc help texts`"},
    {"markup", CHOICE, IN(markup), "none|html|mail|mail,html",
     "what to take out of texts.  html removes tags, comments, scripts and\n"
     "styles, and turns entities into characters.  mail keeps the subject and\n"
     "the body, without quoted lines and without what follows a line `-- `; it\n"
     "does not decode MIME"},
    {"token", CHOICE, IN(token), "letters|alnum",
     "what a word is: a run of letters, or of letters and digits that begins\n"
     "with a letter"},
    {"word-length", TEXT, IN(word_length), "A-B",
     "how many letters a word has, before its stem is found"},
    {"stop", TEXT, IN(stop), "english|FILE|none",
     "words to leave out: those that `mtc help words` prints, or those of a\n"
     "file.  Default: english if most texts have one of the words the, and, to"},
    {"stem", CHOICE, IN(stem), "none|english",
     "cuts the endings off words; english is Porter's algorithm of 1980"},
    {"min-texts", COUNT, IN(min_texts), "[1,inf)",
     "the fewest texts that must have a word, over all tasks; rarer words are\n"
     "left out"},
    {"max-share", REAL, IN(max_share), "(0,1]",
     "the largest share of texts with a word; more frequent words are left out"},
    {"vocabulary", COUNT, IN(vocabulary), "[1,4294967295]",
     "the most words to keep: those that most texts have"},

    {"Options of what is written", HEADING, 0, NULL, NULL},
    {"out", TEXT, IN(out), "DIR",
     "the directory for the files written, made if it is not there:\n"
     "NAME.labels has one label on each line, NAME.csv has them with the names\n"
     "or rows of the samples; other commands tell in their help what they write"},
    {"json", TEXT, IN(json), "FILE|-",
     "all results as one JSON object; - prints it in place of the table"},
    {"svg", TEXT, IN(svg), "FILE|-",
     "a picture: two principal components of each task, and which clusters\n"
     "match, how related tasks are and how the objective fell, if the method\n"
     "tells; relate draws the distances; - prints it in place of the table"},
    {"save", TEXT, IN(save), "FILE|-",
     "the model as JSON, which `mtc assign` and `mtc export` need to label\n"
     "new samples.  If the method has no rule for these, the means of its\n"
     "answer stand in"},
    {"jobs", COUNT, IN(jobs), "[1,1024]",
     "processors: runs at once, or lanes of a single call, each with its own\n"
     "memory.  Results do not depend on it.  Default: all; 1 if there are no\n"
     "threads"},
    {"verbose", FLAG, IN(verbose), NULL,
     "also shows figures that only explain the answer, all tasks if there are\n"
     "many, and all notices"},
    {"quiet", FLAG, IN(quiet), NULL, "shows no table, no progress and no notices"},

    {"Options of single methods and commands", HEADING, 0, NULL, NULL},
    {"guard", FLAG, IN(guard), NULL,
     "votes over --restarts runs that share and runs of each task alone (10\n"
     "with mbc); a task keeps the shared answer only if it is the more stable\n"
     "one.  Defaults are then lambda .5 and, with mbc, 30 iterations"},
    {"keep", REAL, IN(keep), "(0,1]",
     "share of the variance that the components keep"},
    {"similarity", CHOICE, IN(similarity), "cosine|gaussian|local",
     "how alike two samples are.  cosine is max(cosine, 0), which suits text.\n"
     "gaussian is exp(-|x-y|^2 / (2 sigma^2)).  local is the same among 10\n"
     "nearest neighbors, with a width of each sample's own.  Default: cosine\n"
     "for sparse data, local for others, gaussian if --sigma is given"},
    {"sigma", REAL, IN(sigma), "[1e-22,1e22]",
     "width of the Gaussian; default: the median distance between the samples\n"
     "of the task, with smkc of all tasks (1000 of them if there are more)"},
    {"neighbors.share", REALS, IN(share), "(0,1]",
     "each sample keeps its ceil(share * n / k) nearest neighbors; one share,\n"
     "or a comma list with one for each task"},
    {"neighbors.count", COUNT, IN(neighbors), "[0,inf)",
     "each sample keeps this many nearest neighbors; 0: all"},
    {"neighbors.vote", COUNT, IN(neighbors), "[1,inf)",
     "nearest samples of the sources that vote; a step of cotransfer goes to\n"
     "one of this many nearest samples, or pairs"},
    {"width", REAL, IN(width), "(0,inf)",
     "width of the Gaussian similarity exp(-|x-y|^2 / width), in mean squared\n"
     "distances"},
    {"mu", REAL, IN(mu), "(0,inf)",
     "weight of the given labels; if it is small, labels spread further"},
    {"mu.share", REAL, IN(mu), "(0,inf)",
     "a sample has ceil(mu n / k) neighbors in each task"},
    {"lambda", REAL, IN(lambda), "[0,1]",
     "weight of each task's own centroids; 1 means no sharing"},
    {"lambda.pull", REAL, IN(lambda), "[0,inf)",
     "weight of the transport between tasks; 0 means no sharing"},
    {"lambda.images", REAL, IN(lambda), "[0,1]",
     "weight of the images beside the documents"},
    {"lambda.source", REAL, IN(lambda), "[0,1e9]",
     "weight of the source's words; 0: they only name the classes"},
    {"lambda.target", REAL, IN(lambda), "[0,1e9]",
     "weight of the target's own graph beside that of all samples"},
    {"mode", CHOICE, IN(mode), "recon|pca|literal",
     "what the shared subspace means: centroids confined to it, the\n"
     "paper's eigenproblem within --rank components, or as printed"},
    {"subspace", COUNT, IN(subspace), "[1,inf)",
     "dimension of the shared subspace; if no default is shown, the number of\n"
     "clusters"},
    {"rank", COUNT, IN(rank), "[1,inf)",
     "components that mode pca works in; or the largest dimension of the\n"
     "latent space; or the most columns of the factors, one for each tag"},
    {"offset", REAL, IN(offset), "[0,10]",
     "added to all indicators at the start, as a 0 would stay 0"},
    {"start", CHOICE, IN(start), "aligned|pooled",
     "k-means in each task with matched centers, or k-means on all tasks\n"
     "together"},
    {"start.ttl", CHOICE, IN(start_ttl), "informed|random",
     "how the target's classes begin: by logistic regression from the source\n"
     "(with ttl over the bridge), or at random"},
    {"cost", REAL, IN(cost), "(0,inf)",
     "C, the price of a margin error; with tsvm over the mean of K(x,x)"},
    {"kernel", CHOICE, IN(kernel), "linear|rbf",
     "linear, or exp(-gamma |x-y|^2)"},
    {"kernel.rbf", CHOICE, IN(kernel), "rbf|linear",
     "exp(-|x-y|^2 / (2 sigma^2)), or linear, which makes it smbc"},
    {"gamma", REAL, IN(gamma), "(0,inf)",
     "gamma of the rbf kernel; if no default is shown, 1/d"},
    {"divergence", CHOICE, IN(divergence), "sqeuclidean|mahalanobis|kl|is",
     "how far a sample is from its centroid: squared distance, (x-y)'A(x-y),\n"
     "Kullback-Leibler or Itakura-Saito"},
    {"metric", TEXT, IN(metric), "FILE.csv",
     "A of mahalanobis: positive definite, features x features"},
    {"smooth", REAL, IN(smooth), "[0,inf)",
     "added to every value, also to those not stored, for kl and is"},
    {"layers", COUNT, IN(layers), "[0,1000]",
     "layers of shared features; 0: the samples as they are, good for images"},
    {"noise", REAL, IN(noise), "[0,0.999999]",
     "chance that a feature is struck out while features are learned"},
    {"ridge", REAL, IN(ridge), "[0,inf)",
     "added to the moments of the features, where 0 is fine if there is noise;\n"
     "with htlic, ridge of the factorization"},
    {"ridge.fill", REAL, IN(ridge), "(0,inf)",
     "ridge of the regression that fills in features; the paper tries .1 1 10"},
    {"variant.fir", CHOICE, IN(variant_fir), "full|nF|nI|nR",
     "nF: no shared features.  nI: the task's cosines instead of the\n"
     "similarities that tasks agree on.  nR: all tasks count alike"},
    {"variant.ttl", CHOICE, IN(variant), "repaired|published",
     "repaired goes leg by leg, and learns the target's start again in\n"
     "between; published does all at once, on the data as they are"},
    {"bridge", FILES, IN(bridge), "FILE...",
     "unlabeled data with features of both source and target; the samples of\n"
     "several files are put together"},
    {"view1", TEXT, IN(view1), "FILE",
     "instead of --bridge: its samples with the source's features (with\n"
     "htlic: tags of images)"},
    {"view2", TEXT, IN(view2), "FILE",
     "the samples of --view1, row by row, with the target's features"},
    {"known", TEXT, IN(known), "FILE",
     "known labels of the target: lines `row label`, rows from 0, labels\n"
     "as the source has them"},
    {"features", COUNT, IN(features), "[1,100000]",
     "columns of a factorization, shared and own together"},
    {"common", COUNT, IN(common), "[1,100000]",
     "how many of --features two neighboring domains share"},
    {"weights", CHOICE, IN(weights), "auto|idf|none",
     "weights of features: idf is the inverse document frequency over all\n"
     "domains, also for the regressions; auto is idf if nine values in ten are\n"
     "0 and the variant is repaired.  A feature of every sample then counts\n"
     "nothing"},
    {"runs", COUNT, IN(runs), "[1,1000000]", "partitions of the ensemble"},
    {"columns", COUNT, IN(columns), "[1,inf)",
     "features of each partition, drawn at random (published: 3); default: a\n"
     "quarter, at least 3, and all if nine values in ten are 0"},
    {"meta", CHOICE, IN(meta),
     "probability|both|coassociation",
     "when two samples belong together.  probability: as often as in the\n"
     "source at equal co-association.  both: an SVM decides, which learns from\n"
     "pairs of the source by mean silhouette and co-association (published).\n"
     "coassociation: an SVM that learns by co-association alone"},
    {"moves", COUNT, IN(moves), "[1,inf)",
     "the most moves of single samples; default: 40 with an SVM, as published,\n"
     "else half of the samples, but at least 40"},
    {"qmin", REAL, IN(qmin), "[0,inf)",
     "move nothing more once the objective is below this"},
    {"rule", CHOICE, IN(rule), "polish|literal",
     "polish continues the answer of mbc by plain steps and compares that with\n"
     "plain steps from the start; literal chooses in every iteration, which is\n"
     "nearly always k-means"},
    {"words", COUNT, IN(words), "[1,inf)", "clusters of words"},
    {"start-words", CHOICE, IN(start_words), "kmeans|class|random",
     "how clusters of words begin: k-means on 30 singular directions, the\n"
     "class in which each word is most frequent, or random"},
    {"init-words", TEXT, IN(init_words), "FILE",
     "clusters of words to start from, from 0, one line for each feature"},
    {"realign", FLAG, IN(realign), NULL,
     "gives each cluster the class whose words it shares, one to one, for\n"
     "starts that know nothing of the classes"},
    {"form.cdsc", CHOICE, IN(form_cdsc), "auto|binary|transducer",
     "binary for two classes, the spectral transducer for more"},
    {"vectors", COUNT, IN(vectors), "[1,inf)",
     "eigenvectors that span the solution"},
    {"trust", REAL, IN(trust), "[0,1e9]", "weight of the source's labels"},
    {"identical", COUNT, IN(identical), "[0,100000]",
     "concepts of words that are the same in all domains"},
    {"alike", COUNT, IN(alike), "[0,100000]",
     "concepts of one meaning, each domain with its own words"},
    {"distinct", COUNT, IN(distinct), "[0,100000]",
     "concepts that only one domain has"},
    {"no-fill", FLAG, IN(no_fill), NULL,
     "leaves features that one side lacks at 0"},
    {"alpha", REAL, IN(alpha), "(0,1]",
     "share of the walk's steps that begin again at a labeled sample"},
    {"stay", REAL, IN(stay), "[0,1]",
     "share of the other steps that stay within source or target"},
    {"mu1", REAL, IN(mu1), "(0,inf)",
     "a sample has ceil(mu1 n / k) neighbors in its own task"},
    {"mu2", REAL, IN(mu2), "(0,inf)",
     "a sample has ceil(mu2 n / k) neighbors among the matched samples of\n"
     "another task"},
    {"space", CHOICE, IN(space), "tca|ratio",
     "tca: a subspace of transfer components.  ratio: an orthonormal one that\n"
     "trades variance for the distance of the tasks' means"},
    {"dim", COUNT, IN(dim), "[1,inf)", "dimension of the subspace"},
    {"trade", REAL, IN(trade), "(0,inf)",
     "weight of the distance between tasks in the subspace; ratio: up to 1"},
    {"coupling", CHOICE, IN(coupling), "feature|task",
     "tasks share either which features count, or how they are related"},
    {"lambda1", REAL, IN(lambda1), "[0,inf)",
     "weight of the size of each task's weights"},
    {"lambda2", REAL, IN(lambda2), "[0,inf)",
     "weight of what couples the tasks"},
    {"slack", REAL, IN(slack), "[0,1]",
     "clusters have (1-slack) n/k to (1+slack) n/k samples"},
    {"repeats", COUNT, IN(repeats), "[1,inf)",
     "runs of each method with different seeds"},
    {"task", TEXT, IN(task), "NAME|N|nearest",
     "the task of the model that all files belong to, by its name or its\n"
     "number from 0.  nearest: a file that is not named like a task belongs to\n"
     "the one whose centers are nearest to its samples.  Default: the task of\n"
     "the file's name; a model of one task needs none"},
    {"c", TEXT, IN(c), "NAME",
     "name of the header NAME.h and of all in it: NAME_label, NAME_real,\n"
     "NAME_FEATURES (in capitals) and so on.  It must be a name in C, but not\n"
     "that of a standard header"},
    {"far", FLAG, IN(far), NULL,
     "adds NAME_far(task, x), which is 1 if x lies farther from the center of\n"
     "its cluster than any training sample, as `mtc assign` reports it"},
    {"supply", TEXT, IN(supply), "FILE",
     "one number a line for each row of the costs; default: 1/rows"},
    {"demand", TEXT, IN(demand), "FILE",
     "one number a line for each column; default: 1/columns"},
    {"n", COUNT, IN(samples), "[1,1000000]",
     "samples in each task, at least one for each class"},
    {"tasks", COUNT, IN(tasks), "[1,1000]",
     "number of tasks; bridge always has five"},
};
enum { N_OPTIONS = sizeof options / sizeof options[0] };

/* What a command allows is a text: names of options, each with its default
 * behind "=" if it has one.  Walks over it: name and value of the next. */
typedef struct allowed_walk {
    const char *rest;
    char name[24], value[24];
    const option *option;
} allowed_walk;

/* Copies up to one of `stops`, cut to the room; returns the full length. */
size_t copy_word(char *to, size_t room, const char *from, const char *stops)
{
    size_t n = strcspn(from, stops);
    size_t kept = n < room ? n : room - 1;
    memcpy(to, from, kept);
    to[kept] = '\0';
    return n;
}

static int next_allowed(allowed_walk *w)
{
    w->rest += strspn(w->rest, " ");
    if (*w->rest == '\0')
        return 0;
    w->rest += copy_word(w->name, sizeof w->name, w->rest, " =");
    w->value[0] = '\0';
    if (*w->rest == '=')
        w->rest += 1 + copy_word(w->value, sizeof w->value, w->rest + 1, " ");
    size_t i = 0;                   /* a list never names what is not there */
    while (i + 1 < N_OPTIONS && strcmp(options[i].name, w->name) != 0)
        i++;
    w->option = &options[i];
    return 1;
}

/* Stands before the first of the list. */
static allowed_walk walk(const char *allowed)
{
    return (allowed_walk){.rest = allowed};
}

/* The part of an option's name that is typed. */
static int typed_length(const option *o)
{
    return (int)strcspn(o->name, ".");
}

static int is_typed(const option *o, const char *name, size_t length)
{
    return (size_t)typed_length(o) == length &&
           strncmp(o->name, name, length) == 0;
}

/* The place of `word` in the list of that option, which enums follow; NULL:
 * 0. */
int word_place(const char *name, const char *word)
{
    const char *s = "";
    int place = 0;
    for (size_t i = 0; i < N_OPTIONS && word != NULL; i++)
        if (strcmp(options[i].name, name) == 0)
            s = options[i].allowed;
    for (size_t n; *s != '\0'; s += n + (s[n] == '|'), place++) {
        n = strcspn(s, "|");
        if (n == strlen(word) && strncmp(s, word, n) == 0)
            return place;
    }
    return 0;
}

/* Letters to change, insert, leave out or swap with the next, at most 3; 99:
 * more. */
static unsigned edits(const char *x, const char *y)
{
    enum { MOST = 32 };
    unsigned row[3][MOST + 1];
    size_t m = strlen(x), n = strlen(y);
    if (m > MOST || n > MOST)
        return 99;
    for (unsigned j = 0; j <= n; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        unsigned *here = row[i % 3];
        const unsigned *above = row[(i + 2) % 3], *over = row[(i + 1) % 3];
        here[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned replaced = above[j - 1] + (x[i - 1] != y[j - 1]);
            unsigned least = above[j] < here[j - 1] ? above[j] + 1
                                                    : here[j - 1] + 1;
            here[j] = replaced < least ? replaced : least;
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1]
                && over[j - 2] + 1 < here[j])
                here[j] = over[j - 2] + 1;
        }
    }
    return row[m % 3][n] <= 3 ? row[m % 3][n] : 99;
}

/* The one of the first n words that was meant by `typed`, or NULL: it takes
 * the fewest edits, fewer than half of its letters. */
const char *nearest_word(const words *known, const char *typed, size_t n)
{
    const char *best = NULL;
    unsigned least = 99;
    for (size_t i = 0; i < n; i++) {
        unsigned e = edits(typed, known->at[i]);
        if (e < least && 2 * e < strlen(known->at[i])) {
            least = e;
            best = known->at[i];
        }
    }
    return best;
}

/* The option of that name in `allowed`; ends the program if there is none. */
static const option *find_option(app *a, const char *allowed, const char *name,
                                 size_t length)
{
    text known = {NULL, 0, 0};
    words near = {0, 0, NULL};
    for (allowed_walk w = walk(allowed); next_allowed(&w);) {
        if (is_typed(w.option, name, length))
            return w.option;
        put(a, &known, " --%.*s", typed_length(w.option), w.option->name);
        add_word(a, &near, w.option->name, (size_t)typed_length(w.option));
    }
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (is_typed(&options[i], name, length))
            fail(a, BAD_USAGE, "--%.*s is not an option of %s; it has:%s",
                 (int)length, name, a->topic, known.length ? known.at : " -");
    add_word(a, &near, name, length);
    const char *meant = nearest_word(&near, near.at[near.n - 1], near.n - 1);
    fail(a, BAD_USAGE, "unknown option --%.*s%s%s%s; %s has:%s", (int)length,
         name, meant ? "; did you mean --" : "", meant ? meant : "",
         meant ? "?" : "", a->topic, known.length ? known.at : " none");
}

/* Is x in an interval such as "(0,1]" or "[1,inf)"? */
static int within(const char *interval, double x)
{
    char *rest;
    double low = strtod(interval + 1, &rest);
    double high = strtod(rest + 1, &rest);
    return (*interval == '(' ? x > low : x >= low) &&
           (*rest == ')' ? x < high : x <= high);
}

/* A whole decimal number up to `most` at s; *end behind it.  1: fine. */
int whole_at(const char *s, uint64_t most, uint64_t *value, const char **end)
{
    uint64_t x = 0;
    const char *p = s;
    for (; *p >= '0' && *p <= '9'; p++) {
        unsigned digit = (unsigned)(*p - '0');
        if (x > (most - digit) / 10)
            return 0;
        x = 10 * x + digit;
    }
    *value = x;
    *end = p;
    return p > s;
}

/* Ends the program: names the option, the value and what is allowed. */
static APP_NORETURN void bad_value(app *a, const option *o, const char *value)
{
    const char *kind = o->type == REAL ? "a number in "
                     : o->type == REALS ? "numbers with commas, in "
                     : o->type == CHOICE ? "one of "
                     : o->type == SEED ? "a whole number below 2^64"
                     : o->type == COUNT ? "a whole number in "
                     : o->type == COUNTS || o->type == CLUSTERS
                         ? "whole numbers with commas, in "
                     : "";
    fail(a, BAD_USAGE, "--%.*s %s: expected %s%s", typed_length(o), o->name,
         value, kind, o->allowed != NULL ? o->allowed : "");
}

/* A count up to its end, which is a comma or the end of the value. */
static size_t to_count(app *a, const option *o, const char *value,
                       const char **end)
{
    uint64_t x;
    if (!whole_at(value, SIZE_MAX, &x, end) ||
        !within(o->allowed, (double)x) || (**end != '\0' && **end != ','))
        bad_value(a, o, value);
    return (size_t)x;
}

static counts to_counts(app *a, const option *o, const char *value)
{
    counts c = {0, NULL};
    size_t room = 0;
    for (const char *s = value, *end;; s = end + 1) {
        size_t x = to_count(a, o, s, &end);
        GROW(a, c.at, c.n, room);
        c.at[c.n++] = x;
        if (*end == '\0')
            return c;
    }
}

/* Numbers, or how to find them. */
static void to_clusters(app *a, settings *set, const option *o,
                        const char *value)
{
    uint64_t low, high;
    const char *end;
    int range = whole_at(value, SIZE_MAX, &low, &end) && *end == '-';
    set->k.n = 0;
    set->k_word = NULL;
    set->k_range = range;
    if (range) {
        if (!whole_at(end + 1, SIZE_MAX, &high, &end) || *end != '\0' ||
            low < 2 || high < low)
            bad_value(a, o, value);
        set->k_word = "auto";
        set->k_min = (size_t)low;
        set->k_max = (size_t)high;
    } else if (is(value, "auto")) {
        set->k_word = COPY(a, value, strlen(value) + 1, char);
    } else {
        set->k = to_counts(a, o, value);
    }
}

/* A decimal number up to its end: of the value, or a comma in a list. */
static double to_real(app *a, const option *o, const char *value,
                      const char **end)
{
    double x = 0;
    *end = decimal_at(value, '.', &x);
    int over = **end == '\0' || (o->type == REALS && **end == ',');
    if (*end == value || !over || !within(o->allowed, x) ||
        fabs(x) > APP_REAL_MAX)
        bad_value(a, o, value);
    return x;
}

static reals to_reals(app *a, const option *o, const char *value)
{
    reals c = {0, NULL};
    size_t room = 0;
    for (const char *s = value, *end;; s = end + 1) {
        double x = to_real(a, o, s, &end);
        GROW(a, c.at, c.n, room);
        c.at[c.n++] = x;
        if (*end == '\0')
            return c;
    }
}

/* Which words of "a|b|c" is the value?  Returns the value, checked. */
static const char *to_choice(app *a, const option *o, const char *value)
{
    size_t n = strlen(value);
    for (const char *s = o->allowed; n > 0; s += strcspn(s, "|") + 1) {
        size_t length = strcspn(s, "|");
        if (length == n && strncmp(s, value, n) == 0)
            return COPY(a, value, n + 1, char);
        if (s[length] == '\0')
            break;
    }
    bad_value(a, o, value);
}

/* Appends a copy of a word of that length. */
void add_word(app *a, words *w, const char *from, size_t length)
{
    char *s = TAKE(a, length + 1, char);
    memcpy(s, from, length);
    GROW(a, w->at, w->n, w->room);
    w->at[w->n++] = s;
}

void add_name(app *a, words *w, const char *s)
{
    add_word(a, w, s, strlen(s));
}

/* Unless it is there. */
void add_once(app *a, words *w, const char *s)
{
    if (!has_word(w, s))
        add_name(a, w, s);
}

int has_word(const words *w, const char *s)
{
    int found = 0;
    for (size_t i = 0; i < w->n; i++)
        found |= strcmp(w->at[i], s) == 0;
    return found;
}

/* Characters up to a comma that has no backslash before it. */
static size_t path_length(const char *s)
{
    size_t n = strcspn(s, ",");
    while (n > 0 && s[n] == ',' && s[n - 1] == '\\')
        n += 1 + strcspn(s + n + 1, ",");
    return n;
}

/* Splits at commas; "\," is one of a name.  An empty path is an error.  Given
 * again, lists add up, but for what --log has by itself. */
static void add_paths(app *a, const option *o, words *w, const char *value)
{
    if (o->target == IN(log) && w->n == 1 && is(w->at[0], "auto"))
        w->n = 0;
    for (const char *s = value;; s++) {
        size_t n = path_length(s);
        text t = {NULL, 0, 0};
        if (n == 0)
            bad_value(a, o, value);
        for (size_t i = 0; i < n; i++)
            if (s[i] != '\\' || s[i + 1] != ',')
                put(a, &t, "%c", s[i]);
        add_word(a, w, t.at, t.length);
        pool_release(t.at);
        s += n;
        if (*s == '\0')
            return;
    }
}

/* Writes one value to its place in the settings. */
static void set_option(app *a, settings *set, const option *o,
                       const char *value)
{
    void *at = (char *)set + o->target;
    const char *end;
    uint64_t whole;
    switch (o->type) {
    case FLAG: *(int *)at = 1; break;
    case COUNT:
        *(size_t *)at = to_count(a, o, value, &end);
        if (*end != '\0')
            bad_value(a, o, value);
        break;
    case COUNTS: *(counts *)at = to_counts(a, o, value); break;
    case CLUSTERS: to_clusters(a, set, o, value); break;
    case SEED:
        if (!whole_at(value, UINT64_MAX, &whole, &end) || *end != '\0')
            bad_value(a, o, value);
        *(uint64_t *)at = whole;
        break;
    case REAL: *(double *)at = to_real(a, o, value, &end); break;
    case REALS: *(reals *)at = to_reals(a, o, value); break;
    case CHOICE: *(const char **)at = to_choice(a, o, value); break;
    case TEXT:
        if (*value == '\0')
            bad_value(a, o, value);
        *(const char **)at = COPY(a, value, strlen(value) + 1, char);
        break;
    case PATHS: add_paths(a, o, (words *)at, value); break;
    case FILES: add_name(a, (words *)at, value); break;
    case HEADING: break;
    }
}

/* A lone "-" is an operand. */
int looks_like_option(const char *s)
{
    return s[0] == '-' && s[1] != '\0';
}

static int is_about_texts(const option *o)
{
    return o->target == IN(markup) || o->target == IN(token) ||
           o->target == IN(word_length) || o->target == IN(stop) ||
           o->target == IN(stem) || o->target == IN(min_texts) ||
           o->target == IN(max_share) || o->target == IN(vocabulary);
}

/* The option at argv[i], in any form; returns the last argument it used. */
static int parse_option(app *a, const char *allowed, int argc, char **argv,
                        int i, settings *set)
{
    const char *arg = argv[i] + (argv[i][1] == '-') + 1;
    size_t length = strcspn(arg, "=");
    if (argv[i][1] != '-' && !(length == 1 && *arg == 'k'))
        fail(a, BAD_USAGE, "%s: options begin with two dashes (but -k)",
             argv[i]);
    const option *o = find_option(a, allowed, arg, length);
    const char *value = arg[length] == '=' ? arg + length + 1 : NULL;
    set->lambda_given |= o->target == IN(lambda);
    set->iterations_given |= o->target == IN(iterations);
    set->preprocess_given |= o->target == IN(preprocess);
    set->about_texts |= is_about_texts(o);
    if (o->type == FLAG) {
        if (value != NULL)
            fail(a, BAD_USAGE, "--%.*s takes no value", (int)length, arg);
        set_option(a, set, o, "");
        return i;
    }
    int follows = i + 1 < argc && !(o->type == FILES &&
                                    looks_like_option(argv[i + 1]));
    if (value == NULL && !follows)
        fail(a, BAD_USAGE, "--%.*s: a value is missing", (int)length, arg);
    set_option(a, set, o, value != NULL ? value : argv[++i]);
    while (value == NULL && o->type == FILES && i + 1 < argc &&
           !looks_like_option(argv[i + 1]))
        set_option(a, set, o, argv[++i]);
    return i;
}

/* What holds where no option is given. */
void set_defaults(app *a, const char *allowed, settings *set)
{
    memset(set, 0, sizeof *set);
    for (allowed_walk w = walk(allowed); next_allowed(&w);)
        if (w.value[0] != '\0')
            set_option(a, set, w.option, w.value);
}

/* The option of that name as if it were given now; a list that others share
 * stays as it is. */
void add_option(app *a, settings *set, const char *name, const char *value)
{
    const option *o = options;
    while (!is_typed(o, name, strlen(name)))
        o++;
    if (o->type == PATHS) {
        words *list = (words *)((char *)set + o->target);
        list->at = COPY(a, list->at, list->n, const char *);
        list->room = list->n;
    }
    set_option(a, set, o, value);
}

/* No two outputs go to one place.  Of inputs the place is told when they are
 * opened. */
static void part_places(app *a, const settings *set)
{
    const char *const name[] = {"json", "svg", "save"};
    const char *const place[] = {set->json, set->svg, set->save};
    for (size_t i = 0; i < 3; i++) {
        a->place[i] = place[i];
        for (size_t j = 0; j < i && place[i] != NULL; j++)
            if (is(place[j], place[i]))
                fail(a, BAD_USAGE, "--%s and --%s both go to %s", name[j],
                     name[i], place[i]);
    }
}

/* A file that was typed twice was hardly meant so. */
static void tell_twins(app *a, const words *operands)
{
    for (size_t i = 0; i < operands->n; i++)
        for (size_t j = 0; j < i; j++)
            if (is(operands->at[i], operands->at[j]))
                warn(a, "twice", NULL, "%s is given twice", operands->at[i]);
}

/* Defaults, then options and operands in any order; returns the operands. */
words parse_args(app *a, const char *topic, const char *allowed, int argc,
                      char **argv, settings *set)
{
    words operands = {0, 0, NULL};
    int options_end = 0;
    a->topic = topic;
    progress_outer(a, 0, READING);
    set_defaults(a, allowed, set);
    for (int i = 0; i < argc; i++) {
        if (!options_end && strcmp(argv[i], "--") == 0)
            options_end = 1;
        else if (!options_end && looks_like_option(argv[i]))
            i = parse_option(a, allowed, argc, argv, i, set);
        else
            add_name(a, &operands, argv[i]);
    }
    a->quiet = set->quiet;
    a->verbose = set->verbose;
    a->strict = set->strict;
    settle_lanes(a, set->jobs);
    part_places(a, set);
    if (is(set->out, "-"))
        fail(a, BAD_USAGE, "--out -: a directory is needed");
    tell_twins(a, &operands);
    return operands;
}

/* One number where all are equal, else the list; null where none is. */
static void put_counts(app *a, text *t, const counts *c)
{
    size_t n = c->n;
    while (n > 1 && c->at[n - 1] == c->at[0])
        n--;
    if (n == 0)
        put(a, t, "null");
    else if (n == 1)
        put(a, t, "%zu", c->at[0]);
    else
        put_wholes(a, t, c->n, c->at);
}

static void put_list(app *a, text *t, const reals *x)
{
    for (size_t i = 0; i < x->n; i++) {
        put(a, t, x->n == 1 ? "" : i == 0 ? "[" : ", ");
        put_real(a, t, x->at[i]);
    }
    put(a, t, x->n == 0 ? "null" : x->n == 1 ? "" : "]");
}

static void put_words(app *a, text *t, const words *w)
{
    if (w->n == 0)
        put(a, t, "null");
    else
        put_texts(a, t, w->n, w->at);
}

/* The value of one option as JSON; null where none was given or is used. */
static void put_value(app *a, text *t, const settings *set, const option *o)
{
    const void *at = (const char *)set + o->target;
    switch (o->type) {
    case FLAG: put(a, t, *(const int *)at ? "true" : "false"); break;
    case COUNT:
        if (within(o->allowed, (double)*(const size_t *)at))
            put(a, t, "%zu", *(const size_t *)at);
        else
            put(a, t, "null");
        break;
    case COUNTS:
    case CLUSTERS: put_counts(a, t, (const counts *)at); break;
    case SEED:
        put(a, t, "%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    case REAL:
        put_real(a, t, within(o->allowed, *(const double *)at)
                           ? *(const double *)at : HUGE_VAL);
        break;
    case REALS: put_list(a, t, (const reals *)at); break;
    case CHOICE:
    case TEXT: put(a, t, "%s", json_text(a, *(const char *const *)at)); break;
    case PATHS:
    case FILES: put_words(a, t, (const words *)at); break;
    case HEADING: break;
    }
}

/* Does the option only say where results go, how fast, or what is said of
 * them?  They do not depend on it. */
static int says_where(const option *o)
{
    return o->target == IN(out) || o->target == IN(json) ||
           o->target == IN(svg) ||
           o->target == IN(quiet) || o->target == IN(save) ||
           o->target == IN(jobs) || o->target == IN(verbose) ||
           o->target == IN(strict);
}

/* {"name": value, ...} of everything in `allowed` that results depend on, as
 * used; `files` 0: without names of files, which depend on where they stand. */
void put_options(app *a, text *t, const char *allowed, const settings *set,
                 int files)
{
    const char *separator = "{";
    for (allowed_walk w = walk(allowed); next_allowed(&w);) {
        const char *form = w.option->allowed;
        if (says_where(w.option) ||
            (!files && form != NULL && strstr(form, "FILE") != NULL))
            continue;
        put(a, t, "%s\"%.*s\": ", separator, typed_length(w.option),
            w.option->name);
        put_value(a, t, set, w.option);
        separator = ", ";
    }
    put(a, t, "}");
}

/* Is the word w? */
int is(const char *word, const char *w)
{
    return word != NULL && strcmp(word, w) == 0;
}

/* Text of several lines, each indented. */
void print_indented(const char *s, int indent)
{
    for (; *s != '\0'; s += strcspn(s, "\n"), s += *s == '\n')
        printf("%*s%.*s\n", indent, "", (int)strcspn(s, "\n"), s);
}

/* What may be given, in words. */
static void put_form(app *a, text *t, const option *o)
{
    if (o->type == SEED)
        put(a, t, " N");
    else if (o->type == CLUSTERS)
        put(a, t, " N|A-B|auto");
    else if (o->type == COUNT || o->type == COUNTS)
        put(a, t, " N in %s", o->allowed);
    else if (o->type == REAL || o->type == REALS)
        put(a, t, " X in %s", o->allowed);
    else if (o->type != FLAG)
        put(a, t, " %s", o->allowed);
}

/* Is it one of those above the options of single methods? */
static int is_general(const option *o)
{
    size_t last = N_OPTIONS - 1;
    while (options[last].type != HEADING)
        last--;
    return o < &options[last];
}

/* " --k --init ...", for a shell. */
void put_option_names(app *a, text *t, const char *allowed)
{
    for (allowed_walk w = walk(allowed); next_allowed(&w);)
        put(a, t, " --%.*s", typed_length(w.option), w.option->name);
}

/* What a shell offers behind an option with a choice: the words of all options
 * of that name. */
void put_choices(app *a, text *t)
{
    for (size_t i = 0; i < N_OPTIONS; i++) {
        size_t length = (size_t)typed_length(&options[i]), first = 0;
        while (!is_typed(&options[first], options[i].name, length))
            first++;
        if (options[i].type != CHOICE || first < i)
            continue;
        put(a, t, "    --%.*s) offered=\"", (int)length, options[i].name);
        for (size_t j = i; j < N_OPTIONS; j++)
            for (const char *s = options[j].allowed;
                 is_typed(&options[j], options[i].name, length) &&
                 options[j].type == CHOICE && *s != '\0';
                 s += strcspn(s, "|"), s += *s == '|')
                put(a, t, " %.*s", (int)strcspn(s, "|"), s);
        put(a, t, "\" ;;\n");
    }
}

/* The options of a list with their meaning.  `brief`: of those that many have
 * only the first words of it, on one line each, below the others. */
void print_options(app *a, const char *allowed, int brief)
{
    for (int general = 0; general <= brief; general++) {
        int told = !brief;
        for (allowed_walk w = walk(allowed); next_allowed(&w);) {
            text t = {NULL, 0, 0};
            if (brief && is_general(w.option) != general)
                continue;
            if (!told)
                printf(general ? "\nCommon options (more: `mtc help options`):"
                                 "\n" : "\nOptions of its own:\n");
            told = 1;
            put(a, &t, "  --%.*s", typed_length(w.option), w.option->name);
            put_form(a, &t, w.option);
            if (w.value[0] != '\0' && !is(w.value, "auto"))
                put(a, &t, "  (default %s)", w.value);
            if (general) {
                printf("%-52s  %.*s\n", t.at,
                       (int)strcspn(w.option->help, ",;:.?(\n"),
                       w.option->help);
                continue;
            }
            printf("%s\n", t.at);
            print_indented(w.option->help, 6);
        }
    }
}

/* The operands of a command, `least` of them or more, `most` or fewer. */
void need_operands(app *a, const words *w, size_t least, size_t most,
                   const char *what)
{
    if (w->n < least)
        fail(a, BAD_USAGE, "%s needs %s", a->topic, what);
    if (w->n > most)
        fail(a, BAD_USAGE, "%s: one argument too many; %s needs %s",
             w->at[most], a->topic, what);
}

/* ---- the manual ---- */

/* Text as nroff wants it. */
static void print_roff(const char *s)
{
    if (*s == '.' || *s == '\'')
        printf("\\&");
    for (; *s != '\0'; s++) {
        printf(*s == '-' ? "\\-" : *s == '\\' ? "\\e" : "%c", *s);
        if (*s == '\n' && (s[1] == '.' || s[1] == '\''))
            printf("\\&");
    }
}

/* "With lssmtc (.75), asi: ", by the lists that have the option. */
static void print_owners(const option *o, const words *names,
                         const char *const *allowed)
{
    const char *separator = "With ";
    for (size_t i = 0; i < names->n; i++)
        for (allowed_walk w = walk(allowed[i]); next_allowed(&w);)
            if (w.option == o) {
                printf("%s%s", separator, names->at[i]);
                if (w.value[0] != '\0' && !is(w.value, "auto"))
                    printf(" (%s)", w.value);
                separator = ", ";
            }
    printf(": ");
}

static void print_entry(app *a, const option *o, const words *names,
                        const char *const *allowed)
{
    text form = {NULL, 0, 0};
    const char *before = NULL;
    put_form(a, &form, o);
    printf(".TP\n.BI ");
    printf("\\-\\-%.*s", typed_length(o), o->name);
    printf(form.length > 0 ? " \"%s\"\n" : "%s\n",
           form.length > 0 ? form.at : "");
    for (const option *v = o; v < options + N_OPTIONS; v++) {
        if (!is_typed(v, o->name, (size_t)typed_length(o)) ||
            (before != NULL && strcmp(v->help, before) == 0))
            continue;
        if (before != NULL)
            printf(".br\n");
        if (!is_general(v))
            print_owners(v, names, allowed);
        print_roff(v->help);
        printf(".\n");
        before = v->help;
    }
}

/* All options, as the manual has them; lists [names->n] of those who have
 * them. */
void print_manual(app *a, const words *names, const char *const *allowed)
{
    for (size_t i = 0; i < N_OPTIONS; i++) {
        const option *o = &options[i];
        size_t first = 0;
        while (!is_typed(&options[first], o->name, (size_t)typed_length(o)))
            first++;
        if (o->type == HEADING) {
            printf(".SS %s\n", o->name);
            print_roff(o->help != NULL ? o->help : "");
            printf(o->help != NULL ? "\n" : "");
        } else if (first == i) {
            print_entry(a, o, names, allowed);
        }
    }
}
