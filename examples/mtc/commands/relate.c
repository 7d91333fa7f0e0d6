/* SPDX-License-Identifier: MIT
 *
 * relate.c - relate: how far apart are two tasks, and is that more than chance?
 *
 * A distance between two samples is never 0, even if they come from one
 * source.  So each figure has its level under chance beside it: the samples
 * of both tasks are thrown together and dealt out again, 119 times for the MMD
 * and 59 times, with at most 500 samples a task, for what costs more.  Three
 * figures decide whether two tasks differ.  The level of each is what one deal
 * in sixty reaches, so that all three together are wrong in at most 5 % of
 * the pairs that do not differ.
 */
#include "../show/summary.h"
#include "../texts/texts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MMD_DEALS = 119, COLUMNS = MMD_DEALS + 1, DEALS = 59, BLOCK = 64 };
enum { ONE_IN = 60 };                   /* deals that reach the level */
enum { FEWEST = 10 };                   /* samples of a pair: 5 + 5 are dealt
                                           out in 126 ways, 4 + 4 in 35 */
enum { COLUMNS_SHOWN = 3, WIDER = 5 };  /* by file; in other units from here */
#define MMD_CANCEL 1e-3                 /* share of squares that is left */
#define DEAL_ROWS ((size_t)500)         /* of a task, where a figure is dear */

enum { MMD, A_DISTANCE, EMD, MEASURES };

static const char *const measure_name[MEASURES] = {"mmd", "a_distance", "emd"};

/* Figures of all pairs of tasks, or their levels under chance. */
typedef struct relation {
    size_t n;
    mtc_real *of[MEASURES];             /* [n*n]; of[EMD] NULL: no k */
} relation;

/* ---- dealing samples out again ---- */

/* order [n]: a permutation of 0..n-1. */
static void shuffle(mtc_random *rng, size_t n, size_t *order)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n; i-- > 1;) {
        size_t p = mtc_random_below(rng, i + 1), keep = order[i];
        order[i] = order[p];
        order[p] = keep;
    }
}

/* What one deal in sixty reaches: the second largest of 119, the largest of
 * 59.  x [n] is sorted. */
static double level(double *x, size_t n)
{
    qsort(x, n, sizeof *x, compare_reals);
    return x[n - (n + 1) / ONE_IN];
}

/* ---- maximum mean discrepancy ----
 *
 * MMD^2 = |mean phi(x) - mean phi(y)|^2 = c' K c over the samples of both tasks,
 * K_ij = exp(-gamma |x_i - x_j|^2), c = 1/n on the first task and -1/m on the
 * second: the biased estimate, the diagonal of K included. */

/* sum is |x_i|^2 + |x_k|^2.  Where the product cancels it, far from the origin,
 * the difference is taken first. */
static double sq_distance(const mtc_data *X, size_t i, size_t k, double sum,
                          double product)
{
    double sq = sum - 2 * product;
    return sq >= MMD_CANCEL * sum ? sq
                                  : (double)mtc_data_distance(X, i, X, k);
}

/* K [rows*N]: the kernel between samples first, first + 1 .. and all. */
static void kernel_rows(const mtc_data *X, const mtc_real *norm, double gamma,
                        size_t first, size_t rows, mtc_real *K, void *work)
{
    mtc_data some = *X;
    some.n = rows;
    if (X->row != NULL)
        some.row += first;
    else
        some.values += first * X->stride;
    mtc_data_gram(&some, X, K, X->n, work);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < X->n; k++) {
            mtc_real *at = &K[i * X->n + k];
            double sum = (double)norm[first + i] + (double)norm[k];
            *at = mtc_exp((mtc_real)(-gamma * sq_distance(
                X, first + i, k, sum, (double)*at)));
        }
}

/* c' K c for the columns of c [N*COLUMNS], block of rows by block. */
static void discrepancies(app *a, const mtc_data *X, double gamma,
                          const mtc_real *c, double *out)
{
    size_t N = X->n;
    mtc_real *norm = TAKE(a, N, mtc_real), *K = TAKE(a, BLOCK * N, mtc_real);
    mtc_real *Kc = TAKE(a, BLOCK * COLUMNS, mtc_real);
    void *work = take(a, mtc_data_work(X, X, COLUMNS), 1);
    mtc_data_norms(X, norm);
    memset(out, 0, COLUMNS * sizeof *out);
    for (size_t first = 0; first < N; first += BLOCK) {
        size_t rows = N - first < BLOCK ? N - first : BLOCK;
        const mtc_real *part = c + first * COLUMNS;
        kernel_rows(X, norm, gamma, first, rows, K, work);
        mtc_gemm(0, 0, rows, COLUMNS, N, 1, K, N, c, COLUMNS, 0, Kc, COLUMNS,
                 NULL);
        for (size_t i = 0; i < rows; i++)
            for (size_t b = 0; b < COLUMNS; b++)
                out[b] += (double)(part[i * COLUMNS + b] *
                                   Kc[i * COLUMNS + b]);
        safe_point(a, "mmd", first, N);
    }
    pool_release(Kc);
    pool_release(K);
    pool_release(norm);
}

/* sum_i |x_i - mean|^2. */
static double spread_of(app *a, const mtc_data *X)
{
    int *all = TAKE(a, X->n, int);              /* one cluster */
    mtc_real *mean = TAKE(a, X->d, mtc_real), share;
    mtc_data center = mtc_dense(1, X->d, mean);
    double spread = 0;
    mtc_data_means(X, all, 1, mean, &share);
    for (size_t i = 0; i < X->n; i++)
        spread += (double)mtc_data_distance(X, i, &center, 0);
    pool_release(mean);
    pool_release(all);
    return spread;
}

/* c [N*COLUMNS]: a column for each deal of `first` samples of N to one task and
 * the others to the other; the last one is the tasks as they are. */
static mtc_real *deal_signs(app *a, size_t N, size_t first, mtc_random *rng)
{
    size_t *order = TAKE(a, N, size_t);
    mtc_real *c = TAKE(a, N * COLUMNS, mtc_real);
    for (size_t b = 0; b < COLUMNS; b++) {
        if (b < MMD_DEALS)
            shuffle(rng, N, order);
        for (size_t i = 0; i < N; i++)
            c[(b < MMD_DEALS ? order[i] : i) * COLUMNS + b] = i < first
                ? 1 / (mtc_real)first : -1 / (mtc_real)(N - first);
    }
    pool_release(order);
    return c;
}

/* The MMD of two tasks, whose samples are X, and its level by these deals.
 * gamma is 1 / (mean squared distance between samples), 1 where that is 0. */
static void relate_means(app *a, const mtc_data *X, const mtc_real *c,
                         mtc_real *mmd, mtc_real *chance)
{
    double out[COLUMNS], square, spread = spread_of(a, X);
    double gamma = spread > 0 ? (double)(X->n - 1) / (2 * spread) : 1;
    discrepancies(a, X, gamma, c, out);
    square = out[MMD_DEALS];
    *mmd = (mtc_real)(square > 0 ? sqrt(square) : 0);   /* < 0: rounding */
    square = level(out, MMD_DEALS);
    *chance = (mtc_real)(square > 0 ? sqrt(square) : 0);
}

/* ---- partitions ---- */

/* k-means partitions of two data sets, and the EMD between them. */
static double partition_distance(job *j, const mtc_data *X, size_t k,
                                 const mtc_data *Y, size_t l)
{
    const mtc_data *data[2] = {X, Y};
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    mtc_kmeans_result res[2];
    mtc_real emd = 0;
    opt.restarts = j->set->restarts;
    opt.iterations = j->set->iterations;
    for (int h = 0; h < 2; h++) {
        opt.clusters = h == 0 ? k : l;
        check(j->a, j->ctx, mtc_kmeans(j->ctx, data[h], &opt, &res[h]),
              "relate");
    }
    check(j->a, j->ctx, mtc_partition_emd(j->ctx, X, res[0].labels, k, Y,
                                          res[1].labels, l, NULL, &emd),
          "relate");
    mtc_free(j->ctx, &res[1].block);
    mtc_free(j->ctx, &res[0].block);
    return (double)emd;
}

/* How many samples of a task are dealt out: enough for its clusters. */
static size_t dealt(size_t n, size_t k)
{
    size_t m = n < DEAL_ROWS ? n : DEAL_ROWS;
    return m < k ? k : m;
}

/* ---- all measures ---- */

static relation new_relation(app *a, size_t n, int emd)
{
    relation r = {n, {NULL}};
    for (int m = 0; m < (emd ? MEASURES : EMD); m++)
        r.of[m] = TAKE(a, n * n, mtc_real);
    return r;
}

/* Two tasks, and how their samples are dealt out again: m and l of them. */
typedef struct couple {
    const job *j;
    size_t s, t, m, l;
    relation *r, *chance;
    const char *name;                   /* it may be either's fault */
    task pool;                          /* both, stacked */
    mtc_real *signs;                    /* see deal_signs */
    size_t *order;                      /* [DEALS * (m + l)] */
    double far[DEALS], emd[DEALS];
} couple;

/* The job with memory and context of one piece. */
static job own_job(app *a, mtc_context *ctx, const job *j)
{
    job own = *j;
    *ctx = context_of(a, j->set->seed);
    own.a = a;
    own.ctx = ctx;
    return own;
}

/* Deal b: A-distance and EMD. */
static void deal(job *j, couple *c, size_t b)
{
    const size_t *order = c->order + b * (c->m + c->l);
    mtc_real x;
    task one = rows_at(j->a, &c->pool, order, c->m);
    task two = rows_at(j->a, &c->pool, order + c->m, c->l);
    mtc_data X = view_of(&one), Y = view_of(&two);
    check(j->a, j->ctx, mtc_a_distance(j->ctx, &X, &Y, &x), "relate");
    c->far[b] = (double)x;
    if (c->r->of[EMD] != NULL)
        c->emd[b] = partition_distance(j, &X, j->k[c->s], &Y, j->k[c->t]);
    release_rows(&two);
    release_rows(&one);
}

/* One of the figures of a pair; from MEASURES on, a deal each. */
static void relate_piece(app *a, void *of, size_t i)
{
    couple *c = (couple *)of;
    mtc_context ctx;
    job j = own_job(a, &ctx, c->j);
    relation *r = c->r;
    const mtc_data *X = &j.data[c->s], *Y = &j.data[c->t];
    size_t at = c->s * r->n + c->t;
    if (i == MMD) {
        mtc_data both = view_of(&c->pool);
        relate_means(a, &both, c->signs, &r->of[MMD][at],
                     &c->chance->of[MMD][at]);
    } else if (i == A_DISTANCE)
        check(a, &ctx, mtc_a_distance(&ctx, X, Y, &r->of[A_DISTANCE][at]),
              c->name);
    else if (i == EMD && r->of[EMD] != NULL)
        check(a, &ctx, mtc_partition_emd(&ctx, X, j.out[c->s].labels,
                                         j.k[c->s], Y, j.out[c->t].labels,
                                         j.k[c->t], NULL, &r->of[EMD][at]),
              c->name);
    else if (i >= MEASURES)
        deal(&j, c, i - MEASURES);
}

/* Draws all deals of a pair; the samples that they take. */
static void draw_deals(app *a, couple *c)
{
    const job *j = c->j;
    size_t n = c->pool.n, *order = TAKE(a, n, size_t);
    mtc_random rng = mtc_random_seed(j->set->seed +
                                     7919 * (c->s * j->n + c->t));
    c->signs = deal_signs(a, n, j->data[c->s].n, &rng);
    c->order = TAKE(a, DEALS * (c->m + c->l), size_t);
    for (size_t b = 0; b < DEALS; b++) {
        shuffle(&rng, n, order);
        memcpy(c->order + b * (c->m + c->l), order,
               (c->m + c->l) * sizeof *order);
    }
    pool_release(order);
}

/* All measures are symmetric: one computation fills both places. */
static void mirror(const relation *r, size_t s, size_t t)
{
    for (int m = 0; m < MEASURES; m++)
        if (r->of[m] != NULL)
            r->of[m][t * r->n + s] = r->of[m][s * r->n + t];
}

/* The figures of one pair and their levels, in both places. */
static void relate_pair(const job *j, const tasks *all, relation *r,
                        relation *chance, size_t s, size_t t)
{
    app *a = j->a;
    task both[2] = {all->at[s], all->at[t]};
    tasks two = {2, all->d, all->kept, both, NULL};
    couple *c = TAKE(a, 1, couple);
    c->j = j;
    c->s = s;
    c->t = t;
    c->m = dealt(j->data[s].n, j->k[s]);
    c->l = dealt(j->data[t].n, j->k[t]);
    c->r = r;
    c->chance = chance;
    c->name = formed(a, "%s and %s", j->name[s], j->name[t]);
    c->pool = stack_tasks(a, &two);
    draw_deals(a, c);
    run_pieces(a, j->set->jobs, MEASURES + DEALS, relate_piece, c);
    chance->of[A_DISTANCE][s * r->n + t] = (mtc_real)level(c->far, DEALS);
    if (r->of[EMD] != NULL)
        chance->of[EMD][s * r->n + t] = (mtc_real)level(c->emd, DEALS);
    mirror(r, s, t);
    mirror(chance, s, t);
    release_rows(&c->pool);
    pool_release(c->signs);
    pool_release(c->order);
    pool_release(c);
}

/* The partition of a task by itself. */
static void relate_task(app *a, void *of, size_t t)
{
    mtc_context ctx;
    job j = own_job(a, &ctx, (const job *)of);
    run_kmeans(&j, t);
}

/* Is the number of clusters of every task known? */
static int has_partitions(const job *j)
{
    size_t unknown = 0, first = 0;
    for (size_t t = j->n; t-- > 0;)
        if (j->k[t] == 0) {
            unknown++;
            first = t;
        }
    if (unknown > 0)
        inform(j->a, "no-emd", NULL, "%s%s: clusters are not compared, for no "
               "labels say how many there are; --k N does", j->name[first],
               unknown > 1 ? formed(j->a, " and %zu more", unknown - 1) : "");
    return unknown == 0;
}

/* All measures; the partitions are those of k-means. */
static void relate_all(job *j, const tasks *all, relation *r, relation *c)
{
    app *a = j->a;
    size_t pairs = j->n * (j->n - 1) / 2, pair = 0;
    int emd = has_partitions(j);
    *r = new_relation(a, j->n, emd);
    *c = new_relation(a, j->n, emd);
    progress_outer(a, READING, 2 * READING);
    if (emd)
        run_pieces(a, j->set->jobs, j->n, relate_task, j);
    progress_outer(a, 2 * READING, 1);
    for (size_t s = 0; s < j->n; s++)
        for (size_t t = s + 1; t < j->n; t++) {
            progress_part(a, pair++, pairs);
            relate_pair(j, all, r, c, s, t);
        }
}

/* ---- reports ---- */

/* A titled matrix [n*n], a row and a column for each task. */
static void put_relation(job *j, text *out, const char *title,
                         const mtc_real *x, int width)
{
    put(j->a, out, "%-*s", width, title);
    for (size_t t = 0; t < j->n; t++)
        put_heading(j->a, out, j->name[t], 12);
    put(j->a, out, "\n");
    for (size_t s = 0; s < j->n; s++) {
        const char *name = visible(j->a, j->name[s]);
        put(j->a, out, "%-*s", padded(name, width), name);
        for (size_t t = 0; t < j->n; t++)
            put(j->a, out, " %12.6g", (double)x[s * j->n + t]);
        put(j->a, out, "\n");
    }
}

/* Is a figure above its level, by more than the rounding of two ways to it? */
static int beyond(const relation *r, const relation *c, int m, size_t at)
{
    return r->of[m] != NULL &&
           (double)r->of[m][at] > (double)c->of[m][at] * (1 + 1e-5);
}

/* Do samples and clusters of a pair lie at other places? */
typedef struct verdict { int few, apart, moved; } verdict;

static verdict judge_pair(const job *j, const relation *r, const relation *c,
                          size_t s, size_t t)
{
    size_t at = s * r->n + t;
    verdict v;
    v.few = j->data[s].n + j->data[t].n < FEWEST;
    v.apart = !v.few && (beyond(r, c, MMD, at) ||
                         beyond(r, c, A_DISTANCE, at));
    v.moved = !v.few && beyond(r, c, EMD, at);
    return v;
}

/* What the figures of a pair that differs mean, in words. */
static void put_verdict(job *j, text *out, const relation *r,
                        const relation *c, size_t s, size_t t)
{
    size_t at = s * r->n + t;
    verdict v = judge_pair(j, r, c, s, t);
    put(j->a, out, "%s, %s: ", visible(j->a, j->name[s]),
        visible(j->a, j->name[t]));
    if (v.few)
        put(j->a, out, "too few samples to tell\n");
    else if (r->of[EMD] == NULL)
        put(j->a, out, "they differ\n");
    else if (!v.moved)
        put(j->a, out, "they differ, but the places of their clusters do not "
            "beyond chance\n");
    else
        put(j->a, out, "they differ, and so do the places of their clusters\n"
            "  (%.1f times the distance by chance); `mtc compare` tells "
            "whether sharing helps\n", c->of[EMD][at] > 0
            ? (double)(r->of[EMD][at] / c->of[EMD][at]) : HUGE_VAL);
}

/* The answer in a sentence, without its end; returns how many pairs differ. */
static size_t put_answer(job *j, text *out, const relation *r,
                         const relation *c)
{
    size_t pairs = 0, apart = 0, unknown = 0;
    for (size_t s = 0; s < j->n; s++)
        for (size_t t = s + 1; t < j->n; t++) {
            verdict v = judge_pair(j, r, c, s, t);
            pairs++;
            apart += v.apart || v.moved;
            unknown += v.few != 0;
        }
    if (pairs == 1) {
        put(j->a, out, "The two tasks %s",
            unknown > 0 ? "have too few samples to tell whether they differ"
            : apart > 0 ? "differ by more than chance"
                        : "do not differ by more than chance");
        return apart;
    }
    put(j->a, out, "%zu of %zu pairs of tasks differ%s by more than chance",
        apart, pairs, apart == 1 ? "s" : "");
    if (unknown > 0)
        put(j->a, out, "; %zu ha%s too few samples to tell", unknown,
            unknown == 1 ? "s" : "ve");
    return apart;
}

/* A line for every pair that differs, and one for all others. */
static void put_pairs(job *j, text *out, const relation *r, const relation *c)
{
    size_t alike = 0;
    for (size_t s = 0; s < j->n; s++)
        for (size_t t = s + 1; t < j->n; t++) {
            verdict v = judge_pair(j, r, c, s, t);
            if (v.few || v.apart || v.moved)
                put_verdict(j, out, r, c, s, t);
            else
                alike++;
        }
    if (alike > 0)
        put_wrapped(j->a, out, alike < j->n * (j->n - 1) / 2
            ? "All other pairs show no difference beyond chance: cluster --pool "
              "treats such tasks as one data set and has more rows to work "
              "with."
            : "cluster --pool treats them as one data set and has more rows to "
              "work with.");
}

/* ---- by columns ---- */

/* The median over the tasks besides t of x [n*d] in column f.  If two stand in
 * the middle, all between them is usual: the nearest of it to t's own. */
static double usual(const job *j, const double *x, size_t d, size_t t,
                    size_t f)
{
    size_t n = 0;
    double *others = TAKE(j->a, j->n, double), own = x[t * d + f];
    for (size_t s = 0; s < j->n; s++)
        if (s != t)
            others[n++] = x[s * d + f];
    qsort(others, n, sizeof *others, compare_reals);
    double low = others[(n - 1) / 2], high = others[n / 2];
    pool_release(others);
    return own < low ? low : own > high ? high : own;
}

/* A column of a task beside the others: how far its mean lies from theirs, in
 * deviations, 0 within three standard errors; and, if it seems to be in other
 * units, how many times as widely it spreads, else 1. */
typedef struct difference { double effect, spread; } difference;

static difference compare_column(const job *j, const double *mean,
                                 const double *deviation, size_t t, size_t f)
{
    size_t at = t * j->d + f;
    double wide = usual(j, deviation, j->d, t, f);
    double ratio = wide > 0 ? deviation[at] / wide : 1;
    double off = mean[at] - usual(j, mean, j->d, t, f);
    double noise = 3 * sqrt(2 / (double)j->data[t].n);
    difference v = {0, 1};
    if (ratio > WIDER || (ratio > 0 && ratio < 1.0 / WIDER))
        v.spread = ratio;
    else if (wide > 0 && fabs(off) > noise * wide)
        v.effect = off / wide;
    return v;
}

/* Are columns of task t compared?  Of two tasks those of the second are. */
static int has_differences(const job *j, const relation *r, const relation *c,
                           size_t t)
{
    int differs = 0;
    for (size_t u = 0; u < j->n; u++) {
        verdict v = judge_pair(j, r, c, u < t ? u : t, u < t ? t : u);
        differs |= u != t && (v.apart || v.moved);
    }
    return differs && (t > 0 || j->n > 2);
}

/* Which columns differ, by task [n*d]; of texts none, whose words are too rare
 * for that: NULL. */
static difference *find_differences(const job *j, const relation *r,
                                    const relation *c)
{
    size_t d = j->d;
    if (j->data[0].row != NULL)
        return NULL;
    difference *v = TAKE(j->a, j->n * d, difference);
    double *mean = TAKE(j->a, j->n * d, double);
    double *deviation = TAKE(j->a, j->n * d, double);
    for (size_t t = 0; t < j->n; t++)
        feature_spread(j->a, &j->data[t], 1, NULL, mean + t * d,
                       deviation + t * d);
    for (size_t t = 0; t < j->n; t++) {
        int compared = has_differences(j, r, c, t);
        for (size_t f = 0; f < d; f++)
            v[t * d + f] = compared
                ? compare_column(j, mean, deviation, t, f)
                : (difference){0, 1};
    }
    return v;
}

static int is_other_unit(const difference *v)
{
    return v->spread > 1 || v->spread < 1;
}

/* Columns of task t that spread otherwise than in the others, then "south:
 * higher spend, lower visits than in north", the largest first. */
static void put_columns(const job *j, text *out, const tasks *all,
                        const difference *own, size_t t)
{
    const char *others = j->n == 2 ? visible(j->a, j->name[0]) : "the others";
    double *effect = TAKE(j->a, j->d, double);
    size_t said = 0;
    for (size_t f = 0; f < j->d; f++) {
        effect[f] = own[f].effect;
        if (!is_other_unit(&own[f]) || said++ >= COLUMNS_SHOWN)
            continue;
        put_spread(j->a, out, all, t, f, own[f].spread, others);
        put(j->a, out, ", or other groups?\n");
    }
    for (said = 0; said < COLUMNS_SHOWN; said++) {
        size_t most = 0;
        for (size_t f = 1; f < j->d; f++)
            if (fabs(effect[f]) > fabs(effect[most]))
                most = f;
        const char *size = size_in_words(effect[most],
                                         is_yes_or_no(&all->at[t], most));
        if (size == NULL)
            break;
        put(j->a, out, said == 0 ? "%s: " : ", ", visible(j->a, j->name[t]));
        put(j->a, out, "%s %s", size,
            shown_feature(j->a, all, &all->at[t], most));
        effect[most] = 0;
    }
    if (said > 0)
        put(j->a, out, " than in %s\n", others);
    pool_release(effect);
}

/* The answer, the verdicts, and with --verbose the figures. */
static void print_relation(job *j, const tasks *all, const relation *r,
                           const relation *c, const difference *v)
{
    text t = {NULL, 0, 0};
    int width = name_width(all) < 12 ? 12 : name_width(all);
    size_t apart = put_answer(j, &t, r, c);
    put(j->a, &t, ".\n\n");
    if (j->n <= MANY_TASKS || j->set->verbose)
        put_pairs(j, &t, r, c);
    else if (apart > 0)
        put(j->a, &t, "--verbose shows which.\n");
    int tells = v != NULL && (j->n <= MANY_TASKS || j->set->verbose);
    for (size_t q = 0; q < j->n && tells; q++)
        put_columns(j, &t, all, v + q * j->d, q);
    for (int m = 0; m < MEASURES; m++)
        if (j->set->verbose && r->of[m] != NULL) {
            put(j->a, &t, "\n");
            put_relation(j, &t, measure_name[m], r->of[m], width);
            put_relation(j, &t, "by chance <", c->of[m], width);
        }
    save(j->a, "-", &t);
}

/* The three members of a relation. */
static void json_figures(app *a, text *t, const relation *r)
{
    for (int m = 0; m < MEASURES; m++) {
        put(a, t, "%s\"%s\": ", m == 0 ? "" : ",\n  ", measure_name[m]);
        if (r->of[m] != NULL)
            put_matrix(a, t, r->n, r->n, r->of[m]);
        else
            put(a, t, "null");
    }
}

/* All columns that differ, by task. */
static void json_differences(job *j, text *out, const tasks *all,
                             const difference *v)
{
    size_t said = 0;
    put(j->a, out, ",\n  \"differences\": [");
    for (size_t q = 0; v != NULL && q < j->n * j->d; q++) {
        const task *t = &all->at[q / j->d];
        int units = is_other_unit(&v[q]);
        if (!units && size_in_words(v[q].effect, 0) == NULL)
            continue;
        put(j->a, out, "%s\n    {\"task\": %s, \"column\": %s",
            said++ == 0 ? "" : ",", json_text(j->a, t->name),
            json_text(j->a, feature_name(j->a, all, t, q % j->d)));
        put(j->a, out, units ? ", \"kind\": \"units\", \"spread\": %.17g}"
                             : ", \"kind\": \"mean\", \"effect\": %.17g}",
            units ? v[q].spread : v[q].effect);
    }
    put(j->a, out, "]");
}

static void json_relation(job *j, const tasks *all, const relation *r,
                          const relation *c, const difference *v)
{
    text t = {NULL, 0, 0};
    json_begin(j->a, &t);
    json_figures(j->a, &t, r);
    put(j->a, &t, ",\n  \"chance\": {");
    json_figures(j->a, &t, c);
    put(j->a, &t, "}");
    json_differences(j, &t, all, v);
    put(j->a, &t, "\n}\n");
    save(j->a, j->set->json, &t);
}

/* The matrices, beside one another. */
static void svg_relation(job *j, const relation *r, const relation *c)
{
    text body = {NULL, 0, 0}, answer = {NULL, 0, 0};
    double x = 0, wide = heat_width(j->n);
    double below = SVG_TITLE + heat_height(j->n);
    static const char *const title[MEASURES] = {"MMD", "A-distance", "EMD"};
    for (int m = 0; m < MEASURES && r->of[m] != NULL; m++, x += wide)
        heat_map(j->a, &body, x, SVG_TITLE, title[m], j->n, j->name, r->of[m]);
    put_answer(j, &answer, r, c);
    put(j->a, &answer, ".");
    svg_put_text(j->a, &body, 4, below + 14, "start",
                 "The darker, the farther apart.");
    svg_put_text(j->a, &body, 4, below + 32, "start", answer.at);
    svg_write(j->a, j->set->svg, "mtc relate: how far apart are the tasks?",
              x > 560 ? x : 560, below + 42, &body);
}

/* mtc relate [options] TASK TASK... */
void run_relate(app *a, int argc, char **argv)
{
    settings set;
    relation r, chance;
    words files = parse_args(a, "relate", RELATE_OPTIONS, argc, argv, &set);
    need_operands(a, &files, set.split != NULL ? 1 : 2, SIZE_MAX,
                  "two TASK files or more, or --split");
    tasks all = load_together(a, &set, &files);
    doubt_labels(a, &set, &all);
    mtc_context ctx = context_of(a, set.seed);
    job j = new_job(a, &ctx, &set, all.n, all.d);
    for (size_t t = 0; t < j.n; t++) {
        j.name[t] = all.at[t].name;
        j.data[t] = view_of(&all.at[t]);
        j.k[t] = clusters_of(a, &set, t, &all.at[t]);
    }
    relate_all(&j, &all, &r, &chance);
    const difference *v = find_differences(&j, &r, &chance);
    wipe_progress(a);
    if (set.json != NULL)
        json_relation(&j, &all, &r, &chance, v);
    if (set.svg != NULL)
        svg_relation(&j, &r, &chance);
    if (!set.quiet && !is(set.json, "-") && !is(set.svg, "-"))
        print_relation(&j, &all, &r, &chance, v);
}
