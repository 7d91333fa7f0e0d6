/* SPDX-License-Identifier: MIT
 *
 * cocc.c - co-clustering based classification (Dai et al. 2007): documents and
 * words of the target are clustered together, so that as little as possible of
 * their mutual information is lost; the words' clusters must also keep what
 * words say about the classes of the sources.
 *
 *   L = I(D;W) - I(D^;W^) + lambda (I(C;W) - I(C;W^))
 *
 *   A1  start: documents by naive Bayes, words by option
 *   A2  d -> argmax_d^ sum_w^ f(w^|d) log f(w^|d^)          all documents
 *   A3  w -> argmax_w^ sum_d^ f(w,d^) log f(d^|w^)          all words
 *                      + lambda sum_c g(w,c) log g(c|w^)
 *   A4  until L stops falling
 *   A5  realign: the one-to-one map of clusters to classes that maximizes
 *       sum_{d^,w^} f(d^,w^) log g(w^|class of d^)
 * A2 and A3 are what is left of I(D;W) - I(D^;W^), a divergence between f and
 * f(d^,w^) f(d|d^) f(w|w^), when all but one assignment is fixed.
 *
 *   side 0 the target, 1 the sources         d^, w^  cluster [n], word [d]
 *   f(w,d^), g(w,c)    joint[side] [d x c]
 *   f(d^,w^), g(c,w^)  table[side] [c x k]
 *
 * 0 log 0 = 0 and p log 0 = -Inf: where a sample stands is always finite, so
 * nothing has to be smoothed, and an empty cluster stays empty.
 */
#define CMP_INTERNAL
#include "compared.h"

/* A document or word moves only for a gain above these, and L has to fall by
 * the first: below is rounding. */
#define COCC_GAIN (sizeof(mtc_real) == 8 ? (mtc_real)1e-12 : (mtc_real)1e-6)
#define COCC_WORD_GAIN (COCC_GAIN / 1000)
#define COCC_RANK 30                    /* singular directions of the start */
#define COCC_EPS ((mtc_real)1e-3)       /* realign: weight of an unseen word */

typedef struct cocc_job {
    const cmp_cocc_options *o;
    const mtc_data *sources, *target;
    const int *const *source_labels;
    size_t n_sources, n, c, d, k;
    int *cluster, *word;                /* the result's */
    mtc_real sum[2], weight[2];         /* of all values; 1 and lambda */
    mtc_real *joint[2], *table[2];      /* as above */
    mtc_real *logs[2];                  /* [c*k] of shares in a table */
    mtc_real given;                     /* I(D;W) + lambda I(C;W) */
    mtc_data X;                         /* start: all documents */
    mtc_real *XV;                       /* [documents x rank+8] */
    mtc_real *score, *part;             /* [c+k]; [k] f(d,w^) of a document */
    mtc_real *sums;                     /* [d+c] */
} cocc_job;

cmp_cocc_options cmp_cocc_defaults(void)
{
    return (cmp_cocc_options){.classes = 2, .lambda = (mtc_real)0.25,
                              .words = 64, .iterations = 20};
}

static const char *cocc_wrong(const cmp_cocc_options *o)
{
    return !cmp_is_real(o->lambda, 0, (mtc_real)1e9) ? "lambda: need 0..1e9"
           : o->words == 0 ? "words: need 1 or more"
           : o->start != CMP_WORDS_KMEANS && o->start != CMP_WORDS_CLASS &&
                   o->start != CMP_WORDS_RANDOM
               ? "start: need kmeans, class or random" : NULL;
}

static void cocc_shape(cmp_carver *c, void *result)
{
    cmp_cocc_result *r = (cmp_cocc_result *)result;
    r->labels = CMP_CARVE(c, r->n, int);
    r->word_clusters = CMP_CARVE(c, r->d, int);
    r->class_of = CMP_CARVE(c, r->classes, int);
    r->objective = CMP_CARVE(c, cmp_add(r->iterations, 1), mtc_real);
}

/* ---- tables and loss --------------------------------------------------- */

static mtc_real x_log_x(mtc_real x)
{
    return x > 0 ? x * mtc_log(x) : 0;
}

/* I = sum p log p - sum_i p_i log p_i - sum_j p_j log p_j, p = P / all; `sums`
 * has room for those over columns. */
static mtc_real information(const mtc_data *P, mtc_real all, mtc_real *sums)
{
    mtc_real I = 0;
    memset(sums, 0, P->d * sizeof *sums);
    for (size_t i = 0; i < P->n; i++) {
        mtc_real sum = 0;
        for (size_t b = cmp_begin(P, i), e = b; e < cmp_end(P, i); e++) {
            mtc_real p = P->values[e] / all;
            sum += p;
            sums[cmp_column(P, b, e)] += p;
            I += x_log_x(p);
        }
        I -= x_log_x(sum);
    }
    for (size_t k = 0; k < P->d; k++)
        I -= x_log_x(sums[k]);
    return I;
}

/* joint[side] of sets with these labels; the first call finds the sum. */
static void cocc_spread(cocc_job *j, int side, const mtc_data *sets,
                        const int *const *labels, size_t n_sets)
{
    mtc_real *p = j->joint[side], sum = 0;
    memset(p, 0, j->d * j->c * sizeof *p);
    for (size_t t = 0; t < n_sets; t++)
        cmp_class_weights(&sets[t], labels[t], j->c, p);
    for (size_t e = 0; e < j->d * j->c; e++)
        sum += p[e];
    if (!(j->sum[side] > 0))
        j->sum[side] = sum > 0 ? sum : 1;
    for (size_t e = 0; e < j->d * j->c; e++)
        p[e] /= j->sum[side];
}

/* Both tables of the present words; returns L. */
static mtc_real cocc_fold(cocc_job *j)
{
    mtc_real L = j->given;
    for (int side = 0; side < 2; side++) {
        memset(j->table[side], 0, j->c * j->k * sizeof *j->table[side]);
        for (size_t w = 0; w < j->d; w++)
            for (size_t z = 0; z < j->c; z++)
                j->table[side][z * j->k + (size_t)j->word[w]] +=
                    j->joint[side][w * j->c + z];
        mtc_data P = mtc_dense(j->c, j->k, j->table[side]);
        L -= j->weight[side] * information(&P, 1, j->sums);
    }
    return L;
}

/* logs = log of each entry's share in its line of the table, of which there are
 * `lines`, `apart` entries apart, with `length` entries each `step` apart. */
static void log_shares(size_t lines, size_t apart, size_t length, size_t step,
                       const mtc_real *table, mtc_real *logs)
{
    for (size_t a = 0; a < lines; a++) {
        mtc_real sum = 0;
        for (size_t b = 0; b < length; b++)
            sum += table[a * apart + b * step];
        for (size_t b = 0; b < length; b++) {
            mtc_real p = table[a * apart + b * step];
            logs[a * apart + b * step] = mtc_log(sum > 0 ? p / sum : 0);
        }
    }
}

/* ---- A2, A3: moves ----------------------------------------------------- */

/* Each document to the cluster whose word clusters suit its own best; the
 * scores of one without weight are all 0, and it stays. */
static void cocc_documents(cocc_job *j)
{
    const mtc_data *X = j->target;
    log_shares(j->c, j->k, j->k, 1, j->table[0], j->logs[0]); /* f(w^|d^) */
    for (size_t i = 0; i < j->n; i++) {
        size_t begin = cmp_begin(X, i);
        mtc_real mass = 0;
        memset(j->part, 0, j->k * sizeof *j->part);
        for (size_t e = begin; e < cmp_end(X, i); e++) {
            mtc_real f = X->values[e] / j->sum[0];
            j->part[j->word[cmp_column(X, begin, e)]] += f;
            mass += f;
        }
        for (size_t z = 0; z < j->c; z++) {
            j->score[z] = 0;
            for (size_t v = 0; v < j->k; v++)
                if (j->part[v] > 0)
                    j->score[z] += j->part[v] / mass *
                                   j->logs[0][z * j->k + v];
        }
        size_t best = cmp_argmax(j->c, j->score);
        if (j->score[best] > j->score[j->cluster[i]] + COCC_GAIN)
            j->cluster[i] = (int)best;
    }
    const int *now = j->cluster;
    cocc_spread(j, 0, X, &now, 1);
}

/* Each word to the cluster that is spread over document clusters and classes
 * as it is itself; one without weight stays. */
static void cocc_words(cocc_job *j)
{
    for (int side = 0; side < 2; side++)            /* f(d^|w^), g(c|w^) */
        log_shares(j->k, 1, j->c, j->k, j->table[side], j->logs[side]);
    for (size_t w = 0; w < j->d; w++) {
        memset(j->score, 0, j->k * sizeof *j->score);
        for (int side = 0; side < 2; side++)
            for (size_t z = 0; z < j->c; z++) {
                mtc_real p = j->weight[side] * j->joint[side][w * j->c + z];
                for (size_t v = 0; v < j->k && p > 0; v++)
                    j->score[v] += p * j->logs[side][z * j->k + v];
            }
        size_t best = cmp_argmax(j->k, j->score);
        if (j->score[best] > j->score[j->word[w]] + COCC_WORD_GAIN)
            j->word[w] = (int)best;
    }
}

/* ---- A1: starts -------------------------------------------------------- */

/* AV = X'X V for all documents X. */
static mtc_status words_apply(void *user, size_t d, size_t p,
                              const mtc_real *V, mtc_real *AV)
{
    const cocc_job *j = (const cocc_job *)user;
    (void)d;
    mtc_data_times(&j->X, p, V, p, j->XV, p, NULL);
    mtc_data_transpose_times(&j->X, p, j->XV, p, AV, p, NULL);
    return MTC_OK;
}

/* Documents to length 1, X = U S V' its top singular directions: words are the
 * rows of V S, to length 1, clustered by k-means. */
static mtc_status words_by_kmeans(cmp_room *room, cocc_job *j)
{
    size_t d = j->d, r = d < COCC_RANK ? d : COCC_RANK;
    mtc_data *sets = cmp_with_target(room, j->sources, j->n_sources,
                                     j->target);
    mtc_real *V = CMP_TAKE(room, cmp_mul(d, r), mtc_real);
    mtc_real *w = CMP_TAKE(room, r, mtc_real);
    if (room->status == MTC_OK)
        j->X = cmp_stack(room, sets, j->n_sources + 1);
    if (room->status == MTC_OK)
        j->X = cmp_unit_rows(room, &j->X);
    j->XV = CMP_TAKE(room, cmp_mul(j->X.n, r + 8), mtc_real);
    if (room->status != MTC_OK)
        return room->status;
    mtc_status s = mtc_eigen_operator(room->ctx, d, words_apply, j, r,
                                      (mtc_real)1e-4, 0, w, V, r, NULL);
    for (size_t e = 0; s == MTC_OK && e < d * r; e++)
        V[e] *= w[e % r] > 0 ? cmp_sqrt(w[e % r]) : 0;          /* V S */
    mtc_data at = mtc_dense(d, r, V), unit = cmp_unit_rows(room, &at);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result km;
    o.clusters = j->k;
    o.restarts = 1;                                 /* a start, no more */
    o.iterations = 50;
    if (s == MTC_OK && (s = room->status) == MTC_OK)
        s = mtc_kmeans(room->ctx, &unit, &o, &km);
    if (s != MTC_OK)
        return s;
    memcpy(j->word, km.labels, d * sizeof *j->word);
    mtc_free(room->ctx, &km.block);
    return MTC_OK;
}

/* Words in the order of the class each is most frequent in, and of how much it
 * is; the order cut into k pieces.  P[c,w] = g(c,w) / max(1, g(c)) + 1e-6 in
 * weights, columns to sum 1. */
static mtc_status words_by_class(cmp_room *room, cocc_job *j)
{
    mtc_real *mass = CMP_TAKE(room, j->c, mtc_real), *P = j->score;
    mtc_real *key = CMP_TAKE(room, j->d, mtc_real);
    size_t *order = CMP_TAKE(room, j->d, size_t);
    size_t *spare = CMP_TAKE(room, j->d, size_t);
    if (room->status != MTC_OK)
        return room->status;
    for (size_t w = 0; w < j->d; w++)
        mtc_axpy(j->c, j->sum[1], j->joint[1] + w * j->c, mass);
    for (size_t w = 0; w < j->d; w++) {
        mtc_real sum = 0;
        for (size_t z = 0; z < j->c; z++) {
            P[z] = j->joint[1][w * j->c + z] * j->sum[1] /
                       (mass[z] > 1 ? mass[z] : 1) + (mtc_real)1e-6;
            sum += P[z];
        }
        size_t best = cmp_argmax(j->c, P);
        key[w] = (mtc_real)best + (mtc_real)0.999 * P[best] / sum;
    }
    cmp_sort(j->d, key, order, spare);
    for (size_t r = 0; r < j->d; r++)
        j->word[order[r]] = (int)((uint64_t)r * j->k / j->d);
    return MTC_OK;
}

/* Labels and words to begin with, joint tables, and the share of L that no move
 * changes. */
static mtc_status cocc_start(cmp_room *room, cocc_job *j)
{
    const cmp_cocc_options *o = j->o;
    const mtc_data *X = j->target;
    const int *now = j->cluster;
    cmp_nb_options no = {.classes = j->c};
    cmp_nb_result nb;
    mtc_status s = MTC_OK;
    if (o->start_labels != NULL)
        memcpy(j->cluster, o->start_labels, j->n * sizeof *j->cluster);
    else if ((s = cmp_nb(room->ctx, j->sources, j->source_labels,
                         j->n_sources, X, &no, &nb)) == MTC_OK) {
        memcpy(j->cluster, nb.labels, j->n * sizeof *j->cluster);
        mtc_free(room->ctx, &nb.block);
    }
    cocc_spread(j, 0, X, &now, 1);
    cocc_spread(j, 1, j->sources, j->source_labels, j->n_sources);
    mtc_random random = cmp_stream(room->ctx, 0);
    for (size_t w = 0; w < j->d; w++)
        j->word[w] = o->start_words != NULL ? o->start_words[w]
                     : o->start == CMP_WORDS_RANDOM
                         ? (int)mtc_random_below(&random, j->k) : 0;
    if (s == MTC_OK && o->start_words == NULL)
        s = o->start == CMP_WORDS_KMEANS  ? words_by_kmeans(room, j)
            : o->start == CMP_WORDS_CLASS ? words_by_class(room, j) : MTC_OK;
    mtc_data g = mtc_dense(j->d, j->c, j->joint[1]);
    j->given = information(X, j->sum[0], j->sums) +
               j->weight[1] * information(&g, 1, j->sums);
    return s;
}

/* ---- A4, A5 ------------------------------------------------------------ */

/* class_of [c]: the least of -sum_w^ f(d^,w^) log g(w^|c) over one-to-one maps,
 * g in weights plus a little for words that the sources do not have. */
static mtc_status cocc_realign(cmp_room *room, cocc_job *j, int *class_of)
{
    mtc_real *cost = CMP_TAKE(room, cmp_mul(j->c, j->c), mtc_real);
    size_t *match = CMP_TAKE(room, j->c, size_t);
    if (room->status != MTC_OK)
        return room->status;
    for (size_t e = 0; e < j->c * j->k; e++)
        j->table[1][e] = j->table[1][e] * j->sum[1] + COCC_EPS;
    log_shares(j->c, j->k, j->k, 1, j->table[1], j->logs[1]);
    mtc_gemm(0, 1, j->c, j->c, j->k, -1, j->table[0], j->k, j->logs[1], j->k,
             0, cost, j->c, NULL);
    mtc_status s = mtc_assignment(room->ctx, j->c, j->c, cost, j->c, match,
                                  NULL, NULL, NULL);
    for (size_t z = 0; s == MTC_OK && z < j->c; z++)
        class_of[z] = (int)match[z];
    for (size_t i = 0; s == MTC_OK && i < j->n; i++)
        j->cluster[i] = class_of[j->cluster[i]];
    return s;
}

static mtc_status cocc_work(cmp_room *room, cocc_job *j, cmp_cocc_result *r)
{
    mtc_status s = cocc_start(room, j);                         /* A1 */
    size_t T = j->o->iterations, it = 0;
    r->objective[0] = cocc_fold(j);
    for (; s == MTC_OK && !r->converged && it < T; it++) {
        s = cmp_tick(room->ctx, "cocc", it, T);
        cocc_documents(j);                                      /* A2 */
        cocc_fold(j);
        cocc_words(j);                                          /* A3 */
        r->objective[it + 1] = cocc_fold(j);
        r->converged = !(r->objective[it] - r->objective[it + 1] >=
                         COCC_GAIN);                            /* A4 */
    }
    r->iterations = it;
    for (size_t z = 0; z < j->c; z++)
        r->class_of[z] = (int)z;
    return s == MTC_OK && j->o->realign ? cocc_realign(room, j, r->class_of)
                                        : s;                    /* A5 */
}

mtc_status cmp_cocc(mtc_context *ctx, const mtc_data *sources,
                    const int *const *source_labels, size_t n_sources,
                    const mtc_data *target, const cmp_cocc_options *opt,
                    cmp_cocc_result *res)
{
    const cmp_cocc_options usual = cmp_cocc_defaults();
    const cmp_cocc_options *o = opt != NULL ? opt : &usual;
    mtc_status s = cmp_check_options(ctx, res == NULL ? "result"
                                                      : cocc_wrong(o));
    if (s == MTC_OK)
        s = cmp_check_transfer(ctx, sources, source_labels, n_sources, target,
                               o->classes, 0);
    for (size_t t = 0; s == MTC_OK && t <= n_sources; t++)
        s = cmp_check_nonnegative(ctx, t < n_sources ? &sources[t] : target,
                                  t);
    size_t n = s == MTC_OK ? target->n : 0, c = o->classes;
    size_t d = s == MTC_OK ? target->d : 0, k = o->words < d ? o->words : d;
    if (s == MTC_OK && o->start_labels != NULL)
        s = cmp_check_labels(ctx, o->start_labels, n, c, n_sources);
    if (s == MTC_OK && o->start_words != NULL)
        s = cmp_check_labels(ctx, o->start_words, d, k, MTC_NONE);
    if (s != MTC_OK)
        return s;
    cmp_room room = cmp_open(ctx);
    cmp_cocc_result r = {.n = n, .classes = c, .d = d, .words = k,
                         .iterations = o->iterations};
    cocc_job job = {.o = o, .sources = sources, .target = target,
                    .source_labels = source_labels, .n_sources = n_sources,
                    .n = n, .c = c, .d = d, .k = k, .weight = {1, o->lambda}};
    cmp_result(&room, cocc_shape, &r, sizeof r);
    for (int side = 0; side < 2; side++) {
        job.joint[side] = CMP_TAKE(&room, cmp_mul(d, c), mtc_real);
        job.table[side] = CMP_TAKE(&room, cmp_mul(c, k), mtc_real);
        job.logs[side] = CMP_TAKE(&room, cmp_mul(c, k), mtc_real);
    }
    job.score = CMP_TAKE(&room, cmp_add(c, k), mtc_real);
    job.part = CMP_TAKE(&room, k, mtc_real);
    job.sums = CMP_TAKE(&room, cmp_add(d, c), mtc_real);
    job.cluster = r.labels;
    job.word = r.word_clusters;
    if ((s = room.status) == MTC_OK)
        s = cocc_work(&room, &job, &r);
    return cmp_close(&room, s, &r, sizeof r, res);
}
