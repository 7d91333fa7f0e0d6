/* SPDX-License-Identifier: MIT
 *
 * methods.c - the table of all methods, with their options and help
 *
 * To add one: write its run function, declare it in job.h, and add a row.
 */
#include "job.h"

#include <string.h>

#define RUN_OPTIONS \
    READ_OPTIONS \
    " out json svg save jobs verbose quiet"
#define CLUSTER_OPTIONS \
    " k-min=1 k-max=48 seed=1 preprocess.auto=auto log=auto" RUN_OPTIONS
#define TRANSFER_FILES \
    "source target seed=1 preprocess=none" RUN_OPTIONS
#define TRANSFER_OPTIONS \
    "k.numbers " TRANSFER_FILES
#define ALIGN_OPTIONS \
    TRANSFER_OPTIONS " align"

const method methods[] = {
    {"kmeans", "cluster", run_kmeans, 0, NULL,
     "round clusters of like spread; each task by itself",
     "k init pool restarts=10 iterations=300 tolerance=0"
     CLUSTER_OPTIONS,
     "k-means, the lowest loss of several k-means++ starts",
     "This is Lloyd's iteration on squared Euclidean distances.  The\n"
     "objective is the sum of squared distances to the centers."},
    {"vote", "cluster", run_vote, BY_MEANS, "stability",
     "round clusters of like spread, and that what most runs say is right",
     "k pool restarts=10 iterations=300 tolerance=0"
     CLUSTER_OPTIONS,
     "the consensus of several runs of k-means",
     "Two samples belong together if many runs of k-means put them together; the\n"
     "answer is the normalized cut of these counts.  Only runs whose loss is at\n"
     "most 1.02 times the lowest vote.  On real data the vote is nearer to the\n"
     "truth than the run of lowest loss.  The objective is that of the k-means\n"
     "that ends the vote."},
    {"pcakm", "cluster", run_pcakm, 0, "dimension",
     "that the directions of large variance matter",
     "k init pool keep=.95 restarts=10 iterations=300 tolerance=0"
     CLUSTER_OPTIONS,
     "k-means on principal components",
     "The data are projected on the principal components that keep a share of\n"
     "the variance, and k-means clusters them there."},
    {"ncut", "cluster", run_ncut, 0, "cut",
     "clusters that hang together, of any shape",
     "k init pool similarity sigma restarts=10"
     CLUSTER_OPTIONS,
     "normalized cut of the similarity graph",
     "k-means runs on the top eigenvectors of the normalized similarity matrix,\n"
     "and the objective is that of this k-means."},
    {"genie", "cluster", run_genie, 0, NULL,
     "clusters of any shape with gaps between them",
     "k pool"
     CLUSTER_OPTIONS,
     "clusters of any shape, cut from the minimum spanning tree",
     "Clusters are merged along the shortest edges of the tree (Gagolewski\n"
     "et al. 2016).  While their sizes are too unequal, which is a Gini\n"
     "index above .3, one of the smallest clusters has to take part.\n"
     "Every row gets a cluster, and the model is the means.  The method is\n"
     "not random: --seed changes nothing."},
    {"snmf", "cluster", run_snmf, TRACES, NULL,
     "clusters that are dense parts of a neighbor graph",
     "k init pool neighbors.share=.3 restarts=10 iterations=300 "
     "tolerance=1e-6"
     CLUSTER_OPTIONS,
     "symmetric non-negative factorization of a neighbor graph",
     "The cosine graph of nearest neighbors, normalized by degree, is\n"
     "factored as Y Y'.  The cluster of a sample is the largest entry of its\n"
     "row of Y.  The method starts from k-means (the best of --restarts\n"
     "runs) or from --init."},
    {"ward", "cluster", run_ward, 0, "height",
     "round clusters, also of clusters; needs no seed",
     "k pool" CLUSTER_OPTIONS,
     "Ward's tree, cut at k clusters (Ward 1963)",
     "The tree begins with single samples and joins the two clusters whose union\n"
     "costs least in squared distances to the mean.  It needs no seed, but\n"
     "memory for all pairs of samples.  The model is the means."},
    {"asi", "cluster", run_asi, FIXED_STEPS, NULL,
     "clusters that show in a subspace of the task's own",
     "k init pool mode=pca subspace=8 rank=32 offset=.2 restarts=10 "
     "iterations=20 tolerance=0"
     CLUSTER_OPTIONS,
     "adaptive subspace iteration: a subspace for each task alone",
     "This is lssmtc with lambda 0 on one task after the other.  In mode\n"
     "recon that would be lambda 1, so the default mode is pca.  The method\n"
     "starts from the best of --restarts runs of k-means."},
    {"auto", "cluster", run_auto, JOINT | MEANS, NULL,
     "nothing but a number of clusters: start here",
     "k pool restarts.family=10"
     CLUSTER_OPTIONS,
     "a vote of methods that share and methods that do not: start here",
     "auto decides about the geometry first.  Data that are not sparse go by\n"
     "distances.  The candidates are then a vote of prototypes (k-means, mbc,\n"
     "principal components), a vote of graph cuts, and three cuts of a spanning\n"
     "tree.  Each task keeps the prototypes unless a walk on the graph of its\n"
     "nearest neighbors leaves the clusters of another candidate clearly less\n"
     "often; of the others the one is kept whose clusters higher ridges part.\n"
     "Sparse data (90 % zeros) go by the directions of rows unless the\n"
     "sizes of rows make the families agree more.  Most of the gain comes from\n"
     "the vote, not from sharing.  Where there are many samples, some of them\n"
     "vote and the others follow."},
    {"lssmtc", "cluster", run_lssmtc,
     JOINT | FIXED_STEPS | ONE_K | GUARD | MEANS, NULL,
     "the same clusters in all tasks, in one subspace",
     "k init pool lambda=.75 mode=recon subspace rank=32 offset=.2 "
     "start=aligned restarts=10 iterations=20 tolerance=0"
     " guard" CLUSTER_OPTIONS,
     "one subspace shared by all tasks (Gu & Zhou 2009)",
     "The method assumes that the tasks have the same clusters.  It finds soft\n"
     "partitions with centroids of each task and with centroids that all tasks\n"
     "share in a subspace.  The grid of the paper is lambda .25 .5 .75 and\n"
     "subspace 2 4 8 16.  In our measurements sharing gains on small related\n"
     "tasks and costs on others; lambda 1 is the safe end.  The origin counts:\n"
     "far from 0, as in Kelvin, little moves from the start, and --preprocess\n"
     "zscore brings columns there."},
    {"auto", "transfer", run_aligned, 0, NULL,
     "nothing; labels on which all votes agree are likely right",
     TRANSFER_FILES " align=auto",
     "a vote of methods on columns brought to the source's: start here",
     "auto looks how far the target's rows lie from the source's: as they are,\n"
     "and with columns brought to the source's means and spreads (those that\n"
     "spread otherwise, all, or all with other shares of classes).  svm with two\n"
     "kernels and llgc vote on the nearest, and on the rows as they are where\n"
     "these are near, too; on sparse data unlike the source lssttc, cdsc and\n"
     "cocc.  It says what was done to the columns, which of them seem to be in\n"
     "other units, and how many rows are far from the source.  NAME.csv has the\n"
     "share of votes of each row, and whether it is far.  The model is that of\n"
     "svm with --kernel rbf on the columns that were kept, of sparse data the\n"
     "means of the answer."},
    {"svm", "transfer", run_svm, SCALES, "gap",
     "that source and target are alike: nothing is adapted",
     ALIGN_OPTIONS
     " cost=1 kernel=linear gamma tolerance.gap=1e-3 iterations",
     "support vector machine trained on the source",
     "Two classes are one problem; more classes are one problem each, against\n"
     "the rest."},
    {"gfhf", "transfer", run_gfhf, SCALES | COMPARED, "residual",
     "that samples near each other have the same label",
     ALIGN_OPTIONS " neighbors.count=50 width=.125 "
     "iterations=1000",
     "label propagation by harmonic functions",
     "Labels spread from the source over a graph of both data sets while those\n"
     "of the source stay fixed.  Samples that no label reaches get the most\n"
     "frequent class, and a warning says so."},
    {"llgc", "transfer", run_llgc, SCALES | COMPARED, "residual",
     "that neighbors share labels, some of which may be wrong",
     ALIGN_OPTIONS " neighbors.count=50 width=.125 mu=1 "
     "iterations=1000",
     "label propagation with local and global consistency",
     "This is gfhf, except that the labels of the source may change."},
    {"tsvm", "transfer", run_tsvm, SCALES | COMPARED, "exchanged",
     "a gap between classes, and the source's shares of them",
     ALIGN_OPTIONS " cost=1 kernel=linear gamma tolerance.gap=1e-4 "
     "iterations",
     "transductive support vector machine (Joachims 1999)",
     "The machine looks for a large margin on source and target together.\n"
     "`iterations` counts the SVMs that were solved."},
    {"nb", "transfer", run_nb, OF_COUNTS | COMPARED, NULL,
     "that words depend on the class, but not on each other",
     TRANSFER_OPTIONS,
     "multinomial naive Bayes trained on the source",
     "Values are counts, or weights of 0 and more.  Nothing is transferred, and\n"
     "the result is often as good as that of methods that transfer."},
    {"cocc", "transfer", run_cocc, OF_COUNTS | COMPARED | RECONSTRUCTED, NULL,
     "that words mean the same in source and target",
     "init " TRANSFER_OPTIONS " lambda.source=.25 words=64 "
     "start-words=kmeans init-words realign iterations=20",
     "co-clustering of documents and words (Dai et al. 2007)",
     "Clusters of words connect source and target.  Values are counts, or\n"
     "weights of 0 and more.  The method starts from naive Bayes or --init.  The\n"
     "objective, the loss of information in nats, does not know which class is\n"
     "which: that comes from the start or from --realign.  The start of the\n"
     "words and --realign are reconstructed."},
    {"smbc", "cluster", run_smbc,
     JOINT | COMPARED | RECONSTRUCTED, NULL,
     "related tasks, of which some are better left alone",
     "k init pool lambda.pull=.5 rule=polish divergence=sqeuclidean metric "
     "smooth=0 iterations=100 tolerance=1e-10"
     CLUSTER_OPTIONS,
     "mbc only where it lowers a task's own loss (S-MBC)",
     "mbc and plain clustering run from one start, and each task keeps the\n"
     "answer with the smaller loss.  The order of the steps is reconstructed."},
    {"smkc", "cluster", run_smkc,
     JOINT | COMPARED | RECONSTRUCTED, NULL,
     "related tasks whose clusters a kernel tells apart",
     "k init pool lambda.pull=.5 rule=polish kernel.rbf=rbf sigma "
     "iterations=100 tolerance=1e-10" CLUSTER_OPTIONS,
     "smbc in the space of a kernel (S-MKC)",
     "This is smbc with distances under a kernel.  It takes memory for all pairs\n"
     "of samples of all tasks.  Hard partitions and exact steps are\n"
     "reconstructed."},
    {"cdsc", "transfer", run_cdsc, COMPARED | RECONSTRUCTED, NULL,
     "that few links join two classes, also in the target",
     TRANSFER_OPTIONS " lambda.target=1 form.cdsc=auto vectors=10 trust=3200",
     "cross-domain spectral classification (Ling et al. 2008)",
     "The method takes memory for all pairs of samples of source and target.\n"
     "Its weights and the transducer are reconstructed.  It is made for texts:\n"
     "with few columns and no negative values all rows are alike, and a warning\n"
     "says so."},
    {"tritl", "transfer", run_tritl,
     FIXED_STEPS | OF_COUNTS | COMPARED | RECONSTRUCTED, NULL,
     "concepts that are identical, alike or distinct",
     "init " TRANSFER_OPTIONS " identical=20 alike=20 distinct=10 "
     "start.ttl=informed iterations=100 tolerance=0",
     "three kinds of word concepts (TriplexTL, Zhuang et al. 2013)",
     "The method factorizes every source and the target; some of their concepts\n"
     "are shared.  Values must not be negative, and rows are scaled to sum 1.\n"
     "Labels are carried over only with --alike 0 --distinct 0; otherwise the\n"
     "start decides which class is which.  The start is reconstructed."},
    {"latentmap", "transfer", run_latentmap,
     SCALES | COMPARED | RECONSTRUCTED, NULL,
     "that missing features follow from common ones",
     ALIGN_OPTIONS " ridge.fill=1 rank=50 neighbors.vote=20 no-fill",
     "missing features filled in, then neighbors (Xie et al. 2009)",
     "Ridge regression predicts the features that source or target lacks.  Then\n"
     "the nearest samples of the sources vote, in the space of the singular\n"
     "directions of all samples.  The method takes memory for all pairs of\n"
     "samples.  The regression and the weights of the votes are reconstructed."},
    {"cotransfer", "transfer", run_cotransfer,
     VIEWS | ONE_BRIDGE | COMPARED | RECONSTRUCTED, NULL,
     "that labels flow to what is alike, and along pairs",
     "bridge view1 view2 known " TRANSFER_OPTIONS
     " alpha=.05 stay=.9 neighbors.vote=10 iterations",
     "a random walk over samples and pairs (Ng, Wu, Ye 2012)",
     "Source and target need not share features.  Pairs of both views connect\n"
     "them, or one --bridge, whose view 1 has the columns that the source uses\n"
     "and whose view 2 has those of the target.  There is one solution and no\n"
     "start.  Samples of --known help, may have classes that the source lacks,\n"
     "and acc counts them too.  The similarity of two samples is reconstructed."},
    {"htlic", "transfer", run_htlic,
     FIXED_STEPS | VIEWS | KNOWN | COMPARED | RECONSTRUCTED, NULL,
     "that tags tell classes of images apart; few labels",
     "view1 view2 known " TRANSFER_OPTIONS
     " rank=20 lambda.images=.5 ridge=.01 iterations=30",
     "tags tie documents to images (HTLIC, Zhu et al. 2011)",
     "The method factorizes documents by tags and images by tags together.  A\n"
     "linear SVM then learns from the new features of the samples of --known\n"
     "only; acc counts these samples too.  The source needs no labels, and they\n"
     "are not used.  Scales, ridge and SVM are reconstructed."},
    {"samtc", "cluster", run_samtc,
     JOINT | COMPARED | RECONSTRUCTED, NULL,
     "that tasks share some clusters; only those help",
     "k init pool mu1=.5 mu2=.1 restarts=10"
     CLUSTER_OPTIONS,
     "shared neighbors within matched clusters (SAMTC 2016)",
     "The method starts from the normalized cut of each task or from --init, and\n"
     "is about as good as that start.  It takes memory for all pairs of samples\n"
     "of a task.  The matching of clusters is reconstructed."},
    {"mtctki", "cluster", run_mtctki,
     JOINT | COMPARED | RECONSTRUCTED, NULL,
     "a linear subspace in which the tasks' means agree",
     "k pool space=tca mu.share=.3 dim=30 trade=.5 restarts=10"
     CLUSTER_OPTIONS,
     "neighbors in a subspace where tasks agree (MTCTKI 2017)",
     "Neighbors in that subspace, also those in other tasks, say which\n"
     "samples belong together.  The method takes memory for all pairs of\n"
     "samples of a task.  The form of the trade and the weight of neighbors\n"
     "are reconstructed."},
    {"dmtc", "cluster", run_dmtc,
     JOINT | ONE_K | COMPARED | RECONSTRUCTED, NULL,
     "the same clusters, of nearly equal size, in all tasks",
     "k init pool coupling=feature lambda1=.00390625 lambda2=.00390625 "
     "slack=.9 iterations=20 tolerance=1e-6"
     CLUSTER_OPTIONS,
     "linear functions that share features or relations (after DMTFC)",
     "The method starts from k-means with matched centers or from --init.  It is\n"
     "an alternation, not the convex original: it is reconstructed."},
    {"lssttc", "transfer", run_lssttc, SCALES | FIXED_STEPS | MEANS, NULL,
     "classes that lie in a subspace common to all",
     "init " ALIGN_OPTIONS
     " lambda=.25 mode=pca subspace=16 rank=100 offset=.2 iterations=20 "
     "tolerance=0",
     "lssmtc with labeled sources (Gu & Zhou 2009)",
     "The partitions of the sources are their classes and stay fixed.  The\n"
     "target starts from a k-means that begins at the class means of the\n"
     "sources."},
    {"mbc", "cluster", run_mbc, JOINT | GUARD, NULL,
     "related tasks that are small; k may differ",
     "k init pool lambda.pull=.5 divergence=sqeuclidean metric "
     "smooth=0 restarts=10 iterations=100 tolerance=1e-10 guard"
     CLUSTER_OPTIONS,
     "centroids transported between tasks (Zhang & Zhang 2010)",
     "Each task is clustered under a Bregman divergence, and its centroids are\n"
     "pulled towards those of the other tasks along optimal transport plans.\n"
     "The tasks share features and are related; their numbers of clusters may\n"
     "differ.  lambda 0 clusters each task separately; the paper uses .5, and .1\n"
     "to 1 are worth trying.  The paper has one run: --restarts 1.  kl and is\n"
     "need positive values; --smooth makes zeros positive.  In our measurements\n"
     "mbc helps small tasks with different samples and adds little where tasks\n"
     "overlap.  The plans number the clusters."},
    {"mtcfir", "cluster", run_mtcfir, JOINT | TRACES, NULL,
     "text whose tasks share some of their topics",
     "k init pool layers=3 noise=.5 neighbors.share=.3 ridge=1e-5 "
     "variant.fir=full restarts=10 iterations=300 tolerance=1e-6"
     CLUSTER_OPTIONS,
     "features and similarities that tasks share (Zhang et al. 2019)",
     "The method assumes that the tasks have the same features; their clusters\n"
     "and numbers of clusters may differ.  A denoising autoencoder over all\n"
     "tasks gives shared features.  All tasks together then tell which samples\n"
     "of one task are alike, and these similarities are factored as Y Y'.  The\n"
     "grid of the paper is neighbors .1 .3 .5 .7 .9 and noise .5 to .9.  In our\n"
     "measurements shared features help on text but not on images (--layers 0).\n"
     "The method starts from k-means (the best of --restarts runs) or from\n"
     "--init."},
    {"ttl", "transfer", run_ttl, FIXED_STEPS | OF_COUNTS | VIEWS | BRIDGES, NULL,
     "data in between that has features of both sides",
     "init bridge view1 view2 known " TRANSFER_OPTIONS
     " features=30 common=15 variant.ttl=repaired start.ttl=informed "
     "weights=auto iterations=100 tolerance=0",
     "through a bridge to a target that shares nothing (Tan et al. 2015)",
     "Values must not be negative.  Give counts as they are: features are\n"
     "weighted, and then rows are scaled to sum 1.  A bridge needs features of\n"
     "the source and features of the target, which need not share any; a bridge\n"
     "with two views has them in two files.  The method factorizes source with\n"
     "bridge, then bridge with target.  As published (--variant published) it\n"
     "does both at once and without weights.  The objective does not carry the\n"
     "labels, so trust only --start informed.  The grid of the paper is\n"
     "--features 5 to 100, best 20 to 40.  The objective is a sum over both legs\n"
     "and may rise while only one of them is fitted.  Samples of --known keep\n"
     "their labels, help to find those of the others, may have classes that the\n"
     "source lacks, and acc counts them too."},
    {"ec", "cluster", run_ec, SEPARATE, NULL,
     "many features, any few of which show the clusters",
     "k init pool runs=10 columns restarts=10 "
     "iterations=300"
     CLUSTER_OPTIONS,
     "ensemble of k-means runs in random features (Berikov 2019)",
     "Each run sees some of the features, drawn at random.  The vote over all\n"
     "runs is the normalized cut of how often two samples were together.  The\n"
     "method assumes that clusters show in many sets of features.  On sparse\n"
     "data such as text every run has all features; on images plain k-means may\n"
     "be better.  Where single features mislead, fewer --columns help.  The\n"
     "tasks need not have the same features.  --init starts the k-means that\n"
     "ends the vote, and the objective is that of this k-means."},
    {"trec", "transfer", run_trec, FIXED_STEPS | SEPARATE, NULL,
     "other features, but clusters of the same nature",
     "k.numbers init " TRANSFER_FILES
     " runs=10 columns restarts=10 "
     "iterations=300 meta=probability "
     "gamma=0.03125 cost=10 moves qmin=5",
     "an ensemble, corrected by a rule learned on a source (Berikov 2019)",
     "Source and target need not have the same features or classes.  From the\n"
     "labeled source the method learns how likely two samples belong together if\n"
     "so many runs put them together.  It then moves samples of the ec partition\n"
     "of the target, or of --init, to agree with that.  It assumes that\n"
     "ensembles make the same errors on both.  With four classes --meta\n"
     "coassociation gained most.  With ten, on digits, it and the published\n"
     "rule, --meta both --columns 3, lost to ec; the default did not.  acc is by\n"
     "matching, since clusters have no names.  The objective is the distance of\n"
     "eq. 2, and iterations are moves."},
};
const size_t n_methods = sizeof methods / sizeof methods[0];

/* 1: values are counts of words, not weights that can be compared. */
int wants_counts(const method *m, const settings *set)
{
    return m->flags & OF_COUNTS || is(set->divergence, "kl") ||
           is(set->divergence, "is");
}

/* The method of that name; ends the program if the command has none. */
const method *find_method(app *a, const char *kind, const char *name)
{
    text known = {NULL, 0, 0};
    words near = {0, 0, NULL};
    const method *other = NULL;     /* auto is a method of two commands */
    a->topic = kind;
    for (size_t i = 0; i < n_methods; i++) {
        const method *m = &methods[i];
        int named = name != NULL && strcmp(m->name, name) == 0;
        if (strcmp(m->kind, kind) == 0) {
            if (named)
                return m;
            put(a, &known, " %s", m->name);
            add_name(a, &near, m->name);
        } else if (named)
            other = m;
    }
    if (other != NULL)
        fail(a, BAD_USAGE, "%s is a method of `mtc %s`", name, other->kind);
    if (name == NULL)
        fail(a, BAD_USAGE, "%s needs a file, and has the methods:%s", kind,
             known.at);
    const char *meant = nearest_word(&near, name, near.n);
    fail(a, BAD_USAGE, "unknown method %s%s%s%s; known:%s", name,
         meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "",
         known.at);
}
