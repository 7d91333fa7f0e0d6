/* SPDX-License-Identifier: MIT
 *
 * methods.c - the table of all methods, with their options and help
 *
 * To add one: write its run function, declare it in job.h, and add a row.
 */
#include "job.h"

#include <string.h>

#define GUARD_OPTIONS \
    " guard folds=5"
#define RUN_OPTIONS \
    READ_OPTIONS \
    " out.labels json svg svg-curve axes=common save jobs verbose quiet"
#define CLUSTER_OPTIONS \
    " k-min=1 k-max=12 seed=1 preprocess.auto=auto log=auto" RUN_OPTIONS
#define TRANSFER_FILES \
    "source target ~pool ~guard seed=1 preprocess=none" RUN_OPTIONS
#define TRANSFER_OPTIONS \
    "k.classes " TRANSFER_FILES

const method methods[] = {
    {"kmeans", "cluster", run_kmeans, 0, 0, 0, NULL,
     "k init centers pool restarts=10 iterations=300 tolerance=0 "
     "~guard"
     CLUSTER_OPTIONS,
     "k-means, the lowest loss of several k-means++ starts",
     "Lloyd's iteration on squared Euclidean distances.  The objective is\n"
     "the sum of squared distances to the centers."},
    {"vote", "cluster", run_vote, 0, 0, 0, "stability",
     "k pool restarts.votes=10 iterations=300 tolerance=0 ~init ~guard"
     CLUSTER_OPTIONS,
     "the consensus of several runs of k-means",
     "Samples are together that many runs put together: the normalized cut of\n"
     "how often.  Runs vote whose loss is at most 1.02 times the lowest.  On\n"
     "real data it is nearer to the truth than the run of lowest loss.  The\n"
     "objective is that of the k-means which ends the vote.\n"
     "JSON adds `stability`: how often, on average, a sample was together\n"
     "with the others of its cluster."},
    {"pcakm", "cluster", run_pcakm, 0, 0, 0, "dimension",
     "k init pool keep=.95 restarts=10 iterations=300 tolerance=0 "
     "~guard"
     CLUSTER_OPTIONS,
     "k-means on principal components",
     "The data is projected on the components that keep a share of its\n"
     "variance, then clustered by k-means there.  JSON adds `dimension`."},
    {"ncut", "cluster", run_ncut, 0, 0, 0, "cut",
     "k init pool similarity sigma restarts=10 ~iterations "
     "~tolerance ~guard"
     CLUSTER_OPTIONS,
     "normalized cut of the similarity graph",
     "k-means on the top eigenvectors of the normalized similarity matrix;\n"
     "the objective is that k-means's.  JSON adds `cut` and `similarity`, the\n"
     "one that was taken; if it is gaussian, `sigma` of each task."},
    {"genie", "cluster", run_genie, 0, 0, 0, NULL,
     "k pool gini=.3 ~init ~restarts ~iterations ~tolerance ~guard"
     CLUSTER_OPTIONS,
     "clusters of any shape, cut from the minimum spanning tree",
     "Clusters are merged along the shortest edges of the tree (Gagolewski et\n"
     "al. 2016); while their sizes are too unequal, a Gini index above --gini,\n"
     "one of the smallest has to take part.  All rows have a cluster, the model\n"
     "is the means.  Needs no chance: --seed changes nothing."},
    {"snmf", "cluster", run_snmf, 0, 0, 1, NULL,
     "k init pool neighbors.share=.3 restarts=10 iterations=300 "
     "tolerance=1e-6 ~guard"
     CLUSTER_OPTIONS,
     "symmetric non-negative factorization of a neighbor graph",
     "The cosine graph of nearest neighbors, normalized by degree, is\n"
     "factored as Y Y'; a sample's cluster is the largest entry of its row.\n"
     "Starts from k-means (best of --restarts) or from --init."},
    {"ward", "cluster", run_ward, 0, 0, 0, "height",
     "k pool ~init ~restarts ~iterations ~tolerance ~guard" CLUSTER_OPTIONS,
     "Ward's tree, cut at k clusters (Ward 1963)",
     "From single samples on, the two clusters are joined whose union costs\n"
     "least in squared distances to the mean.  Needs no seed and memory for\n"
     "all pairs of samples.  The model is the means.  JSON adds `height` of\n"
     "each task: the cost of the union that would leave one cluster less."},
    {"asi", "cluster", run_asi, 0, 1, 0, NULL,
     "k init pool mode=pca subspace=8 rank=32 offset=.2 restarts=10 "
     "iterations=20 tolerance=0 ~guard"
     CLUSTER_OPTIONS,
     "adaptive subspace iteration: a subspace for each task alone",
     "lssmtc with lambda 0 on one task after the other.  In mode recon that\n"
     "would be lambda 1; so the default is pca.  Starts from the best of\n"
     "--restarts runs of k-means."},
    {"auto", "cluster", run_auto, 1, 0, 0, NULL,
     "k pool geometry=auto restarts.family=10 ~init ~iterations "
     "~tolerance ~guard"
     CLUSTER_OPTIONS,
     "a vote of methods that share and methods that do not: start here",
     "First the geometry.  Data that are not sparse go by distances: a vote of\n"
     "prototypes (k-means, mbc, principal components), one of graph cuts, and\n"
     "three cuts of a spanning tree are the candidates.  Each task keeps the\n"
     "prototypes unless a walk on the graph of its nearest neighbors leaves\n"
     "the clusters of another clearly less often.  Sparse data (90 % zeros) go\n"
     "by the directions of rows unless their sizes make the families agree\n"
     "more.  Says which it was, and which families agree with the answer.\n"
     "Most of its gain is the vote, not the sharing.  Of many samples some\n"
     "vote, the others follow.  JSON adds `auto`: geometry, zeros,\n"
     "agreement_distances and _directions, and `tasks` of families, agreement,\n"
     "kept, candidates (name, score, near, far, entropy, edges, smallest,\n"
     "allowed), margin, agreement_ab, agreement_kept."},
    {"lssmtc", "cluster", run_lssmtc, 1, 1, 0, NULL,
     "k init pool lambda=.75 mode=recon subspace rank=32 offset=.2 "
     "projection start=aligned restarts=10 iterations=20 tolerance=0"
     GUARD_OPTIONS " margin=.1" CLUSTER_OPTIONS,
     "one subspace shared by all tasks (Gu & Zhou 2009)",
     "Assumes that the tasks have the same clusters.  Soft partitions with\n"
     "centroids of each task's own and centroids that all tasks share in a\n"
     "subspace.  The paper's grid: lambda .25 .5 .75, subspace 2 4 8 16.\n"
     "Measured: sharing gains on small related tasks and costs on others;\n"
     "lambda 1 is the safe end.  JSON has `relatedness` (how alike the\n"
     "centroids of two tasks lie, 1: the same but for a shift),\n"
     "`correspondence` and `numbered`: is cluster z the same in all tasks?"},
    {"svm", "transfer", run_svm, 0, 0, 0, "gap",
     TRANSFER_OPTIONS
     " cost=1 kernel=linear gamma tolerance.gap=1e-3 iterations.auto "
     "~restarts ~init",
     "support vector machine trained on the source",
     "One problem for two classes, one against the rest for more.  JSON adds\n"
     "`gap`: the widest KKT gap, and `classes`: the source's labels."},
    {"gfhf", "transfer", run_gfhf, 0, 0, 0, "residual",
     TRANSFER_OPTIONS " neighbors.count=50 width=.125 absolute "
     "mass-normalization iterations=1000 "
     "~tolerance ~restarts ~init",
     "label propagation by harmonic functions",
     "Labels spread from the source over a graph of both data sets, the\n"
     "source's held fixed.  JSON adds `scores` (samples by classes),\n"
     "`residual` of the linear systems, and `classes`: the source's labels."},
    {"llgc", "transfer", run_llgc, 0, 0, 0, "residual",
     TRANSFER_OPTIONS " neighbors.count=50 width=.125 absolute mu=1 "
     "iterations=1000 "
     "~tolerance ~restarts ~init",
     "label propagation with local and global consistency",
     "As gfhf, but the source's labels may bend.  JSON adds the same."},
    {"tsvm", "transfer", run_tsvm, 0, 0, 0, "exchanged",
     TRANSFER_OPTIONS " cost.scaled=1 kernel=linear gamma tolerance.gap=1e-4 "
     "iterations.auto ~restarts ~init",
     "transductive support vector machine (Joachims 1999)",
     "A large margin on source and target together.  `iterations` counts the\n"
     "SVMs solved; JSON adds `exchanged`: pairs of labels that changed sides,\n"
     "and `classes`: the source's labels."},
    {"nb", "transfer", run_nb, 0, 0, 0, NULL,
     TRANSFER_OPTIONS " ~iterations ~tolerance ~restarts ~init",
     "multinomial naive Bayes trained on the source",
     "Values are counts, or weights of 0 and more.  No transfer, and often as\n"
     "good as what has it.  JSON adds `scores` (log joint, samples by\n"
     "classes) and `classes`."},
    {"cocc", "transfer", run_cocc, 0, 0, 0, NULL,
     "init.target " TRANSFER_OPTIONS " lambda.source=.25 words=64 "
     "start-words=kmeans init-words realign iterations=20 ~tolerance "
     "~restarts",
     "co-clustering of documents and words (Dai et al. 2007)",
     "Clusters of words are the bridge.  Values are counts, or weights of 0\n"
     "and more.  Starts from naive Bayes or --init.  The objective, the loss\n"
     "of information in nats, has no names for the classes: they come from\n"
     "the start, or by --realign.  JSON adds `word_clusters` and `classes`.\n"
     "Reconstructed: the words' own start, --realign."},
    {"smbc", "cluster", run_smbc, 2, 0, 0, NULL,
     "k init pool lambda.pull=.5 rule=polish divergence=sqeuclidean metric "
     "smooth=0 iterations=100 tolerance=1e-10 ~restarts ~guard"
     CLUSTER_OPTIONS,
     "mbc only where a task's own loss gains by it (S-MBC)",
     "Of mbc's and of plain clustering, from one start, each task keeps what\n"
     "has the smaller loss.  Reconstructed: the order of its steps.  JSON\n"
     "adds `own_loss` and `boosted`, for each task."},
    {"smkc", "cluster", run_smkc, 2, 0, 0, NULL,
     "k init pool lambda.pull=.5 rule=polish kernel.rbf=rbf sigma.all "
     "iterations=100 tolerance=1e-10 ~restarts ~guard" CLUSTER_OPTIONS,
     "the same in the space of a kernel (S-MKC)",
     "As smbc, with distances under a kernel; takes memory for all pairs of\n"
     "samples of all tasks.  Reconstructed: hard partitions, exact steps.\n"
     "JSON adds the same, and `sigma`."},
    {"cdsc", "transfer", run_cdsc, 0, 0, 0, NULL,
     TRANSFER_OPTIONS " lambda.target=1 form.cdsc=auto vectors=10 trust=3200 "
     "~iterations ~tolerance ~restarts ~init",
     "cross-domain spectral classification (Ling et al. 2008)",
     "Takes memory for all pairs of samples of source and target.\n"
     "Reconstructed: its weights, and the transducer.  JSON adds `scores` and\n"
     "`classes`."},
    {"tritl", "transfer", run_tritl, 0, 1, 0, NULL,
     "init.target " TRANSFER_OPTIONS " identical=20 alike=20 distinct=10 "
     "start.tritl=informed iterations=100 tolerance=0 ~restarts",
     "three kinds of word concepts (TriplexTL, Zhuang et al. 2013)",
     "Factorizes every source and the target, their concepts in part shared.\n"
     "Values must not be negative; rows are scaled to sum 1.  Only with\n"
     "--alike 0 --distinct 0 are labels really carried over; else which class\n"
     "is which comes from the start.  Reconstructed: the start.  JSON adds\n"
     "`classes`."},
    {"latentmap", "transfer", run_latentmap, 0, 0, 0, NULL,
     TRANSFER_OPTIONS " ridge.fill=1 rank.latent=50 neighbors.vote=20 no-fill "
     "~iterations ~tolerance ~restarts ~init",
     "missing features filled in, then neighbors (Xie et al. 2009)",
     "Features that source or target lacks are predicted by ridge regression;\n"
     "then the nearest samples of the sources vote, in the space of singular\n"
     "directions of all.  Takes memory for all pairs of samples.\n"
     "Reconstructed: the regression, the weights of the votes.  JSON adds\n"
     "`scores` (the votes) and `classes`."},
    {"cotransfer", "transfer", run_cotransfer, 0, 0, 0, NULL,
     "bridge view1 view2 known " TRANSFER_OPTIONS
     " alpha=.05 stay=.9 neighbors.walk=10 iterations.walk ~tolerance "
     "~restarts ~init",
     "a random walk over samples and pairs (Ng, Wu, Ye 2012)",
     "Source and target need not share features: pairs of both views are the\n"
     "way across, or one --bridge, of which view 1 has the columns that the\n"
     "source uses, view 2 those of the target.  One solution, no start;\n"
     "samples of --known help, may have classes that the source lacks, and\n"
     "acc counts them too.  Reconstructed: how alike two samples are.  JSON\n"
     "adds `scores` and `classes`."},
    {"htlic", "transfer", run_htlic, 0, 1, 0, NULL,
     "view1.tags view2.images known " TRANSFER_OPTIONS
     " rank.factors=20 lambda.images=.5 ridge.factors=.01 append "
     "iterations=30 ~tolerance ~restarts ~init",
     "tags tie documents to images (HTLIC, Zhu et al. 2011)",
     "Factorizes documents by tags and images by tags together; what that\n"
     "makes of the target's features teaches a linear SVM, from the samples\n"
     "of --known only: acc counts them too.  The source's labels are not\n"
     "used, and it needs none.  With --append seldom worse than the SVM\n"
     "alone.  Reconstructed: scales, ridge, SVM.  JSON adds `classes`: those\n"
     "of --known and of the source."},
    {"samtc", "cluster", run_samtc, 2, 0, 0, NULL,
     "k init pool mu1=.5 mu2=.1 restarts=10 ~iterations ~tolerance ~guard"
     CLUSTER_OPTIONS,
     "shared neighbors within matched clusters (SAMTC 2016)",
     "Starts from the normalized cut of each task, or --init, and is about as\n"
     "good as that start.  Takes memory for all pairs of samples of a task.\n"
     "Reconstructed: how clusters are matched.  JSON has `relatedness`, adds\n"
     "`matched`: the pairs of clusters of two tasks."},
    {"mtctki", "cluster", run_mtctki, 2, 0, 0, NULL,
     "k pool space=tca mu.share=.3 dim=30 trade=.5 restarts=10 ~init "
     "~iterations ~tolerance ~guard" CLUSTER_OPTIONS,
     "neighbors in a subspace where tasks agree (MTCTKI 2017)",
     "Neighbors in that subspace, in other tasks too, say which samples\n"
     "belong together.  Takes memory for all pairs of samples of a task.\n"
     "Reconstructed: the form of the trade, how neighbors count."},
    {"dmtc", "cluster", run_dmtc, 1, 0, 0, NULL,
     "k init pool coupling=feature lambda1=.00390625 lambda2=.00390625 "
     "slack=.9 iterations=20 tolerance=1e-6 ~restarts ~guard"
     CLUSTER_OPTIONS,
     "linear functions that share features or relations (after DMTFC)",
     "Starts from k-means with matched centers, or --init.  Reconstructed: an\n"
     "alternation, not the convex original.  JSON has `relatedness` with\n"
     "--coupling task."},
    {"lssttc", "transfer", run_lssttc, 0, 1, 0, NULL,
     "init.target " TRANSFER_OPTIONS
     " lambda=.25 mode=pca subspace=16 rank=100 offset=.2 iterations=20 "
     "tolerance=0 ~restarts",
     "lssmtc with labeled sources (Gu & Zhou 2009)",
     "The sources' partitions are their classes and stay fixed; the target\n"
     "starts from k-means begun at the sources' class means.  JSON adds\n"
     "`classes`: the source's labels."},
    {"mbc", "cluster", run_mbc, 1, 0, 0, NULL,
     "k init centers pool lambda.pull=.5 divergence=sqeuclidean metric "
     "smooth=0 centroid=exact restarts.seeds=1 seeds=samples iterations=100 "
     "tolerance=1e-10" GUARD_OPTIONS " margin=.025"
     CLUSTER_OPTIONS,
     "centroids transported between tasks (Zhang & Zhang 2010)",
     "Bregman clustering of every task, its centroids drawn towards those\n"
     "of the others along optimal transport plans.  Tasks share features\n"
     "and are related; their numbers of clusters may differ.  lambda 0 is\n"
     "each task alone; the paper uses .5, and .1 to 1 are worth trying.\n"
     "kl and is need positive values: --smooth makes zeros so.  Measured:\n"
     "helps small tasks with different samples; adds little where tasks\n"
     "overlap.  Clusters are numbered by the plans.  JSON has these in\n"
     "`correspondence`, `numbered` (do the numbers hold?), `relatedness`\n"
     "(within / (within + d_M)), and adds `d_M` (earth mover's distance of\n"
     "the clusters), `within` (mean divergence of each task), `gap` (largest\n"
     "duality gap of a plan) and `nmi` (between tasks of equal size: one\n"
     "data set at two resolutions; -1: sizes differ)."},
    {"mtcfir", "cluster", run_mtcfir, 1, 0, 1, NULL,
     "k init pool layers=3 noise=.5 neighbors.share=.3 ridge=1e-5 "
     "variant.fir=full normalize restarts=10 iterations=300 tolerance=1e-6 "
     "~guard"
     CLUSTER_OPTIONS,
     "features and similarities that tasks share (Zhang et al. 2019)",
     "Assumes that the tasks have the same features; their clusters, and how\n"
     "many, may differ.  A denoising autoencoder over all tasks gives shared\n"
     "features, all tasks together tell which samples of one are alike, and\n"
     "those similarities are factored as Y Y'.  The paper's grid: neighbors\n"
     ".1 .3 .5 .7 .9, noise .5 to .9.  Measured: features help on text, not\n"
     "on images (--layers 0).  Starts from k-means (best of --restarts) or\n"
     "from --init.  JSON has an `objective` for each task, `relatedness`\n"
     "(alpha scaled to a unit diagonal), `correspondence` (shares of clusters\n"
     "moved at cost 1 - mean cosine), `numbered` (is cluster z the same in\n"
     "all tasks?), `alpha`, `threshold` and `neighbors`."},
    {"ttl", "transfer", run_ttl, 0, 1, 0, NULL,
     "init.target bridge view1 view2 known " TRANSFER_OPTIONS
     " features=30 common=15 variant.ttl=repaired start.ttl=informed "
     "weights=auto rows=sum factors iterations=100 tolerance=0 "
     "~restarts",
     "through a bridge to a target that shares nothing (Tan et al. 2015)",
     "Values must not be negative; give counts as they are: features are\n"
     "weighted, then rows scaled to sum 1.  A bridge needs features of the\n"
     "source and of the target, which need not share any; a bridge with two\n"
     "views has them in two files.  Factorizes source with bridge, then bridge\n"
     "with target; as published (--variant published) both at once, without\n"
     "weights.  The objective does not carry the labels: trust --start\n"
     "informed only.  The paper's grid: --features 5 to 100, best 20 to 40.\n"
     "The objective, a sum over both legs, may rise while one of them is\n"
     "fitted alone.  Samples of --known keep their labels, help to find those\n"
     "of the others, may have classes that the source lacks, and acc counts\n"
     "them too.  JSON adds `weighted` (by idf), `target_classes` (samples by\n"
     "classes), `bridges` (labels found, features shared) and `classes`: the\n"
     "source's labels, and those of --known."},
    {"ec", "cluster", run_ec, 0, 0, 0, NULL,
     "k init pool runs=10 columns partitions subsets restarts.vote=10 "
     "iterations.run=300 ~tolerance ~guard"
     CLUSTER_OPTIONS,
     "ensemble of k-means runs in random features (Berikov 2019)",
     "Every run sees some of the features, drawn at random; the vote over all\n"
     "runs is the normalized cut of how often two samples were together.\n"
     "Assumes that clusters show in many sets of features.  Sparse data, as\n"
     "text, have all of them in every run; on images plain k-means may be\n"
     "better.  Where single features mislead, fewer --columns help.  Tasks\n"
     "need not have the same features.  --init starts the k-means that ends\n"
     "the vote; the objective is that k-means's.  JSON adds `ensemble` for\n"
     "each task: columns of a run, features, partitions, and stability: how\n"
     "often a sample was together with the others of its cluster."},
    {"trec", "transfer", run_trec, 0, 1, 0, NULL,
     "k.target init.target " TRANSFER_FILES
     " runs=10 columns partitions subsets restarts.vote=10 "
     "iterations.run=300 ~tolerance meta=probability threshold=.5 "
     "gamma.pairs=0.03125 cost=10 pairs=2000 moves qmin=5",
     "ec, and what being together means learned elsewhere (Berikov 2019)",
     "Source and target need not have the same features or classes.  From the\n"
     "labeled source it learns how likely two samples belong together that so\n"
     "many runs put together, then moves samples of the target's ec\n"
     "partition, or of --init, to agree with that.  Assumes that ensembles\n"
     "err alike on both.  With four classes --meta coassociation gained most;\n"
     "with ten, on digits, it and the published rule, --meta both --columns 3,\n"
     "lost to ec, and the default did not.  Much of the gain needs no source:\n"
     "try --meta threshold, also with --threshold .6.  acc is by matching:\n"
     "clusters have no names.  The objective is the\n"
     "distance of eq. 2; iterations are moves.  JSON adds `classes`, `start`,\n"
     "`moves`, `same` (by number of runs together), `source_pairs` and the\n"
     "target's `ensemble`."},
};
const size_t n_methods = sizeof methods / sizeof methods[0];

/* 1: the tasks of this method have features of their own. */
int is_separate(const method *m)
{
    return m->run == run_ec || m->run == run_trec;
}

/* 1: values are counts of words, not weights that can be compared. */
int wants_counts(const method *m, const settings *set)
{
    return m->run == run_nb || m->run == run_cocc || m->run == run_tritl ||
           m->run == run_ttl || is(set->divergence, "kl") ||
           is(set->divergence, "is");
}

static const assumption assumptions[] = {
    {run_kmeans, LIBRARY, "round clusters of like spread; each task by itself"},
    {run_vote, LIBRARY, "the same, and that what most runs say is right"},
    {run_pcakm, LIBRARY, "that the directions of large variance matter"},
    {run_ncut, LIBRARY, "clusters that hang together, of any shape"},
    {run_genie, LIBRARY, "clusters of any shape with gaps between them"},
    {run_snmf, LIBRARY, "clusters that are dense parts of a neighbor graph"},
    {run_ward, LIBRARY, "round clusters, also of clusters; needs no seed"},
    {run_asi, LIBRARY, "clusters that show in a subspace of the task's own"},
    {run_ec, LIBRARY, "many features, of which any few tell something"},
    {run_auto, LIBRARY, "nothing but a number of clusters: start here"},
    {run_lssmtc, LIBRARY, "the same clusters in all tasks, in one subspace"},
    {run_mbc, LIBRARY, "related tasks that are small; k may differ"},
    {run_mtcfir, LIBRARY, "text whose tasks share some of their topics"},
    {run_svm, LIBRARY, "that source and target are alike: nothing is adapted"},
    {run_lssttc, LIBRARY, "classes that lie in a subspace common to all"},
    {run_ttl, LIBRARY, "data in between that has features of both sides"},
    {run_trec, LIBRARY, "other features, but clusters of the same nature"},
    {run_gfhf, COMPARED, "that samples near each other have the same label"},
    {run_llgc, COMPARED, "the same, though given labels may be wrong"},
    {run_tsvm, COMPARED,
     "a gap between classes, and the source's shares of them"},
    {run_nb, COMPARED, "that words are drawn one by one, by the class only"},
    {run_cocc, RECONSTRUCTED, "that words mean the same in source and target"},
    {run_cdsc, RECONSTRUCTED,
     "that few links join two classes, also in the target"},
    {run_tritl, RECONSTRUCTED,
     "concepts that are identical, alike or distinct"},
    {run_latentmap, RECONSTRUCTED,
     "that missing features follow from common ones"},
    {run_cotransfer, RECONSTRUCTED,
     "that labels flow to what is alike, and along pairs"},
    {run_htlic, RECONSTRUCTED,
     "that tags tell classes of images apart; few labels"},
    {run_smbc, RECONSTRUCTED,
     "related tasks, of which some are better left alone"},
    {run_smkc, RECONSTRUCTED,
     "the same, of clusters that a kernel tells apart"},
    {run_samtc, RECONSTRUCTED,
     "that tasks share some clusters; only those help"},
    {run_mtctki, RECONSTRUCTED,
     "a linear subspace in which the tasks' means agree"},
    {run_dmtc, RECONSTRUCTED,
     "the same clusters, of nearly equal size, in all tasks"},
};

/* Every method has one. */
const assumption *assumption_of(const method *m)
{
    size_t i = 0;
    while (m->run != assumptions[i].run)
        i++;
    return &assumptions[i];
}

int is_compared(const method *m)
{
    return assumption_of(m)->origin != LIBRARY;
}

/* The method of that name; ends the program if the command has none. */
const method *find_method(app *a, const char *kind, const char *name)
{
    text known = {NULL, 0, 0};
    words near = {0, 0, NULL};
    a->topic = kind;
    for (size_t i = 0; i < n_methods; i++) {
        const method *m = &methods[i];
        int named = name != NULL && strcmp(m->name, name) == 0;
        if (strcmp(m->kind, kind) == 0) {
            if (named)
                return m;
            put(a, &known, " %s", m->name);
            add_word(a, &near, m->name, strlen(m->name));
        } else if (named)
            fail(a, BAD_USAGE, "%s is a method of `mtc %s`", name, m->kind);
    }
    if (name == NULL)
        fail(a, BAD_USAGE, "%s needs a method; known:%s", kind, known.at);
    const char *meant = nearest_word(&near, name, near.n);
    fail(a, BAD_USAGE, "unknown method %s%s%s%s; known:%s", name,
         meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "",
         known.at);
}
