/* SPDX-License-Identifier: MIT
 *
 * mtcfir_experiment.c - the experiments of Zhang, Zhang & Liu, Chinese
 * Journal of Computers 2019, again.
 *
 *     build/mtcfir_experiment [--markdown] [DATA [PART...]]
 *
 * The parts: generated, webkb4, handdigits, ng4, reuters, grid, times.  The
 * first needs no data.  DATA has
 * webkb4/{cornell,texas,washington,wisconsin}.svm, ng4/task{1,2,3,4}.svm and,
 * if you have it, reuters/task{1,2,3}.svm, tf-idf with rows of length 1, and
 * handdigits/{mnist-crop,usps}.svm.  Of a task that has more samples than 400
 * (text) or 800 (digits), so many are taken, evenly spread.
 *
 * A part prints accuracy and NMI of each task, mean +- standard deviation over
 * 10 seeds, of the method and of the systems compared with, beside the
 * paper's; how much of S-MBC, read literally, is MBC, and what SAMTC makes of
 * its own first clusters; the relatedness of the tasks; and how far apart the
 * tasks are.  grid prints the means over the tasks by the number of layers, by
 * the share of neighbors and by the noise, of 100 samples a task; times prints
 * seconds, which are different in every run.
 *
 * The paper's figures are of its own preparation of the data and of the best
 * cell of its grid, chosen with the labels; ours are of the defaults.
 *
 * Features and similarities have no chance in them: they are made once, and
 * the seeds go to the k-means that starts the factorization.
 */
#include "table.h"
#include "../compared/compared.h"

enum { SEEDS = 10, MOST_TASKS = 4 };

typedef struct problem {
    const char *title, *folder, *file[MOST_TASKS];
    size_t tasks, samples;
    const double (*paper)[2 * MOST_TASKS];
    const double *alpha;            /* [tasks*tasks] */
    const double (*compared)[2 * MOST_TASKS];
    double distance[2];             /* table 12 */
} problem;

/* Rows of the tables: votes of k-means on X and on Z are not of the method. */
enum { KM, SNMF, KM_Z, NF, NI, NR, FULL, NORMAL, GAUSSIAN, ROWS };
static const char *const row_name[ROWS] = {
    "vote of k-means", "SNMF of cosines", "vote on Z", "nF", "nI", "nR",
    "MTCFIR", "normalized (ours)", "Gaussian similarities"};

/* k-means and SNMF of the paper are single runs on each task. */
static const double webkb4_paper[ROWS][2 * MOST_TASKS] = {
    {.6400, .1849, .5800, .1211, .5157, .0674, .5827, .2004},
    {.7289, .3711, .6504, .3055, .7118, .3925, .7542, .4665}, {0},
    {.7107, .3682, .7236, .4109, .6573, .3869, .7742, .4277},
    {.7653, .4891, .7324, .3880, .7294, .4501, .8016, .5599},
    {.7809, .4966, .7836, .4901, .7451, .4656, .8296, .6021},
    {.7991, .5039, .7908, .5120, .7451, .4683, .8660, .6276}, {0}, {0}};
static const double digits_paper[ROWS][2 * MOST_TASKS] = {
    {.5180, .4943, .6865, .6346}, {.5114, .4924, .6869, .6344}, {0},
    {.6022, .6321, .6724, .6377}, {.5138, .4925, .6692, .6153},
    {.5925, .6294, .6270, .5723}, {.6518, .6451, .7016, .6525}, {0}, {0}};
static const double ng4_paper[ROWS][2 * MOST_TASKS] = {
    {.3390, .0290, .2726, .0700, .3393, .0289, .2815, .0223},
    {.8099, .4878, .6184, .4104, .5958, .3002, .8364, .6154}, {0},
    {.7307, .3317, .6457, .3875, .6093, .3504, .6629, .3859},
    {.8647, .5988, .7380, .5689, .9514, .8007, .8016, .6508},
    {.8589, .5654, .6923, .5392, .9511, .8005, .7783, .6259},
    {.8831, .6231, .7997, .6043, .9551, .8125, .8685, .6701}, {0}, {0}};
static const double reuters_paper[ROWS][2 * MOST_TASKS] = {
    {.7170, .4342, .6577, .4545, .4674, .2063},
    {.9757, .8949, .9069, .7472, .9179, .7382}, {0},
    {.9806, .9209, .8923, .7426, .9368, .7608},
    {.9573, .8415, .9138, .7625, .9105, .6806},
    {.9660, .8654, .7438, .5607, .8632, .7640},
    {.9854, .9463, .9538, .8346, .9421, .7640}, {0}, {0}};

/* The systems compared with.  DMTC stands beside DMTFC and DMTRC. */
enum { SMBC, SMBC_LITERAL, SMKC, SAMTC, MTCTKI, MTCTKI_RATIO, LSSMTC,
       DMTC_FEATURE, DMTC_TASK, COMPARED };
static const char *const compared_name[COMPARED] = {
    "S-MBC", "S-MBC literal", "S-MKC", "SAMTC", "MTCTKI", "MTCTKI ratio",
    "LSSMTC", "DMTC features (DMTFC)", "DMTC tasks (DMTRC)"};

static const double webkb4_compared[COMPARED][2 * MOST_TASKS] = {
    {.5791, .2495, .6384, .2697, .5780, .2672, .7085, .3938}, {0},
    {.4698, .1981, .4508, .2282, .4925, .2372, .5294, .3138},
    {.7116, .3833, .6748, .3541, .6380, .3578, .7229, .4611},
    {.6844, .3822, .7056, .3733, .7059, .3680, .7745, .5452}, {0},
    {.6338, .2816, .6436, .2330, .6102, .2774, .6588, .3778},
    {.7511, .3831, .6880, .3680, .6235, .3000, .7124, .4938},
    {.4089, .1356, .4560, .1696, .6001, .4655, .5588, .3691}};
static const double digits_compared[COMPARED][2 * MOST_TASKS] = {
    {.3910, .3192, .4785, .4055}, {0}, {.4000, .3160, .1174, .0033},
    {.6483, .6253, .7012, .6508}, {.6290, .6142, .6923, .6433}, {0},
    {.3909, .3175, .5155, .4459}, {.2334, .1623, .4074, .3298},
    {.1672, .0325, .3448, .2090}};
static const double ng4_compared[COMPARED][2 * MOST_TASKS] = {
    {.4406, .1461, .4664, .2251, .4393, .1945, .7088, .4061}, {0},
    {.7426, .3853, .6345, .4170, .6283, .3063, .6447, .3719},
    {.7532, .4299, .6465, .4237, .8325, .5464, .7322, .5124},
    {.8411, .5455, .7464, .5299, .8754, .6124, .8385, .6417}, {0}, {0}, {0},
    {0}};
static const double reuters_compared[COMPARED][2 * MOST_TASKS] = {
    {.9354, .8179, .8662, .7266, .7316, .5643}, {0},
    {.9631, .8587, .9077, .7585, .7658, .5453},
    {.9819, .9317, .7408, .6262, .9011, .7600},
    {.9806, .9119, .6923, .6293, .9368, .7608}, {0},
    {.9068, .7524, .9046, .7632, .6863, .4723},
    {.9272, .8129, .8846, .6621, .7947, .4551},
    {.8738, .6751, .8154, .6408, .6158, .5049}};

static const double webkb4_alpha[16] = {
    1, .39, .30, .37, .29, 1, .13, .19, .53, .37, 1, .40, .55, .42, .34, 1};
static const double digits_alpha[4] = {1, .21, .96, 1};
static const double ng4_alpha[16] = {
    1, .53, .36, .35, .81, 1, .58, .50, .56, .57, 1, .60, .57, .53, .65, 1};
static const double reuters_alpha[9] = {1, .43, .18, .24, 1, .29, .15, .44, 1};

static const problem problems[] = {
    {"WebKB4", "webkb4", {"cornell", "texas", "washington", "wisconsin"}, 4,
     400, webkb4_paper, webkb4_alpha, webkb4_compared, {.2445, .0576}},
    {"Handdigits", "handdigits", {"mnist-crop", "usps", NULL, NULL}, 2, 800,
     digits_paper, digits_alpha, digits_compared, {.5347, .0660}},
    {"20 Newsgroups", "ng4", {"task1", "task2", "task3", "task4"}, 4, 400,
     ng4_paper, ng4_alpha, ng4_compared, {.0368, .0092}},
    {"Reuters", "reuters", {"task1", "task2", "task3", NULL}, 3, 400,
     reuters_paper, reuters_alpha, reuters_compared, {.1443, .0374}}};
enum { PROBLEMS = sizeof problems / sizeof *problems };

/* ---- data ---------------------------------------------------------------- */

/* At most `most` of a set's rows, evenly spread, in place. */
static void thin(ex_set *set, size_t most)
{
    size_t n = set->X.n, at = 0;
    size_t *row = (size_t *)set->X.row;
    uint32_t *column = (uint32_t *)set->X.column;
    mtc_real *values = (mtc_real *)set->X.values;
    if (most == 0 || n <= most)
        return;
    for (size_t i = 0; i < most; i++) {
        size_t from = i * n / most, begin = row[from], end = row[from + 1];
        memmove(column + at, column + begin, (end - begin) * sizeof *column);
        memmove(values + at, values + begin, (end - begin) * sizeof *values);
        set->labels[i] = set->labels[from];
        row[i] = at;
        at += end - begin;
    }
    row[most] = at;
    set->X.n = most;
    set->classes = ex_rank(most, set->labels);
}

/* Text of three topics with 40 words each: a document has a few of its own
 * topic's and a few of all; the second task uses other words more. */
static ex_set documents(int task)
{
    enum { N = 150, D = 150 };
    mtc_random rng = mtc_random_seed((uint64_t)task + 1);
    ex_set set = {{0, 0, NULL, 0, NULL, NULL}, NULL, 3};
    size_t *row = ex_grow(NULL, N + 1, sizeof *row), at = 0;
    uint32_t *column = ex_grow(NULL, N * D, sizeof *column);
    mtc_real *values = ex_grow(NULL, N * D, sizeof *values);
    set.labels = ex_grow(NULL, N, sizeof *set.labels);
    for (size_t i = 0; i < N; i++) {
        set.labels[i] = (int)(i % 3);
        row[i] = at;
        for (size_t word = 0; word < D; word++) {
            int own = word / 40 == i % 3, half = (int)(word / 20 % 2) == task;
            double chance = own ? half ? .12 : .05 : .03;
            if ((double)mtc_random_real(&rng) < chance) {
                column[at] = (uint32_t)word;
                values[at++] = 1;
            }
        }
    }
    row[N] = at;
    set.X = mtc_csr(N, D, row, column, values);
    return set;
}

/* ---- features, similarities ---------------------------------------------- */

/* Z of a task [n*D]: its features, then those of each layer. */
static void write_Z(const mtc_data *X, const mtc_msda_result *f, size_t first,
                    mtc_real *Z)
{
    size_t d = X->d, D = d * (f->layers + 1);
    for (size_t i = 0; i < X->n; i++, Z += D) {
        memset(Z, 0, d * sizeof *Z);
        mtc_data_axpy(X, i, 1, Z);
        for (size_t b = 0; b < f->layers; b++)
            memcpy(Z + (b + 1) * d, f->h + (b * f->n + first + i) * d,
                   d * sizeof *Z);
    }
}

/* rows [tasks]: isometric to Z of all tasks together.  Distances and cosines
 * are all that is looked at, and there are no more columns than samples.
 * rows[0].values is to be freed. */
static void feature_rows(const mtc_data *X, size_t tasks,
                         const mtc_msda_result *f, mtc_data *rows)
{
    size_t D = X[0].d * (f->layers + 1), first = 0;
    mtc_real *Z = ex_grow(NULL, f->n * D, sizeof *Z);
    mtc_pca_options opt = mtc_pca_defaults();
    mtc_pca_result pca;
    opt.mean = MTC_MEAN_NONE;
    opt.keep = 1;
    for (size_t t = 0; t < tasks; first += X[t++].n) {
        write_Z(&X[t], f, first, Z + first * D);
        rows[t] = mtc_dense(X[t].n, D, Z + first * D);
    }
    ex_try(mtc_pca(NULL, rows, tasks, &opt, &pca), "principal components");
    size_t r = pca.dimension;
    mtc_real *scores = ex_grow(NULL, f->n * r, sizeof *scores);
    memcpy(scores, pca.scores, f->n * r * sizeof *scores);
    first = 0;
    for (size_t t = 0; t < tasks; first += X[t++].n)
        rows[t] = mtc_dense(X[t].n, r, scores + first * r);
    mtc_free(NULL, &pca.block);
    free(Z);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* K [n*n] of squared distances: exp(-x / (2 median)). */
static void gaussian(size_t n, mtc_real *K)
{
    size_t pairs = 0;
    double *sorted = ex_grow(NULL, n * n, sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            sorted[pairs++] = (double)K[i * n + j];
    qsort(sorted, pairs, sizeof *sorted, ascending);
    double median = sorted[pairs / 2];
    for (size_t e = 0; e < n * n; e++)
        K[e] = (mtc_real)exp(-(double)K[e] / (2 * median));
    free(sorted);
}

/* Rows whose cosines are the Gaussian similarities of `rows`: K = U S U', of
 * which U S^(1/2) is kept.  kernel[0].values is to be freed. */
static void gaussian_rows(const mtc_data *rows, size_t tasks, size_t n,
                          mtc_data *kernel)
{
    const mtc_real *x = rows[0].values;
    size_t r = rows[0].d, first = 0;
    mtc_real *K = ex_grow(NULL, n * n, sizeof *K);
    mtc_pca_options opt = mtc_pca_defaults();
    mtc_pca_result pca;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            mtc_real sum = 0;
            for (size_t c = 0; c < r; c++) {
                mtc_real by = x[i * r + c] - x[j * r + c];
                sum += by * by;
            }
            K[i * n + j] = K[j * n + i] = sum;
        }
    gaussian(n, K);
    mtc_data view = mtc_dense(n, n, K);
    opt.mean = MTC_MEAN_NONE;
    opt.keep = 1;
    ex_try(mtc_pca(NULL, &view, 1, &opt, &pca), "eigenvectors");
    size_t m = pca.dimension;
    mtc_real *U = ex_grow(NULL, n * m, sizeof *U);
    for (size_t c = 0; c < m; c++) {
        double root = sqrt(sqrt((double)pca.variance[c]));
        for (size_t i = 0; i < n; i++)
            U[i * m + c] = (mtc_real)((double)pca.scores[i * m + c] / root);
    }
    for (size_t t = 0; t < tasks; first += rows[t++].n)
        kernel[t] = mtc_dense(rows[t].n, m, U + first * m);
    mtc_free(NULL, &pca.block);
    free(K);
}

/* Distance between the means of two tasks whose rows have length 1 (MMD with a
 * linear kernel), mean over all pairs of tasks; columns from..to-1 of Z. */
static double mean_discrepancy(const mtc_data *X, size_t tasks,
                               const mtc_msda_result *f, size_t from,
                               size_t to)
{
    size_t D = X[0].d * (f->layers + 1), first = 0, pairs = 0;
    double *mean = ex_grow(NULL, tasks * D, sizeof *mean), sum = 0;
    mtc_real *Z = ex_grow(NULL, f->n * D, sizeof *Z);
    memset(mean, 0, tasks * D * sizeof *mean);
    for (size_t t = 0; t < tasks; first += X[t++].n) {
        write_Z(&X[t], f, first, Z);
        for (size_t i = 0; i < X[t].n; i++) {
            double length = 0;
            for (size_t c = from; c < to; c++)
                length += (double)(Z[i * D + c] * Z[i * D + c]);
            for (size_t c = from; c < to && length > 0; c++)
                mean[t * D + c] += (double)Z[i * D + c] / sqrt(length) /
                                   (double)X[t].n;
        }
    }
    for (size_t t = 0; t < tasks; t++)
        for (size_t u = t + 1; u < tasks; u++, pairs++) {
            double apart = 0;
            for (size_t c = from; c < to; c++) {
                double by = mean[t * D + c] - mean[u * D + c];
                apart += by * by;
            }
            sum += sqrt(apart);
        }
    free(mean);
    free(Z);
    return sum / (double)pairs;
}

/* ---- one table ----------------------------------------------------------- */

/* Labels by a vote of k-means on the rows; then, unless M is NULL, by
 * factoring M. */
static void label(const mtc_data *rows, const mtc_data *M, size_t k,
                  uint64_t seed, int *labels)
{
    mtc_context ctx = mtc_context_defaults();
    ctx.seed = seed;
    ex_vote(rows, k, seed, labels);
    if (M != NULL) {
        mtc_snmf_options so = mtc_snmf_defaults();
        mtc_snmf_result res;
        so.clusters = k;
        so.start_labels = labels;
        ex_try(mtc_snmf(&ctx, M, &so, &res), "symmetric NMF");
        memcpy(labels, res.labels, rows->n * sizeof *labels);
        mtc_free(&ctx, &res.block);
    }
}

/* k of each task. */
static void class_counts(const ex_set *set, size_t tasks, size_t *k)
{
    for (size_t t = 0; t < tasks; t++)
        k[t] = set[t].classes;
}

/* The method but for its chance: M of each task, features, relatedness. */
static void fit(const mtc_data *X, const ex_set *set, size_t tasks, int row,
                mtc_mtcfir_result *res)
{
    static const mtc_mtcfir_variant variant[FULL + 1] = {
        MTC_MTCFIR_NF, MTC_MTCFIR_NI, MTC_MTCFIR_FULL, MTC_MTCFIR_NF,
        MTC_MTCFIR_NI, MTC_MTCFIR_NR, MTC_MTCFIR_FULL};
    mtc_mtcfir_options opt = mtc_mtcfir_defaults();
    size_t k[MOST_TASKS];
    const int *start[MOST_TASKS];
    class_counts(set, tasks, k);
    for (size_t t = 0; t < tasks; t++)
        start[t] = set[t].labels;   /* of no consequence: no iteration */
    opt.clusters_of = k;
    opt.start_labels = start;
    opt.iterations = 0;
    opt.variant = variant[row];
    opt.layers = row == SNMF ? 0 : opt.layers;
    ex_try(mtc_mtcfir(NULL, X, tasks, &opt, res), "MTCFIR");
}

/* A row, and the paper's below it if it has one. */
static void add_row(ex_tasks *out, const char *name, const ex_stat *stat,
                    const double *paper)
{
    ex_task_row(out, name, stat);
    if (paper != NULL && paper[0] > 0)
        ex_task_paper(out, "paper", paper);
}

/* A row of the table: `rows` of the features that it starts from. */
typedef struct start_rows {
    const ex_set *set;
    const mtc_data *rows, *M;       /* M NULL: k-means alone */
} start_rows;

/* Accuracy and NMI of a task with a seed. */
static void label_task(const start_rows *r, size_t t, uint64_t seed,
                       double *score)
{
    int *labels = ex_grow(NULL, r->rows[t].n, sizeof *labels);
    mtc_scores s;
    label(&r->rows[t], r->M == NULL ? NULL : &r->M[t], r->set[t].classes,
          seed, labels);
    ex_try(mtc_score(NULL, r->rows[t].n, r->set[t].labels, labels, &s),
           "score");
    score[0] = (double)s.accuracy;
    score[1] = (double)s.nmi;
    free(labels);
}

static void one_label(const void *of, size_t i, double *score)
{
    label_task((const start_rows *)of, i / SEEDS, i % SEEDS + 1, score);
}

static void method_row(ex_tasks *out, const problem *p, const ex_set *set,
                       int row, const mtc_data *rows, const mtc_data *M)
{
    ex_stat stat[2 * MOST_TASKS] = {{0, 0, 0}};
    start_rows of = {set, rows, M};
    double *score = ex_runs(p->tasks * SEEDS, 2, one_label, &of);
    for (size_t t = 0; t < p->tasks; t++)
        for (size_t seed = 0; seed < SEEDS; seed++)
            for (size_t m = 0; m < 2; m++)
                ex_add(&stat[2 * t + m], score[2 * (t * SEEDS + seed) + m]);
    free(score);
    add_row(out, row_name[row], stat, p->paper != NULL ? p->paper[row] : NULL);
}

/* Share of the samples of t that are of a class of s. */
static double common_share(const ex_set *t, const ex_set *s)
{
    double common = 0;
    for (size_t i = 0; i < t->X.n; i++)
        common += (size_t)t->labels[i] < s->classes;
    return common / (double)t->X.n;
}

/* Tables 6 to 11: relatedness by (20), the paper's, and as it would be by the
 * classes, which every data set here counts in one order. */
static void relatedness_table(const problem *p, const ex_set *set,
                              const mtc_mtcfir_result *res)
{
    size_t T = p->tasks;
    ex_table out = {T + 1, 0, NULL};
    ex_cell(&out, "%s, relatedness (paper), ideal", p->title);
    for (size_t t = 0; t < T; t++)
        ex_cell(&out, "of task %zu", t + 1);
    for (size_t t = 0; t < T; t++) {
        ex_cell(&out, "for task %zu", t + 1);
        for (size_t s = 0; s < T; s++) {
            double ideal = common_share(&set[t], &set[s]) *
                           common_share(&set[s], &set[t]);
            double ours = (double)res->relatedness[t * T + s];
            if (p->alpha != NULL)
                ex_cell(&out, "%.2f (%.2f), %.2f", ours, p->alpha[t * T + s],
                        ideal);
            else
                ex_cell(&out, "%.2f, %.2f", ours, ideal);
        }
    }
    ex_print(&out);
}

/* Table 12. */
static void distance_table(const problem *p, const mtc_data *X,
                           const mtc_msda_result *f)
{
    size_t d = X[0].d, D = d * (f->layers + 1);
    ex_table out = ex_head("distance of the tasks|features|shared features|"
                           "both, Z");
    ex_cell(&out, "%s", p->title);
    ex_cell(&out, "%.4f", mean_discrepancy(X, p->tasks, f, 0, d));
    ex_cell(&out, "%.4f", mean_discrepancy(X, p->tasks, f, d, D));
    ex_cell(&out, "%.4f", mean_discrepancy(X, p->tasks, f, 0, D));
    if (p->distance[0] > 0) {
        ex_cell(&out, "paper");
        ex_cell(&out, "%.4f", p->distance[0]);
        ex_cell(&out, "%.4f", p->distance[1]);
    }
    ex_print(&out);
}

/* n/k D^-1/2 M D^-1/2 for CSR M, where D has the sums of its rows: those of Y Y'
 * are about n/k if Y is an indicator.  Its values are to be freed. */
static mtc_data by_degree(const mtc_data *M, size_t k)
{
    mtc_data out = *M;
    mtc_real *value = ex_grow(NULL, M->row[M->n], sizeof *value);
    mtc_real *w = ex_grow(NULL, M->n, sizeof *w);
    mtc_real share = (mtc_real)M->n / (mtc_real)k;
    for (size_t i = 0; i < M->n; i++) {
        mtc_real sum = 0;
        for (size_t e = M->row[i]; e < M->row[i + 1]; e++)
            sum += M->values[e];
        w[i] = sum > 0 ? 1 / (mtc_real)sqrt((double)sum) : 0;
    }
    for (size_t i = 0; i < M->n; i++)
        for (size_t e = M->row[i]; e < M->row[i + 1]; e++)
            value[e] = M->values[e] * (share * (w[i] * w[M->column[e]]));
    out.values = value;
    free(w);
    return out;
}

/* MTCFIR with similarities scaled by degree. */
static void normal_row(ex_tasks *out, const problem *p, const ex_set *set,
                       const mtc_data *rows, const mtc_data *M)
{
    mtc_data scaled[MOST_TASKS];
    for (size_t t = 0; t < p->tasks; t++)
        scaled[t] = by_degree(&M[t], set[t].classes);
    method_row(out, p, set, NORMAL, rows, scaled);
    for (size_t t = 0; t < p->tasks; t++)
        free((void *)scaled[t].values);
}

/* MTCFIR with Gaussian similarities in place of cosines. */
static void gaussian_row(ex_tasks *out, const problem *p, const ex_set *set,
                         const mtc_data *rows, size_t n)
{
    mtc_data kernel[MOST_TASKS];
    mtc_consistent_options opt = mtc_consistent_defaults();
    mtc_consistent_result res;
    size_t k[MOST_TASKS];
    class_counts(set, p->tasks, k);
    opt.clusters_of = k;
    gaussian_rows(rows, p->tasks, n, kernel);
    ex_try(mtc_consistent(NULL, kernel, p->tasks, &opt, &res), "similarities");
    method_row(out, p, set, GAUSSIAN, rows, res.M);
    mtc_free(NULL, &res.block);
    free((void *)kernel[0].values);
}

/* The rows of the method and of its parts, then what it knows of the tasks. */
static void method_rows(ex_tasks *out, const problem *p, const ex_set *set,
                        const mtc_data *X, mtc_mtcfir_result *full)
{
    mtc_data rows[2][MOST_TASKS];   /* of X, of Z */
    mtc_mtcfir_result res;
    fit(X, set, p->tasks, SNMF, &res);
    feature_rows(X, p->tasks, res.features, rows[0]);
    method_row(out, p, set, KM, rows[0], NULL);
    method_row(out, p, set, SNMF, rows[0], res.M);
    mtc_free(NULL, &res.block);
    fit(X, set, p->tasks, FULL, full);
    feature_rows(X, p->tasks, full->features, rows[1]);
    method_row(out, p, set, KM_Z, rows[1], NULL);
    for (int row = NF; row < FULL; row++) {
        const mtc_data *start = rows[row != NF];
        fit(X, set, p->tasks, row, &res);
        method_row(out, p, set, row, start, res.M);
        mtc_free(NULL, &res.block);
    }
    method_row(out, p, set, FULL, rows[1], full->M);
    normal_row(out, p, set, rows[1], full->M);
    gaussian_row(out, p, set, rows[1], full->n);
    free((void *)rows[0][0].values);
    free((void *)rows[1][0].values);
}

/* ---- the systems compared with ------------------------------------------- */

static void keep(const mtc_data *X, size_t tasks, int *const *from, int **to)
{
    for (size_t t = 0; t < tasks; t++)
        memcpy(to[t], from[t], X[t].n * sizeof **to);
}

/* *boosted: share of the steps in which literal S-MBC took MBC's centroids. */
static void by_smbc(mtc_context *ctx, const problem *p, const mtc_data *X,
                    const size_t *k, int row, int **labels, double *boosted)
{
    cmp_smkc_options o = cmp_smkc_defaults();
    cmp_smbc_result res;
    size_t T = p->tasks, taken = 0;
    o.smbc.mbc.clusters_of = k;
    o.smbc.rule = row == SMBC_LITERAL ? CMP_LITERAL : CMP_POLISH;
    ex_try(row == SMKC ? cmp_smkc(ctx, X, T, &o, &res)
                       : cmp_smbc(ctx, X, T, &o.smbc, &res), "S-MBC");
    keep(X, T, res.labels, labels);
    for (size_t i = 0; row == SMBC_LITERAL && i < res.iterations * T; i++)
        taken += res.picks[i] != 0;
    *boosted = (double)taken / (double)(res.iterations * T + !res.iterations);
    mtc_free(ctx, &res.block);
}

static void by_samtc(mtc_context *ctx, const mtc_data *X, size_t T,
                     const size_t *k, const int *const *start, int **labels)
{
    cmp_samtc_options o = cmp_samtc_defaults();
    cmp_samtc_result res;
    o.clusters_of = k;
    o.start_labels = start;
    ex_try(cmp_samtc(ctx, X, T, &o, &res), "SAMTC");
    keep(X, T, res.labels, labels);
    mtc_free(ctx, &res.block);
}

static void by_mtctki(mtc_context *ctx, const mtc_data *X, size_t T,
                      const size_t *k, cmp_mtctki_space space, int **labels)
{
    cmp_mtctki_options o = cmp_mtctki_defaults();
    cmp_mtctki_result res;
    o.clusters_of = k;
    o.space = space;
    ex_try(cmp_mtctki(ctx, X, T, &o, &res), "MTCTKI");
    keep(X, T, res.labels, labels);
    mtc_free(ctx, &res.block);
}

static void by_lssmtc(mtc_context *ctx, const mtc_data *X, size_t T, size_t k,
                      int **labels)
{
    mtc_lssmtc_options o = mtc_lssmtc_defaults();
    mtc_lssmtc_result res;
    o.clusters = k;
    ex_try(mtc_lssmtc(ctx, X, T, &o, &res), "LSSMTC");
    keep(X, T, res.labels, labels);
    mtc_free(ctx, &res.block);
}

static void by_dmtc(mtc_context *ctx, const mtc_data *X, size_t T, size_t k,
                    cmp_coupling coupling, int **labels)
{
    cmp_dmtc_options o = cmp_dmtc_defaults();
    cmp_dmtc_result res;
    o.clusters = k;
    o.coupling = coupling;
    o.iterations = 12;
    ex_try(cmp_dmtc(ctx, X, T, &o, &res), "DMTC");
    keep(X, T, res.labels, labels);
    mtc_free(ctx, &res.block);
}

/* score [2*T]: accuracy and NMI of each task. */
static void score_tasks(size_t T, const ex_set *set, int *const *labels,
                        double *score)
{
    for (size_t t = 0; t < T; t++) {
        mtc_scores s;
        ex_try(mtc_score(NULL, set[t].X.n, set[t].labels, labels[t], &s),
               "score");
        score[2 * t] = (double)s.accuracy;
        score[2 * t + 1] = (double)s.nmi;
    }
}

/* Labels of all tasks. */
static void new_labels(const mtc_data *X, size_t T, int **labels)
{
    for (size_t t = 0; t < T; t++)
        labels[t] = ex_grow(NULL, X[t].n, sizeof **labels);
}

static void free_labels(size_t T, int **labels)
{
    for (size_t t = 0; t < T; t++)
        free(labels[t]);
}

/* One row below the table: a system, or a kind of start of SAMTC. */
typedef struct contest {
    const problem *p;
    const ex_set *set;
    const mtc_data *X;
    const size_t *k;
    int row;
} contest;

/* The first clusters of SAMTC by k-means, by its own first step, or true. */
static void first_clusters(const contest *c, mtc_context *ctx, int **start)
{
    size_t T = c->p->tasks;
    if (c->row == 1) {
        cmp_samtc_options o = cmp_samtc_defaults();
        cmp_samtc_result res;
        o.clusters_of = c->k;
        ex_try(cmp_samtc(ctx, c->X, T, &o, &res), "SAMTC");
        keep(c->X, T, res.first_labels, start);
        mtc_free(ctx, &res.block);
    }
    for (size_t t = 0; t < T; t++) {
        mtc_kmeans_options o = mtc_kmeans_defaults();
        mtc_kmeans_result res;
        o.clusters = c->k[t];
        if (c->row == 2)
            memcpy(start[t], c->set[t].labels, c->X[t].n * sizeof **start);
        if (c->row != 0)
            continue;
        ex_try(mtc_kmeans(ctx, &c->X[t], &o, &res), "k-means");
        memcpy(start[t], res.labels, c->X[t].n * sizeof **start);
        mtc_free(ctx, &res.block);
    }
}

/* One seed: scores of the start, then of SAMTC from it. */
static void one_start(const void *of, size_t i, double *score)
{
    const contest *c = (const contest *)of;
    size_t T = c->p->tasks;
    int *labels[MOST_TASKS], *start[MOST_TASKS];
    const int *from[MOST_TASKS];
    mtc_context ctx = mtc_context_defaults();
    ctx.seed = i + 1;
    new_labels(c->X, T, labels);
    new_labels(c->X, T, start);
    first_clusters(c, &ctx, start);
    for (size_t t = 0; t < T; t++)
        from[t] = start[t];
    by_samtc(&ctx, c->X, T, c->k, from, labels);
    score_tasks(T, c->set, start, score);
    score_tasks(T, c->set, labels, score + 2 * T);
    free_labels(T, labels);
    free_labels(T, start);
}

/* SAMTC from first clusters of three kinds. */
static void samtc_starts(contest c)
{
    static const char *const name[] = {"k-means", "spectral, its own",
                                       "true classes"};
    size_t T = c.p->tasks, width = 4 * T;
    ex_table out = ex_head("SAMTC, mean accuracy|first clusters|answer");
    for (c.row = 0; c.row < 3; c.row++) {
        double mean[2] = {0, 0};
        double *score = ex_runs(SEEDS, width, one_start, &c);
        for (size_t seed = 0; seed < SEEDS; seed++)
            for (size_t half = 0; half < 2; half++)
                for (size_t t = 0; t < T; t++)
                    mean[half] += score[seed * width + 2 * (half * T + t)] /
                                  (double)(T * SEEDS);
        free(score);
        ex_cell(&out, "%s, %s", c.p->title, name[c.row]);
        ex_cell(&out, "%.3f", mean[0]);
        ex_cell(&out, "%.3f", mean[1]);
    }
    ex_print(&out);
}

/* One seed of a system: scores, then the share of S-MBC's steps that took
 * MBC's centroids. */
static void one_contest(const void *of, size_t i, double *score)
{
    const contest *c = (const contest *)of;
    const mtc_data *X = c->X;
    size_t T = c->p->tasks;
    int *labels[MOST_TASKS];
    mtc_context ctx = mtc_context_defaults();
    ctx.seed = i + 1;
    new_labels(X, T, labels);
    if (c->row <= SMKC)
        by_smbc(&ctx, c->p, X, c->k, c->row, labels, &score[2 * T]);
    else if (c->row == SAMTC)
        by_samtc(&ctx, X, T, c->k, NULL, labels);
    else if (c->row <= MTCTKI_RATIO)
        by_mtctki(&ctx, X, T, c->k, c->row == MTCTKI ? CMP_MTCTKI_TCA
                  : CMP_MTCTKI_RATIO, labels);
    else if (c->row == LSSMTC)
        by_lssmtc(&ctx, X, T, c->k[0], labels);
    else
        by_dmtc(&ctx, X, T, c->k[0], c->row == DMTC_TASK
                ? CMP_COUPLING_TASK : CMP_COUPLING_FEATURE, labels);
    score_tasks(T, c->set, labels, score);
    free_labels(T, labels);
}

/* Needs this system one k of all tasks, and is there none? */
static int unfit(const contest *c)
{
    int equal = 1;
    for (size_t t = 1; t < c->p->tasks; t++)
        equal = equal && c->k[t] == c->k[0];
    return c->row >= LSSMTC && !equal;
}

/* Returns the share of the steps in which literal S-MBC took MBC's
 * centroids. */
static double compared_rows(ex_tasks *out, contest c)
{
    size_t T = c.p->tasks, width = 2 * T + 1;
    double boosted = 0;
    for (c.row = 0; c.row < COMPARED; c.row++) {
        ex_stat stat[2 * MOST_TASKS + 1] = {{0, 0, 0}};
        if (unfit(&c))
            continue;
        double *score = ex_runs(SEEDS, width, one_contest, &c);
        for (size_t seed = 0; seed < SEEDS; seed++)
            for (size_t i = 0; i < width; i++)
                ex_add(&stat[i], score[seed * width + i]);
        free(score);
        if (c.row == SMBC_LITERAL)
            boosted = ex_mean(&stat[2 * T]);
        add_row(out, compared_name[c.row], stat,
                c.p->compared != NULL ? c.p->compared[c.row] : NULL);
    }
    return boosted;
}

/* ---- parts --------------------------------------------------------------- */

typedef struct loaded {
    const problem *p;
    ex_set set[MOST_TASKS];
    mtc_data X[MOST_TASKS];
    size_t k[MOST_TASKS];
} loaded;

static int is_there(const problem *p, const char *dir)
{
    char path[1024];
    snprintf(path, sizeof path, "%.900s/%s", dir, p->folder);
    return ex_there(path, p->file[0]);
}

static loaded load(const problem *p, const char *dir)
{
    loaded l;
    size_t d = 0;
    char path[1024];
    l.p = p;
    for (size_t t = 0; t < p->tasks; t++) {
        snprintf(path, sizeof path, "%.900s/%s", dir == NULL ? "" : dir,
                 p->folder);
        l.set[t] = dir == NULL ? documents((int)t) : ex_load(path, p->file[t]);
        thin(&l.set[t], p->samples);
        d = l.set[t].X.d > d ? l.set[t].X.d : d;
    }
    for (size_t t = 0; t < p->tasks; t++) {
        l.X[t] = l.set[t].X;
        l.X[t].d = d;               /* one feature space */
    }
    class_counts(l.set, p->tasks, l.k);
    return l;
}

static void unload(loaded *l)
{
    for (size_t t = 0; t < l->p->tasks; t++)
        ex_free(&l->set[t]);
}

static void run(const problem *p, const char *dir)
{
    loaded l = load(p, dir);
    ex_tasks out = ex_task_head(p->title, p->tasks);
    contest c = {p, l.set, l.X, l.k, 0};
    mtc_mtcfir_result full;
    method_rows(&out, p, l.set, l.X, &full);
    double boosted = compared_rows(&out, c);
    ex_print(&out.of[0]);
    ex_print(&out.of[1]);
    relatedness_table(p, l.set, &full);
    distance_table(p, l.X, full.features);
    ex_table steps = ex_head("S-MBC literal|steps that took MBC's centroids");
    ex_cell(&steps, "%s", p->title);
    ex_cell(&steps, "%.1f %%", 100 * boosted);
    ex_print(&steps);
    samtc_starts(c);
    mtc_free(NULL, &full.block);
    unload(&l);
}

static void generated(const char *dir)
{
    static const problem made = {"Generated text", "",
                                 {NULL, NULL, NULL, NULL}, 2, 0, NULL, NULL,
                                 NULL, {0, 0}};
    (void)dir;
    run(&made, NULL);
}

static void webkb4(const char *dir)
{
    run(&problems[0], dir);
}

static void handdigits(const char *dir)
{
    run(&problems[1], dir);
}

static void ng4(const char *dir)
{
    run(&problems[2], dir);
}

static void reuters(const char *dir)
{
    if (is_there(&problems[3], dir))
        run(&problems[3], dir);
    else
        ex_say("%s/reuters is not there.\n", dir);
}

/* ---- layers, neighbors, noise: figures 2 to 7 ---------------------------- */

enum { LAYERS = 6, VALUES = 5, CELLS = LAYERS * VALUES };   /* g = 0 to 5 */
static const double noise_values[VALUES] = {.5, .6, .7, .8, .9};
static const double share_values[VALUES] = {.1, .3, .5, .7, .9};

/* Run i: noise i; by the layers and the share of neighbors the means of
 * accuracy and NMI over the tasks, from one seed. */
static void one_noise(const void *of, size_t i, double *score)
{
    const loaded *l = (const loaded *)of;
    size_t T = l->p->tasks;
    mtc_msda_options how = mtc_msda_defaults();
    mtc_msda_result f;
    how.layers = LAYERS - 1;
    how.noise = (mtc_real)noise_values[i];
    ex_try(mtc_msda(NULL, l->X, T, &how, &f), "features");
    for (size_t g = 0; g < LAYERS; g++) {
        mtc_msda_result first = f;  /* the first g layers of it */
        mtc_data rows[MOST_TASKS];
        first.layers = g;
        feature_rows(l->X, T, &first, rows);
        for (size_t v = 0; v < VALUES; v++, score += 2) {
            mtc_consistent_options opt = mtc_consistent_defaults();
            mtc_consistent_result res;
            opt.clusters_of = l->k;
            opt.neighbor_share = (mtc_real)share_values[v];
            ex_try(mtc_consistent(NULL, rows, T, &opt, &res), "similarities");
            start_rows of_cell = {l->set, rows, res.M};
            for (size_t t = 0; t < T; t++) {
                double one[2];
                label_task(&of_cell, t, 1, one);
                score[0] += one[0] / (double)T;
                score[1] += one[1] / (double)T;
            }
            mtc_free(NULL, &res.block);
        }
        free((void *)rows[0].values);
    }
    mtc_free(NULL, &f.block);
}

/* By layers, the mean over all shares and noises. */
static void layer_table(const char *title, const double *score)
{
    static const char *const measure[2] = {"accuracy", "NMI"};
    ex_table out = {LAYERS + 1, 0, NULL};
    ex_cell(&out, "%s, layers", title);
    for (size_t g = 0; g < LAYERS; g++)
        ex_cell(&out, g == 3 ? "%zu (default)" : "%zu", g);
    for (size_t m = 0; m < 2; m++) {
        ex_cell(&out, "%s", measure[m]);
        for (size_t g = 0; g < LAYERS; g++) {
            ex_stat mean = {0, 0, 0};
            for (size_t i = 0; i < VALUES; i++)
                for (size_t v = 0; v < VALUES; v++)
                    ex_add(&mean, score[2 * ((i * LAYERS + g) * VALUES + v) +
                                        m]);
            ex_cell(&out, "%.3f", ex_mean(&mean));
        }
    }
    ex_print(&out);
}

/* Three layers: accuracy, NMI by share and noise. */
static void share_table(const char *title, const double *score)
{
    ex_table out = {VALUES + 1, 0, NULL};
    ex_cell(&out, "%s, accuracy, NMI", title);
    for (size_t i = 0; i < VALUES; i++)
        ex_cell(&out, "p = %.1f", noise_values[i]);
    for (size_t v = 0; v < VALUES; v++) {
        ex_cell(&out, "lambda = %.1f", share_values[v]);
        for (size_t i = 0; i < VALUES; i++) {
            const double *s = score + 2 * ((i * LAYERS + 3) * VALUES + v);
            ex_cell(&out, "%.3f, %.3f", s[0], s[1]);
        }
    }
    ex_print(&out);
}

static void say_if_empty(const char *dir)
{
    size_t found = 0;
    for (size_t i = 0; i < PROBLEMS; i++)
        found += (size_t)is_there(&problems[i], dir);
    if (found == 0)
        ex_say("%s has no data of this part.\n", dir);
}

static void grid(const char *dir)
{
    say_if_empty(dir);
    for (size_t i = 0; i < PROBLEMS; i++) {
        problem small = problems[i];
        small.samples = 100;        /* 150 cells: minutes */
        if (!is_there(&small, dir))
            continue;
        loaded l = load(&small, dir);
        double *score = ex_runs(VALUES, 2 * CELLS, one_noise, &l);
        layer_table(l.p->title, score);
        share_table(l.p->title, score);
        free(score);
        unload(&l);
    }
}

/* ---- seconds: figure 8 --------------------------------------------------- */

static void whole_method(const loaded *l)
{
    mtc_mtcfir_options opt = mtc_mtcfir_defaults();
    mtc_mtcfir_result res;
    opt.clusters_of = l->k;
    ex_try(mtc_mtcfir(NULL, l->X, l->p->tasks, &opt, &res), "MTCFIR");
    mtc_free(NULL, &res.block);
}

static void times(const char *dir)
{
    ex_table out = {COMPARED + 2, 0, NULL};
    ex_cell(&out, "seconds");
    ex_cell(&out, "MTCFIR");
    for (size_t m = 0; m < COMPARED; m++)
        ex_cell(&out, "%s", compared_name[m]);
    say_if_empty(dir);
    for (size_t i = 0; i < PROBLEMS; i++) {
        if (!is_there(&problems[i], dir))
            continue;
        loaded l = load(&problems[i], dir);
        contest c = {l.p, l.set, l.X, l.k, 0};
        double began = ex_seconds();
        whole_method(&l);
        ex_cell(&out, "%s", l.p->title);
        ex_cell(&out, "%.2f", ex_seconds() - began);
        for (; c.row < COMPARED; c.row++) {
            double score[2 * MOST_TASKS + 1] = {0};
            if (unfit(&c)) {
                ex_cell(&out, "-");
                continue;
            }
            began = ex_seconds();
            one_contest(&c, 0, score);
            ex_cell(&out, "%.2f", ex_seconds() - began);
        }
        unload(&l);
    }
    ex_print(&out);
}

int main(int argc, char **argv)
{
    static const ex_part parts[] = {
        {"generated", 0, generated}, {"webkb4", 1, webkb4},
        {"handdigits", 1, handdigits}, {"ng4", 1, ng4},
        {"reuters", 1, reuters}, {"grid", 1, grid}, {"times", 1, times}};
    return ex_main(argc, argv, parts, sizeof parts / sizeof *parts);
}
