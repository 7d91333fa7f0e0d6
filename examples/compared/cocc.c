/* SPDX-License-Identifier: MIT
 *
 * cocc.c - co-clustering based classification (Dai et al. 2007): documents and
 * words of the target are clustered together, so that little of their mutual
 * information is lost; the words' clusters must also keep what words say about
 * the classes of the sources.
 *
 *   A1  start: documents by naive Bayes, words by option
 *   A2  d -> argmax_d^ sum_w^ f(w^|d) log f(w^|d^)          all documents
 *   A3  w -> argmax_w^ sum_d^ f(w,d^) log f(d^|w^)          all words
 *                      + lambda sum_c g(w,c) log g(c|w^)
 *   A4  until L stops falling
 *   A5  realign: the one-to-one map of clusters to classes that maximizes
 *       sum_{d^,w^} f(d^,w^) log g(w^|class of d^)
 *
 *   d^, w^             labels [n], word_clusters [d]
 *   f(w,d^), g(w,c)    joint[side] [d x c]   side 0 the target, 1 the sources
 *   f(d^,w^), g(c,w^)  table[side] [c x k]   all in weights, of sum[side]
 *
 * 0 log 0 = 0 and p log 0 is lower than anything: where a sample stands it does
 * not occur, so nothing has to be smoothed, and an empty cluster stays empty.
 */
#define CMP_INTERNAL
#include "compared.h"

/* A document moves, and the loop goes on, for a gain above this, a word for a
 * thousandth: below is rounding. */
#define COCC_GAIN (sizeof(mtc_real) == 8 ? (mtc_real)1e-12 : (mtc_real)1e-6)
#define COCC_NEVER ((mtc_real)-1e30)    /* log 0 */

typedef struct cocc_job {
    cmp_cocc_result r;
    const cmp_cocc_options *o;
    cmp_world w;
    size_t c, d, k;
    mtc_real sum[2], weight[2];         /* of all values, > 0; 1 and lambda */
    mtc_real *joint[2], *table[2], *logs[2];    /* above; [c*k] log_shares */
    mtc_real *score, *spare;            /* [c+k]; [d+c] */
} cocc_job;

cmp_cocc_options cmp_cocc_defaults(void)
{
    return (cmp_cocc_options){.classes = 2, .lambda = (mtc_real)0.25,
                              .words = 64, .iterations = 20};
}

static void cocc_shape(adv_carver *c, void *result)
{
    cmp_cocc_result *r = (cmp_cocc_result *)result;
    r->labels = ADV_CARVE(c, r->n, int);
    r->word_clusters = ADV_CARVE(c, r->d, int);
    r->class_of = ADV_CARVE(c, r->classes, int);
    r->objective = ADV_CARVE(c, adv_add(r->iterations, 1), mtc_real);
}

/* I = sum p log p - sum_i p_i log p_i - sum_j p_j log p_j, p = P / all, where
 * 0 log 0 = 0; sums [P.d] is scratch. */
static mtc_real information(const mtc_data *P, mtc_real all, mtc_real *sums)
{
    mtc_real I = 0;
    memset(sums, 0, P->d * sizeof *sums);
    for (size_t i = 0; i < P->n; i++) {
        mtc_real sum = 0;
        for (size_t b = adv_begin(P, i), e = b; e < adv_end(P, i); e++) {
            mtc_real p = P->values[e] / all;
            sum += p;
            sums[adv_column(P, b, e)] += p;
            I += p * mtc_log(p > 0 ? p : 1);
        }
        I -= sum * mtc_log(sum > 0 ? sum : 1);
    }
    for (size_t k = 0; k < P->d; k++)
        I -= sums[k] * mtc_log(sums[k] > 0 ? sums[k] : 1);
    return I;
}

/* Both tables of the present words; returns I(D^;W^) + lambda I(C;W^). */
static mtc_real cocc_fold(cocc_job *j)
{
    mtc_real I = 0;
    for (int side = 0; side < 2; side++) {
        mtc_data P = mtc_dense(j->c, j->k, j->table[side]);
        memset(j->table[side], 0, j->c * j->k * sizeof *j->table[side]);
        for (size_t w = 0; w < j->d; w++)
            for (size_t z = 0; z < j->c; z++)
                j->table[side][z * j->k + (size_t)j->r.word_clusters[w]] +=
                    j->joint[side][w * j->c + z];
        I += j->weight[side] * information(&P, j->sum[side], j->spare);
    }
    return I;
}

/* logs = log of each entry's share in its row of the table, or its column. */
static void log_shares(cocc_job *j, int side, int column)
{
    size_t c = j->c, k = j->k, n = column ? c : k, step = column ? k : 1;
    for (size_t e = 0; e < c * k; e++) {
        const mtc_real *line = j->table[side] + (column ? e % k : e / k * k);
        mtc_real sum = 0, p = j->table[side][e];
        for (size_t b = 0; b < n; b++)
            sum += line[b * step];
        j->logs[side][e] = p > 0 ? mtc_log(p / sum) : COCC_NEVER;
    }
}

/* The cluster of the largest score, if that is above the present one's. */
static void cocc_move(size_t n, const mtc_real *score, mtc_real gain, int *at)
{
    size_t best = adv_argmax(n, score);
    if (score[best] > score[*at] + gain)
        *at = (int)best;
}

/* Each document to the cluster whose word clusters suit its own best; the
 * scores of one without weight are all 0, and it stays. */
static void cocc_documents(cocc_job *j)
{
    const mtc_data *X = j->w.target;
    mtc_real *part = j->spare;                              /* f(d,w^) */
    log_shares(j, 0, 0);                                    /* f(w^|d^) */
    for (size_t i = 0; i < X->n; i++) {
        mtc_real mass = 0;
        memset(part, 0, j->k * sizeof *part);
        for (size_t b = adv_begin(X, i), e = b; e < adv_end(X, i); e++) {
            part[j->r.word_clusters[adv_column(X, b, e)]] += X->values[e];
            mass += X->values[e];
        }
        mtc_gemm(0, 1, 1, j->c, j->k, mass > 0 ? 1 / mass : 0, part, j->k,
                 j->logs[0], j->k, 0, j->score, j->c, NULL);
        cocc_move(j->c, j->score, COCC_GAIN, &j->r.labels[i]);
    }
    memset(j->joint[0], 0, j->d * j->c * sizeof *j->joint[0]);
    cmp_class_weights(X, j->r.labels, j->c, j->joint[0]);
}

/* Each word to the cluster that is spread over document clusters and classes
 * as it is itself; one without weight stays. */
static void cocc_words(cocc_job *j)
{
    log_shares(j, 0, 1);                                    /* f(d^|w^) */
    log_shares(j, 1, 1);                                    /* g(c|w^) */
    for (size_t w = 0; w < j->d; w++) {
        memset(j->score, 0, j->k * sizeof *j->score);
        for (size_t z = 0; z < 2 * j->c; z++) {             /* of both sides */
            size_t side = z / j->c, row = z % j->c;
            mtc_real p = j->joint[side][w * j->c + row] / j->sum[side];
            if (p > 0)                              /* most are not */
                mtc_axpy(j->k, p * j->weight[side],
                         j->logs[side] + row * j->k, j->score);
        }
        cocc_move(j->k, j->score, COCC_GAIN / 1000, &j->r.word_clusters[w]);
    }
}

/* A1: documents by naive Bayes, or as given; words by option. */
static mtc_status cocc_start(adv_desk *desk, cocc_job *j)
{
    const cmp_nb_options no = {.classes = j->c};
    const cmp_cocc_options *o = j->o;
    cmp_nb_result nb;
    ADV_TRY(cmp_nb(desk->ctx, j->w.sources, j->w.labels, j->w.n_sources,
                   j->w.target, &no, &nb));
    memcpy(j->r.labels, o->start_labels != NULL ? o->start_labels : nb.labels,
           j->r.n * sizeof *nb.labels);
    mtc_free(desk->ctx, &nb.block);
    cmp_class_weights(j->w.target, j->r.labels, j->c, j->joint[0]);
    for (size_t t = 0; t < j->w.n_sources; t++)
        cmp_class_weights(&j->w.sources[t], j->w.labels[t], j->c, j->joint[1]);
    for (size_t e = 0; e < 2 * j->d * j->c; e++)
        j->sum[e % 2] += j->joint[e % 2][e / 2];
    mtc_random random = cmp_stream(desk->ctx, 0);
    for (size_t w = 0; w < j->d; w++)
        j->r.word_clusters[w] = o->start_words != NULL
                                    ? o->start_words[w]
                                    : (int)mtc_random_below(&random, j->k);
    return o->start_words != NULL || o->start == CMP_WORDS_RANDOM ? MTC_OK
           : o->start == CMP_WORDS_CLASS
               ? cmp_words_by_class(desk, j->d, j->c, j->joint[1], j->k,
                                    j->r.word_clusters)
               : cmp_words_by_kmeans(desk, j->w.sets, j->w.n_sources + 1,
                                     j->k, j->r.word_clusters);
}

/* class_of [c]: the least of -sum_w^ f(d^,w^) log g(w^|c) over one-to-one maps,
 * g with a little more for words that the sources do not have. */
static mtc_status cocc_realign(adv_desk *desk, cocc_job *j)
{
    mtc_real *cost = ADV_TAKE(desk, adv_mul(j->c, j->c), mtc_real);
    size_t *match = ADV_TAKE(desk, j->c, size_t);
    ADV_TRY(desk->status);
    for (size_t e = 0; e < j->c * j->k; e++)
        j->table[1][e] += (mtc_real)1e-3;
    log_shares(j, 1, 0);
    for (size_t e = 0; e < j->c * j->k; e++)        /* no source: last */
        j->logs[1][e] -= j->w.count[e / j->k] > 0 ? 0 : 1000;
    mtc_gemm(0, 1, j->c, j->c, j->k, -1, j->table[0], j->k, j->logs[1], j->k,
             0, cost, j->c, NULL);
    ADV_TRY(mtc_assignment(desk->ctx, j->c, j->c, cost, j->c, match, NULL,
                           NULL, NULL));
    for (size_t z = 0; z < j->c; z++)
        j->r.class_of[z] = (int)match[z];
    return MTC_OK;
}

static mtc_status cocc_work(adv_desk *desk, void *job)
{
    cocc_job *j = (cocc_job *)job;
    cmp_cocc_result *r = &j->r;
    size_t T = r->iterations, ck = adv_mul(j->c, j->k);
    ADV_REALS(desk, adv_mul(j->d, j->c), &j->joint[0], &j->joint[1]);
    ADV_REALS(desk, ck, &j->table[0], &j->table[1], &j->logs[0], &j->logs[1]);
    ADV_REALS(desk, adv_add(j->c, j->k), &j->score);
    ADV_REALS(desk, adv_add(j->d, j->c), &j->spare);
    ADV_TRY(cmp_gather(desk, &j->w));
    ADV_TRY(cocc_start(desk, j));                               /* A1 */
    mtc_data g = mtc_dense(j->d, j->c, j->joint[1]);
    mtc_real given = information(j->w.target, j->sum[0], j->spare) +
                     j->weight[1] * information(&g, j->sum[1], j->spare);
    r->objective[0] = given - cocc_fold(j);
    for (r->iterations = 0; !r->converged && r->iterations < T;) {
        mtc_real *value = r->objective + r->iterations;
        ADV_TRY(adv_tick(desk->ctx, "cocc", r->iterations++, T));
        cocc_documents(j);                                      /* A2 */
        cocc_fold(j);
        cocc_words(j);                                          /* A3 */
        value[1] = given - cocc_fold(j);
        r->converged = !(value[0] - value[1] >= COCC_GAIN);     /* A4 */
    }
    for (size_t z = 0; z < j->c; z++)
        r->class_of[z] = (int)z;
    if (j->o->realign)
        ADV_TRY(cocc_realign(desk, j));                         /* A5 */
    for (size_t i = 0; i < r->n; i++)
        r->labels[i] = r->class_of[r->labels[i]];
    return MTC_OK;
}

mtc_status cmp_cocc(mtc_context *ctx, const mtc_data *sources,
                    const int *const *source_labels, size_t n_sources,
                    const mtc_data *target, const cmp_cocc_options *opt,
                    cmp_cocc_result *res)
{
    const cmp_cocc_options usual = cmp_cocc_defaults(),
                           *o = opt != NULL ? opt : &usual;
    cocc_job j = {.o = o, .w = CMP_WORLD, .sum = {ADV_TINY, ADV_TINY},
                  .weight = {1, o->lambda}};
    ADV_TRY(cmp_enter(
        ctx, res == NULL ? "result"
             : !cmp_is_real(o->lambda, 0, (mtc_real)1e9) ? "lambda: need 0..1e9"
             : o->words == 0 ? "words: need 1 or more"
             : (unsigned)o->start > CMP_WORDS_RANDOM
                 ? "start: need kmeans, class or random" : NULL,
        CMP_COUNTS, &j.w));
    j.c = o->classes;
    j.d = target->d;
    j.k = o->words < j.d ? o->words : j.d;
    j.r = (cmp_cocc_result){.n = target->n, .classes = j.c, .d = j.d,
                            .words = j.k, .iterations = o->iterations};
    ADV_TRY(cmp_check_start(ctx, o->start_labels, target->n, j.c, n_sources));
    ADV_TRY(cmp_check_start(ctx, o->start_words, j.d, j.k, MTC_NONE));
    return cmp_run(ctx, cocc_shape, cocc_work, &j, sizeof j.r, res);
}
