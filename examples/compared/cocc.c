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
 * 0 log 0 = 0 and p log 0 = -Inf: where a sample stands is always finite, so
 * nothing has to be smoothed, and an empty cluster stays empty.
 */
#define CMP_INTERNAL
#include "compared.h"

/* A document moves, and the loop goes on, for a gain above this, a word for a
 * thousandth: below is rounding. */
#define COCC_GAIN (sizeof(mtc_real) == 8 ? (mtc_real)1e-12 : (mtc_real)1e-6)
#define COCC_RANK 30                    /* singular directions of the start */

typedef struct cocc_job {
    const mtc_data *sets, *target;      /* the sources, then the target */
    size_t n_sets, c, d, k;
    int *cluster, *word;                /* the result's */
    mtc_real sum[2], weight[2];         /* of all values, > 0; 1 and lambda */
    mtc_real *joint[2], *table[2], *logs[2];    /* above; [c*k] log_shares */
    mtc_real *score, *spare;            /* [c+k]; [d+c] */
    mtc_data X;                         /* start: sets stacked, unit rows */
    mtc_real *XV;                       /* [documents x rank+8] */
} cocc_job;

cmp_cocc_options cmp_cocc_defaults(void)
{
    return (cmp_cocc_options){.classes = 2, .lambda = (mtc_real)0.25,
                              .words = 64, .iterations = 20};
}

static void cocc_shape(cmp_carver *c, void *result)
{
    cmp_cocc_result *r = (cmp_cocc_result *)result;
    r->labels = CMP_CARVE(c, r->n, int);
    r->word_clusters = CMP_CARVE(c, r->d, int);
    r->class_of = CMP_CARVE(c, r->classes, int);
    r->objective = CMP_CARVE(c, cmp_add(r->iterations, 1), mtc_real);
}

/* I = sum p log p - sum_i p_i log p_i - sum_j p_j log p_j, p = P / all, where
 * 0 log 0 = 0; sums [P.d] is scratch. */
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
                j->table[side][z * j->k + (size_t)j->word[w]] +=
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
        mtc_real sum = 0;
        for (size_t b = 0; b < n; b++)
            sum += line[b * step];
        j->logs[side][e] = mtc_log(sum > 0 ? j->table[side][e] / sum : 0);
    }
}

/* Each document to the cluster whose word clusters suit its own best; the
 * scores of one without weight are all 0, and it stays. */
static void cocc_documents(cocc_job *j)
{
    const mtc_data *X = j->target;
    mtc_real *part = j->spare;                              /* f(d,w^) */
    log_shares(j, 0, 0);                                    /* f(w^|d^) */
    for (size_t i = 0; i < X->n; i++) {
        mtc_real mass = 0;
        memset(part, 0, j->k * sizeof *part);
        memset(j->score, 0, j->c * sizeof *j->score);
        for (size_t b = cmp_begin(X, i), e = b; e < cmp_end(X, i); e++) {
            part[j->word[cmp_column(X, b, e)]] += X->values[e];
            mass += X->values[e];
        }
        for (size_t z = 0; z < j->c; z++)
            for (size_t v = 0; v < j->k; v++)
                if (part[v] > 0)
                    j->score[z] += part[v] / mass * j->logs[0][z * j->k + v];
        size_t best = cmp_argmax(j->c, j->score);
        if (j->score[best] > j->score[j->cluster[i]] + COCC_GAIN)
            j->cluster[i] = (int)best;
    }
    memset(j->joint[0], 0, j->d * j->c * sizeof *j->joint[0]);
    cmp_class_weights(X, j->cluster, j->c, j->joint[0]);
}

/* Each word to the cluster that is spread over document clusters and classes
 * as it is itself; one without weight stays. */
static void cocc_words(cocc_job *j)
{
    log_shares(j, 0, 1);                                    /* f(d^|w^) */
    log_shares(j, 1, 1);                                    /* g(c|w^) */
    for (size_t w = 0; w < j->d; w++) {
        memset(j->score, 0, j->k * sizeof *j->score);
        for (int side = 0; side < 2; side++)
            for (size_t z = 0; z < j->c; z++) {
                mtc_real p = j->joint[side][w * j->c + z] / j->sum[side] *
                             j->weight[side];
                for (size_t v = 0; v < j->k && p > 0; v++)
                    j->score[v] += p * j->logs[side][z * j->k + v];
            }
        size_t best = cmp_argmax(j->k, j->score);
        if (j->score[best] > j->score[j->word[w]] + COCC_GAIN / 1000)
            j->word[w] = (int)best;
    }
}

/* AV = X'X V. */
static mtc_status cocc_apply(void *user, size_t d, size_t p, const mtc_real *V,
                             mtc_real *AV)
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
    mtc_real *V = CMP_TAKE(room, cmp_mul(d, r), mtc_real);
    mtc_real *w = CMP_TAKE(room, r, mtc_real);
    mtc_data all = cmp_stack(room, j->sets, j->n_sets);
    j->X = cmp_unit_rows(room, &all);
    j->XV = CMP_TAKE(room, cmp_mul(all.n, r + 8), mtc_real);
    mtc_status s = room->status;
    if (s == MTC_OK)
        s = mtc_eigen_operator(room->ctx, d, cocc_apply, j, r, (mtc_real)1e-4,
                               0, w, V, r, NULL);
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
    if (s == MTC_OK) {
        memcpy(j->word, km.labels, d * sizeof *j->word);
        mtc_free(room->ctx, &km.block);
    }
    return s;
}

/* Words in the order of the class each is most frequent in, and of how much it
 * is; the order cut into k pieces.  P[c,w] = g(c,w) / max(1, g(c)) + 1e-6,
 * columns to sum 1. */
static mtc_status words_by_class(cmp_room *room, cocc_job *j)
{
    mtc_real *key = j->spare, *mass = key + j->d, *P = j->score;
    size_t *order = CMP_TAKE(room, j->d, size_t);
    size_t *spare = CMP_TAKE(room, j->d, size_t);
    if (room->status != MTC_OK)
        return room->status;
    for (size_t e = 0; e < j->d * j->c; e++)
        mass[e % j->c] += j->joint[1][e];
    for (size_t w = 0; w < j->d; w++) {
        mtc_real sum = 0;
        for (size_t z = 0; z < j->c; z++)
            sum += P[z] = j->joint[1][w * j->c + z] /
                              (mass[z] > 1 ? mass[z] : 1) + (mtc_real)1e-6;
        size_t best = cmp_argmax(j->c, P);
        key[w] = (mtc_real)best + (mtc_real)0.999 * P[best] / sum;
    }
    cmp_sort(j->d, key, order, spare);
    for (size_t r = 0; r < j->d; r++)
        j->word[order[r]] = (int)((uint64_t)r * j->k / j->d);
    return MTC_OK;
}

/* Arrays, weights under the first labels, words by option. */
static mtc_status cocc_start(cmp_room *room, cocc_job *j,
                             const cmp_cocc_options *o,
                             const int *const *source_labels)
{
    size_t c = j->c, d = j->d, k = j->k;
    for (int side = 0; side < 2; side++) {
        j->joint[side] = CMP_TAKE(room, cmp_mul(d, c), mtc_real);
        j->table[side] = CMP_TAKE(room, cmp_mul(c, k), mtc_real);
        j->logs[side] = CMP_TAKE(room, cmp_mul(c, k), mtc_real);
    }
    j->score = CMP_TAKE(room, cmp_add(c, k), mtc_real);
    j->spare = CMP_TAKE(room, cmp_add(d, c), mtc_real);
    if (room->status != MTC_OK)
        return room->status;
    cmp_class_weights(j->target, j->cluster, c, j->joint[0]);
    for (size_t t = 0; t + 1 < j->n_sets; t++)
        cmp_class_weights(&j->sets[t], source_labels[t], c, j->joint[1]);
    for (int side = 0; side < 2; side++)
        for (size_t e = 0; e < d * c; e++)
            j->sum[side] += j->joint[side][e];
    mtc_random random = cmp_stream(room->ctx, 0);
    for (size_t w = 0; w < d; w++)
        j->word[w] = o->start_words != NULL ? o->start_words[w]
                                            : (int)mtc_random_below(&random, k);
    return o->start_words != NULL || o->start == CMP_WORDS_RANDOM ? MTC_OK
           : o->start == CMP_WORDS_CLASS ? words_by_class(room, j)
                                         : words_by_kmeans(room, j);
}

/* class_of [c]: the least of -sum_w^ f(d^,w^) log g(w^|c) over one-to-one maps,
 * g with a little more for words that the sources do not have. */
static mtc_status cocc_realign(cmp_room *room, cocc_job *j, int *class_of)
{
    mtc_real *cost = CMP_TAKE(room, cmp_mul(j->c, j->c), mtc_real);
    size_t *match = CMP_TAKE(room, j->c, size_t);
    if (room->status != MTC_OK)
        return room->status;
    for (size_t e = 0; e < j->c * j->k; e++)
        j->table[1][e] += (mtc_real)1e-3;
    log_shares(j, 1, 0);
    mtc_gemm(0, 1, j->c, j->c, j->k, -1, j->table[0], j->k, j->logs[1], j->k,
             0, cost, j->c, NULL);
    mtc_status s = mtc_assignment(room->ctx, j->c, j->c, cost, j->c, match,
                                  NULL, NULL, NULL);
    for (size_t z = 0; s == MTC_OK && z < j->c; z++)
        class_of[z] = (int)match[z];
    return s;
}

/* A2 to A5, from tables of the start. */
static mtc_status cocc_work(cmp_room *room, cocc_job *j, int realign,
                            cmp_cocc_result *r)
{
    size_t T = r->iterations, it = 0;
    mtc_data g = mtc_dense(j->d, j->c, j->joint[1]);
    mtc_real given = information(j->target, j->sum[0], j->spare) +
                     j->weight[1] * information(&g, j->sum[1], j->spare);
    mtc_status s = MTC_OK;
    r->objective[0] = given - cocc_fold(j);
    for (; s == MTC_OK && !r->converged && it < T; it++) {
        s = cmp_tick(room->ctx, "cocc", it, T);
        cocc_documents(j);                                      /* A2 */
        cocc_fold(j);
        cocc_words(j);                                          /* A3 */
        r->objective[it + 1] = given - cocc_fold(j);
        mtc_real fall = r->objective[it] - r->objective[it + 1];
        r->converged = !(fall >= COCC_GAIN);                    /* A4 */
    }
    r->iterations = it;
    for (size_t z = 0; z < j->c; z++)
        r->class_of[z] = (int)z;
    if (s == MTC_OK && realign)
        s = cocc_realign(room, j, r->class_of);                 /* A5 */
    for (size_t i = 0; i < r->n; i++)
        r->labels[i] = r->class_of[r->labels[i]];
    return s;
}

/* Naive Bayes checks the data and has the first labels. */
mtc_status cmp_cocc(mtc_context *ctx, const mtc_data *sources,
                    const int *const *source_labels, size_t n_sources,
                    const mtc_data *target, const cmp_cocc_options *opt,
                    cmp_cocc_result *res)
{
    const cmp_cocc_options usual = cmp_cocc_defaults();
    const cmp_cocc_options *o = opt != NULL ? opt : &usual;
    const cmp_nb_options no = {.classes = o->classes};
    cmp_nb_result nb;
    mtc_status s = cmp_check_options(
        ctx, res == NULL ? "result"
             : !cmp_is_real(o->lambda, 0, (mtc_real)1e9) ? "lambda: need 0..1e9"
             : o->words == 0 ? "words: need 1 or more"
             : (unsigned)o->start > CMP_WORDS_RANDOM
                 ? "start: need kmeans, class or random" : NULL);
    if (s == MTC_OK)
        s = cmp_nb(ctx, sources, source_labels, n_sources, target, &no, &nb);
    if (s != MTC_OK)
        return s;
    size_t c = o->classes, d = nb.d, k = o->words < d ? o->words : d;
    const int *labels = o->start_labels != NULL ? o->start_labels : nb.labels;
    cmp_room room = cmp_open(ctx);
    cmp_cocc_result r = {.n = nb.n, .classes = c, .d = d, .words = k,
                         .iterations = o->iterations};
    cmp_result(&room, cocc_shape, &r, sizeof r);
    cocc_job job = {.sets = cmp_with_target(&room, sources, n_sources, target),
                    .target = target, .n_sets = n_sources + 1, .c = c, .d = d,
                    .k = k, .cluster = r.labels, .word = r.word_clusters,
                    .sum = {CMP_TINY, CMP_TINY}, .weight = {1, o->lambda}};
    s = cmp_check_labels(ctx, labels, nb.n, c, n_sources);
    if (s == MTC_OK && o->start_words != NULL)
        s = cmp_check_labels(ctx, o->start_words, d, k, MTC_NONE);
    if (s == MTC_OK && (s = room.status) == MTC_OK) {
        memcpy(r.labels, labels, r.n * sizeof *labels);
        s = cocc_start(&room, &job, o, source_labels);          /* A1 */
    }
    if (s == MTC_OK)
        s = cocc_work(&room, &job, o->realign, &r);
    s = cmp_close(&room, s, &r, sizeof r, res);
    mtc_free(ctx, &nb.block);
    return s;
}
