/* SPDX-License-Identifier: MIT
 *
 * compared.c - methods that the papers compare themselves with: from options
 * to calls of examples/compared/
 */
#include "job.h"

#include "../../compared/compared.h"

/* `scores` [n*classes] among the members of the JSON. */
static void put_scores(job *j, size_t t, const mtc_real *scores)
{
    put(j->a, &j->members, ",\n  \"scores\": ");
    put_matrix(j->a, &j->members, j->data[t].n, j->k[t], scores);
    keep_scores(j, t, scores);
}

/* Both kinds of label propagation; the graph spans all sources and t. */
static void propagate(job *j, size_t t, cmp_propagation kind)
{
    cmp_propagate_options opt = cmp_propagate_defaults();
    cmp_propagate_result res;
    opt.classes = j->k[t];
    opt.kind = kind;
    opt.graph.neighbors = bounded_neighbors(
        (double)j->set->neighbors, j->data[t].n + j->all_sources.n);
    opt.graph.width = (mtc_real)j->set->width;
    opt.iterations = j->set->iterations;
    if (kind == CMP_CONSISTENCY)
        opt.mu = (mtc_real)j->set->mu;
    check_job(j, cmp_propagate(j->ctx, j->source, j->source_labels,
                               j->n_sources, &j->data[t], &opt, &res),
              kind == CMP_CONSISTENCY ? "llgc" : "gfhf");
    keep_result(j, t, res.labels, NULL, res.iterations, res.converged, 0);
    j->out[t].own = (double)res.residual;
    put_scores(j, t, res.scores);
    if (res.unreached > 0)
        warn(j->a, "unreached", NULL, "%s: no label reaches %zu of %zu samples, "
             "which get the most frequent class; more --neighbors or a larger "
             "--width may", j->name[t], res.unreached, res.n);
    mtc_free(j->ctx, &res.block);
}

void run_gfhf(job *j, size_t t)
{
    propagate(j, t, CMP_HARMONIC);
}

void run_llgc(job *j, size_t t)
{
    propagate(j, t, CMP_CONSISTENCY);
}

/* The sources, then the target: what the machine learned from. */
static void keep_tsvm(job *j, size_t t, const cmp_tsvm_result *res,
                      mtc_real gamma)
{
    mtc_data *sets = TAKE(j->a, j->n_sources + 1, mtc_data);
    for (size_t i = 0; i < j->n_sources; i++)
        sets[i] = j->source[i];
    sets[j->n_sources] = j->data[t];
    machine made = {sets, j->n_sources + 1, res->problems, res->coefficients,
                    res->bias, gamma, res->scale};
    keep_machine(j, t, &made);
    pool_release(sets);
}

void run_tsvm(job *j, size_t t)
{
    cmp_tsvm_options opt = cmp_tsvm_defaults();
    cmp_tsvm_result res;
    opt.classes = j->k[t];
    opt.kernel = (mtc_kernel)word_place("kernel", j->set->kernel);
    opt.gamma = (mtc_real)(j->set->gamma > 0 ? j->set->gamma
                                             : 1 / (double)j->d);
    opt.cost = (mtc_real)j->set->cost;
    opt.tolerance = (mtc_real)j->set->tolerance;
    opt.iterations = j->set->iterations;
    check_job(j, cmp_tsvm(j->ctx, j->source, j->source_labels, j->n_sources,
                          &j->data[t], &opt, &res), "tsvm");
    keep_result(j, t, res.labels, NULL, res.solved, res.converged, 0);
    j->out[t].own = (double)res.exchanged;
    keep_tsvm(j, t, &res, opt.kernel == MTC_KERNEL_RBF ? opt.gamma : 0);
    if (opt.kernel == MTC_KERNEL_RBF)
        j->set->gamma = (double)opt.gamma;      /* as used */
    mtc_free(j->ctx, &res.block);
}

/* The model: words [d*classes] the other way round. */
static void keep_words(job *j, size_t t, const cmp_nb_result *res)
{
    size_t c = res->classes, d = res->d;
    mtc_real *W = TAKE(j->a, c * d, mtc_real);
    for (size_t p = 0; p < c * d; p++)
        W[p] = res->words[p % d * c + p / d];
    keep_linear(j, t, c, W, res->prior);
    pool_release(W);
}

void run_nb(job *j, size_t t)
{
    cmp_nb_options opt = cmp_nb_defaults();
    cmp_nb_result res;
    opt.classes = j->k[t];
    check_job(j, cmp_nb(j->ctx, j->source, j->source_labels, j->n_sources,
                        &j->data[t], &opt, &res), "nb");
    keep_result(j, t, res.labels, NULL, 0, 1, 0);
    put_scores(j, t, res.scores);
    keep_words(j, t, &res);
    mtc_free(j->ctx, &res.block);
}

/* --init-words: a cluster for each feature, below `words`. */
static const int *word_start(job *j, size_t d)
{
    size_t n;
    if (j->set->init_words == NULL)
        return NULL;
    int *start = read_labels(j->a, j->set->init_words, 0,
                             (int)j->set->words - 1, &n);
    if (n != d)
        fail(j->a, BAD_DATA, "%s: %zu clusters of words; the data has %zu "
             "features", j->set->init_words, n, d);
    return start;
}

void run_cocc(job *j, size_t t)
{
    const settings *set = j->set;
    cmp_cocc_options opt = cmp_cocc_defaults();
    cmp_cocc_result res;
    opt.classes = j->k[t];
    opt.lambda = (mtc_real)set->lambda;
    opt.words = set->words;
    opt.start = (cmp_word_start)word_place("start-words", set->start_words);
    opt.iterations = set->iterations;
    opt.realign = set->realign;
    opt.start_labels = j->start[t];
    opt.start_words = word_start(j, j->data[t].d);
    check_job(j, cmp_cocc(j->ctx, j->source, j->source_labels, j->n_sources,
                          &j->data[t], &opt, &res), "cocc");
    keep_result(j, t, res.labels, res.objective, res.iterations,
                res.converged, 0);
    put(j->a, &j->members, ",\n  \"word_clusters\": ");
    put_ints(j->a, &j->members, res.d, res.word_clusters);
    mtc_free(j->ctx, &res.block);
}

/* Both kinds of S-MBC: what each task kept, and by what loss. */
static void keep_boosted(job *j, const cmp_smbc_result *res)
{
    app *a = j->a;
    for (size_t i = 0; i < j->n; i++)
        keep_result(j, i, res->labels[i], i == 0 ? res->objective : NULL,
                    res->iterations, res->converged, 0);
    put(a, &j->members, ",\n  \"own_loss\": ");
    put_reals(a, &j->members, j->n, res->own_loss);
    put(a, &j->members, ",\n  \"boosted\": ");
    put_ints(a, &j->members, j->n, res->boosted);
    if (res->sigma > 0)
        put(a, &j->members, ",\n  \"sigma\": %s",
            json_real(a, (double)res->sigma));
}

static cmp_smbc_options smbc_options(const job *j)
{
    const settings *set = j->set;
    cmp_smbc_options opt = cmp_smbc_defaults();
    opt.rule = (cmp_boost_rule)word_place("rule", set->rule);
    opt.mbc.clusters_of = j->k;
    opt.mbc.lambda = (mtc_real)set->lambda;
    opt.mbc.iterations = set->iterations;
    opt.mbc.tolerance = (mtc_real)set->tolerance;
    opt.mbc.start_labels = starts_of(j, 0);
    return opt;
}

void run_smbc(job *j, size_t t)
{
    cmp_smbc_options opt = smbc_options(j);
    cmp_smbc_result res;
    file_metric metric;
    mtc_divergence div = divergence_of(j->a, j->set, j->d, &metric);
    (void)t;
    opt.mbc.divergence = &div;
    opt.mbc.smooth = (mtc_real)j->set->smooth;
    check_job(j, cmp_smbc(j->ctx, j->data, j->n, &opt, &res), "smbc");
    keep_boosted(j, &res);
    for (size_t i = 0; i < j->n; i++)
        keep_centers(j, i, res.d, res.centers[i]);
    keep_divergence(j, &metric);
    mtc_free(j->ctx, &res.block);
}

void run_smkc(job *j, size_t t)
{
    cmp_smkc_options opt = cmp_smkc_defaults();
    cmp_smkc_result res;
    (void)t;
    opt.smbc = smbc_options(j);
    opt.kernel = (mtc_kernel)word_place("kernel", j->set->kernel);
    opt.sigma = (mtc_real)j->set->sigma;
    check_job(j, cmp_smkc(j->ctx, j->data, j->n, &opt, &res), "smkc");
    keep_boosted(j, &res);
    mtc_free(j->ctx, &res.block);
}

/* An eigenvalue of 1 or more is of no similarity: the zeros of the graph's
 * diagonal are left, in which target and source are opposed. */
static void doubt_vectors(const job *j, size_t t, const cmp_cdsc_result *res)
{
    size_t good = 0;
    while (good < res->vectors && res->eigenvalues[good] < 1)
        good++;
    if (res->form == CMP_CDSC_TRANSDUCER && good < res->vectors)
        warn(j->a, "vectors", NULL, "%s: only %zu of %zu eigenvectors say what "
             "is alike, and with the others classes may be turned around; try "
             "--preprocess zscore, or another method", j->name[t], good,
             res->vectors);
}

void run_cdsc(job *j, size_t t)
{
    cmp_cdsc_options opt = cmp_cdsc_defaults();
    cmp_cdsc_result res;
    opt.classes = j->k[t];
    opt.form = (cmp_cdsc_form)word_place("form.cdsc", j->set->form_cdsc);
    if (opt.form == CMP_CDSC_BINARY && opt.classes != 2)
        fail(j->a, BAD_USAGE, "--form binary: the sources have %zu classes, "
             "it takes 2", opt.classes);
    opt.lambda = (mtc_real)j->set->lambda;
    opt.vectors = j->set->vectors;
    opt.trust = (mtc_real)j->set->trust;
    check_job(j, cmp_cdsc(j->ctx, j->source, j->source_labels, j->n_sources,
                          &j->data[t], &opt, &res), "cdsc");
    doubt_vectors(j, t, &res);
    keep_result(j, t, res.labels, NULL, 0, res.converged, 0);
    put_scores(j, t, res.scores);
    mtc_free(j->ctx, &res.block);
}

void run_tritl(job *j, size_t t)
{
    const settings *set = j->set;
    cmp_tritl_options opt = cmp_tritl_defaults();
    cmp_tritl_result res;
    if (set->identical + set->alike + set->distinct == 0)
        fail(j->a, BAD_USAGE, "tritl needs one of --identical, --alike, --distinct "
             "above 0");
    opt.classes = j->k[t];
    opt.identical = set->identical;
    opt.alike = set->alike;
    opt.distinct = set->distinct;
    opt.start = (cmp_tritl_start)word_place("start.ttl", set->start_ttl);
    opt.iterations = set->iterations;
    opt.tolerance = (mtc_real)set->tolerance;
    opt.start_labels = j->start[t];
    check_job(j, cmp_tritl(j->ctx, j->source, j->source_labels, j->n_sources,
                           &j->data[t], &opt, &res), "tritl");
    keep_result(j, t, res.labels, res.objective, res.iterations,
                res.converged, 0);
    mtc_free(j->ctx, &res.block);
}

void run_latentmap(job *j, size_t t)
{
    cmp_latentmap_options opt = cmp_latentmap_defaults();
    cmp_latentmap_result res;
    opt.classes = j->k[t];
    opt.ridge = (mtc_real)j->set->ridge;
    opt.rank = j->set->rank;
    opt.neighbors = j->set->neighbors;
    opt.fill = !j->set->no_fill;
    check_job(j, cmp_latentmap(j->ctx, j->source, j->source_labels,
                               j->n_sources, &j->data[t], &opt, &res),
              "latentmap");
    keep_result(j, t, res.labels, NULL, 0, 1, 0);
    put_scores(j, t, res.scores);
    mtc_free(j->ctx, &res.block);
}

/* As check_job, of calls whose places count sources, target, both views. */
static void check_pairs(const job *j, mtc_status s, const char *name)
{
    const settings *set = j->set;
    const char *place[3] = {set->target, set->view1, set->view2};
    size_t t = j->ctx->error.task;
    if (set->bridge.n > 0)
        place[1] = set->bridge.at[0];
    if (t != MTC_NONE)
        name = t < j->n_sources ? set->source.at[t]
                                : place[(t - j->n_sources) % 3];
    check(j->a, j->ctx, s, name);
}

void run_cotransfer(job *j, size_t t)
{
    cmp_cotransfer_options opt = cmp_cotransfer_defaults();
    cmp_cotransfer_result res;
    opt.classes = j->k[t];
    opt.alpha = (mtc_real)j->set->alpha;
    opt.stay = (mtc_real)j->set->stay;
    opt.neighbors = j->set->neighbors;
    opt.iterations = j->set->iterations;
    check_pairs(j, cmp_cotransfer(j->ctx, j->source, j->source_labels,
                                  j->n_sources, j->bridge, j->view, &j->data[t],
                                  j->known, &opt, &res), "cotransfer");
    keep_result(j, t, res.labels, NULL, res.iterations, res.converged, 0);
    put_scores(j, t, res.scores);
    mtc_free(j->ctx, &res.block);
}

void run_htlic(job *j, size_t t)
{
    cmp_htlic_options opt = cmp_htlic_defaults();
    cmp_htlic_result res;
    opt.classes = j->k[t];
    opt.rank = j->set->rank;
    opt.lambda = (mtc_real)j->set->lambda;
    opt.ridge = (mtc_real)j->set->ridge;
    opt.iterations = j->set->iterations;
    check_pairs(j, cmp_htlic(j->ctx, j->source, j->n_sources, j->bridge,
                             j->view, &j->data[t], j->known, &opt, &res),
                "htlic");
    keep_result(j, t, res.labels, res.objective, res.iterations, 0, 0);
    mtc_free(j->ctx, &res.block);
}

/* `matched`: the pairs of clusters of every two tasks. */
static void put_matched(job *j, const cmp_samtc_result *res)
{
    app *a = j->a;
    text *to = &j->members;
    const char *comma = "";
    put(a, to, ",\n  \"matched\": [");
    for (size_t from = 0; from < j->n; from++)
        for (size_t to_task = 0; to_task < j->n; to_task++) {
            const int *pair = res->matched[from * j->n + to_task];
            const char *inner = "";
            if (from == to_task)
                continue;
            put(a, to, "%s\n    {\"from\": %zu, \"to\": %zu, \"pairs\": [",
                comma, from, to_task);
            for (size_t z = 0; z < res->clusters[from]; z++)
                if (pair[z] >= 0) {
                    put(a, to, "%s[%zu, %d]", inner, z, pair[z]);
                    inner = ", ";
                }
            put(a, to, "]}");
            comma = ",";
        }
    put(a, to, "]");
}

void run_samtc(job *j, size_t t)
{
    cmp_samtc_options opt = cmp_samtc_defaults();
    cmp_samtc_result res;
    opt.clusters_of = j->k;
    opt.mu1 = (mtc_real)j->set->mu1;
    opt.mu2 = (mtc_real)j->set->mu2;
    opt.restarts = j->set->restarts;
    opt.start_labels = starts_of(j, t);
    check_job(j, cmp_samtc(j->ctx, j->data, j->n, &opt, &res), "samtc");
    for (size_t i = 0; i < j->n; i++)
        keep_result(j, i, res.labels[i], NULL, 0, 1, res.k_effective[i]);
    j->relatedness = COPY(j->a, res.relatedness, j->n * j->n, mtc_real);
    put_matched(j, &res);
    mtc_free(j->ctx, &res.block);
}

void run_mtctki(job *j, size_t t)
{
    cmp_mtctki_options opt = cmp_mtctki_defaults();
    cmp_mtctki_result res;
    (void)t;
    opt.clusters_of = j->k;
    opt.space = (cmp_mtctki_space)word_place("space", j->set->space);
    opt.mu = (mtc_real)j->set->mu;
    opt.dim = j->set->dim;
    opt.trade = (mtc_real)j->set->trade;
    if (opt.space == CMP_MTCTKI_RATIO && j->set->trade > 1)
        fail(j->a, BAD_USAGE, "--trade %g: --space ratio takes 1 at most",
             j->set->trade);
    opt.restarts = j->set->restarts;
    check_job(j, cmp_mtctki(j->ctx, j->data, j->n, &opt, &res), "mtctki");
    for (size_t i = 0; i < j->n; i++)
        keep_result(j, i, res.labels[i], NULL, 0, 1, res.k_effective[i]);
    mtc_free(j->ctx, &res.block);
}

void run_dmtc(job *j, size_t t)
{
    cmp_dmtc_options opt = cmp_dmtc_defaults();
    cmp_dmtc_result res;
    opt.clusters = j->k[t];
    opt.coupling = (cmp_coupling)word_place("coupling", j->set->coupling);
    opt.lambda1 = (mtc_real)j->set->lambda1;
    opt.lambda2 = (mtc_real)j->set->lambda2;
    if (!(opt.lambda1 + opt.lambda2 > 0))
        fail(j->a, BAD_USAGE, "dmtc needs --lambda1 or --lambda2 above 0");
    opt.slack = (mtc_real)j->set->slack;
    opt.iterations = j->set->iterations;
    opt.tolerance = (mtc_real)j->set->tolerance;
    opt.start_labels = starts_of(j, t);
    check_job(j, cmp_dmtc(j->ctx, j->data, j->n, &opt, &res), "dmtc");
    for (size_t i = 0; i < j->n; i++)
        keep_result(j, i, res.labels[i], i == 0 ? res.objective : NULL,
                    res.iterations, res.converged, 0);
    if (res.relatedness != NULL)
        j->relatedness = COPY(j->a, res.relatedness, j->n * j->n, mtc_real);
    mtc_free(j->ctx, &res.block);
}
