/* SPDX-License-Identifier: MIT
 *
 * choose_experiment.c - how often mtc_choose finds the number of clusters.
 *
 *     build/choose_experiment [--markdown] [SETS]
 *
 * SETS (20) generated sets of three tasks for each kind, 120 samples a task and
 * 2 to 6 clusters, the same centers in every task, shifted in each.  Kinds:
 *
 *   round       Gaussian, centers 6 deviations apart
 *   long        Gaussian, each cluster stretched three times in a direction
 *   heavy       t distribution, 4 degrees of freedom
 *   unequal     sizes 1 : 2 : 3 ..., deviations from .6 to 1.4
 *   close       as round, but 4 deviations apart
 *   topics      counts of 200 words, sparse, tf-idf
 *   moons       two half circles that reach into one another; 2 columns
 *   rings       two rings, one within the other; 2 columns
 *   and of one cluster: Gaussian, uniform, exponential, log-normal, one long in
 *   a direction, curved (half a circle)
 *
 * Printed: the share of sets in which the answer is exact and within 1, of
 * all tasks together (common) and of each by itself (own); how often "clear"
 * was said, in brackets how often it was right then; beside it the silhouette,
 * k-means (best of 3) for k = 2..12, where there is more than one cluster.
 */
#include "../advice/mtc_advice.h"
#include "table.h"

enum { TASKS = 3, N = 120, D = 6, WORDS = 200, MOST = 12 };

typedef enum kind {
    ROUND, LONG, HEAVY, UNEQUAL, CLOSE, TOPICS, MOONS, RINGS, ONE_GAUSS,
    ONE_UNIFORM, ONE_SKEWED, ONE_LOGNORMAL, ONE_LONG, ONE_CURVED, KINDS
} kind;

static const char *const kind_name[KINDS] = {
    "round", "long", "heavy tails", "unequal", "close", "topics", "moons",
    "rings", "one cluster: Gaussian", "one cluster: uniform",
    "one cluster: exponential", "one cluster: log-normal", "one cluster: long",
    "one cluster: curved"};

static double normal(mtc_random *rng)
{
    return (double)mtc_random_normal(rng);
}

static double uniform(mtc_random *rng)
{
    return (double)mtc_random_real(rng);
}

/* k centers, no two nearer than `apart`. */
static void draw_centers(mtc_random *rng, size_t k, double apart,
                         double *center)
{
    for (size_t z = 0; z < k;) {
        int free = 1;
        for (size_t e = 0; e < D; e++)
            center[z * D + e] = 0.75 * apart * normal(rng);
        for (size_t y = 0; y < z; y++) {
            double square = 0;
            for (size_t e = 0; e < D; e++)
                square += pow(center[z * D + e] - center[y * D + e], 2);
            free &= square >= apart * apart;
        }
        z += (size_t)free;                      /* else drawn again */
    }
}

/* The cluster of sample i: all as large, or 1 : 2 : 3 ... */
static size_t cluster_of(kind what, size_t i, size_t k)
{
    size_t z = 0, end = 0;
    if (what != UNEQUAL)
        return i % k;
    for (; z < k; z++) {
        end += N * (z + 1) * 2 / (k * (k + 1));
        if (i < end)
            return z;
    }
    return k - 1;
}

static void dense_task(mtc_random *rng, kind what, size_t k,
                       const double *center, const double *axis, mtc_real *x)
{
    double shift[D];
    for (size_t e = 0; e < D; e++)
        shift[e] = 3 * normal(rng);
    for (size_t i = 0; i < N; i++) {
        size_t z = cluster_of(what, i, k);
        double chi = 0, along = 2.8 * normal(rng);
        double wide = what == UNEQUAL && k > 1
                          ? 0.6 + 0.8 * (double)z / (double)(k - 1) : 1;
        for (size_t e = 0; e < 4; e++)
            chi += pow(normal(rng), 2) / 4;
        for (size_t e = 0; e < D; e++) {
            double noise = what == ONE_UNIFORM  ? 3 * uniform(rng)
                           : what == ONE_SKEWED ? -log(1 - uniform(rng))
                           : what == ONE_LOGNORMAL ? exp(0.8 * normal(rng))
                           : what == HEAVY      ? normal(rng) / sqrt(chi)
                                                : wide * normal(rng);
            if (what == LONG || what == ONE_LONG)
                noise += along * axis[z * D + e];
            x[i * D + e] = (mtc_real)(shift[e] + center[z * D + e] + noise);
        }
    }
}

/* Half circles and rings in two columns, with a noise of .08. */
static void curved_task(mtc_random *rng, kind what, mtc_real *x)
{
    const double half = 3.14159265358979323846;
    for (size_t i = 0; i < N; i++) {
        double turn = half * uniform(rng) * (what == RINGS ? 2 : 1);
        int second = i % 2 == 1 && what != ONE_CURVED;
        double wide = what == RINGS && second ? 2 : 1;
        double a = wide * cos(turn), b = wide * sin(turn);
        if (what == MOONS && second) {
            a = 1 - a;
            b = 0.5 - b;
        }
        x[2 * i] = (mtc_real)(a + 0.08 * normal(rng));
        x[2 * i + 1] = (mtc_real)(b + 0.08 * normal(rng));
    }
}

/* 60 words a sample: half of them of its topic's 20, the rest of any. */
static void topic_task(mtc_random *rng, size_t k, mtc_real *x)
{
    memset(x, 0, (size_t)N * WORDS * sizeof *x);
    for (size_t i = 0; i < N; i++)
        for (size_t w = 0; w < 60; w++) {
            size_t word = w % 2 == 0
                ? i % k * 20 + mtc_random_below(rng, 20)
                : mtc_random_below(rng, WORDS);
            x[i * WORDS + word] += 1;
        }
    for (size_t w = 0; w < WORDS; w++) {
        size_t df = 0;
        for (size_t i = 0; i < N; i++)
            df += x[i * WORDS + w] > 0;
        for (size_t i = 0; i < N; i++)
            x[i * WORDS + w] *= (mtc_real)log((1.0 + N) / (1.0 + (double)df));
    }
    for (size_t i = 0; i < N; i++) {
        double square = 0;
        for (size_t w = 0; w < WORDS; w++)
            square += pow((double)x[i * WORDS + w], 2);
        for (size_t w = 0; w < WORDS; w++)
            x[i * WORDS + w] /= (mtc_real)sqrt(square);
    }
}

static void draw_set(mtc_random *rng, kind what, size_t k, mtc_real **x,
                     mtc_data *X)
{
    double center[6 * D] = {0}, axis[6 * D];
    int curved = what == MOONS || what == RINGS || what == ONE_CURVED;
    size_t d = what == TOPICS ? WORDS : curved ? 2 : D;
    if (what < TOPICS)
        draw_centers(rng, k, what == CLOSE ? 4 : what == LONG ? 8 : 6, center);
    for (size_t z = 0; z < 6; z++) {
        double square = 0;
        for (size_t e = 0; e < D; e++) {
            axis[z * D + e] = normal(rng);
            square += pow(axis[z * D + e], 2);
        }
        for (size_t e = 0; e < D; e++)
            axis[z * D + e] /= sqrt(square);
    }
    for (size_t t = 0; t < TASKS; t++) {
        if (what == TOPICS)
            topic_task(rng, k, x[t]);
        else if (curved)
            curved_task(rng, what, x[t]);
        else
            dense_task(rng, what, k, center, axis, x[t]);
        X[t] = mtc_dense(N, d, x[t]);
    }
}

/* Mean silhouette of k-means at k. */
static double silhouette_at(mtc_context *ctx, const mtc_data *X, size_t k)
{
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    mtc_real mean;
    o.clusters = k;
    o.restarts = 3;
    ex_try(mtc_kmeans(ctx, X, &o, &r), "k-means");
    ex_try(mtc_silhouette(ctx, X, r.labels, k, NULL, &mean), "silhouette");
    mtc_free(ctx, &r.block);
    return (double)mean;
}

static size_t by_silhouette(mtc_context *ctx, const mtc_data *X, size_t T)
{
    size_t best = 2;
    double top = -2;
    for (size_t k = 2; k <= MOST; k++) {
        double sum = 0;
        for (size_t t = 0; t < T; t++)
            sum += silhouette_at(ctx, &X[t], k);
        if (sum > top) {
            top = sum;
            best = k;
        }
    }
    return best;
}

/* Counts of one kind: of all tasks, then of each by itself. */
enum {
    ASKED, FOUND, FOUND_NEAR, CLEAR, CLEAR_RIGHT, SILHOUETTE, COUNTS
};

static int near(size_t a, size_t b)
{
    return a + 1 >= b && b + 1 >= a;
}

static void count(double *c, const mtc_choice *r, size_t truth,
                  size_t silhouette)
{
    int clear = r->verdict == MTC_VERDICT_CLEAR;
    c[ASKED]++;
    c[FOUND] += r->k == truth;
    c[FOUND_NEAR] += near(r->k, truth);
    c[CLEAR] += clear;
    c[CLEAR_RIGHT] += clear && r->k == truth;
    c[SILHOUETTE] += silhouette == truth;
}

/* Set s of a kind: counts [2*COUNTS]. */
static void run_set(const void *of, size_t s, double *c)
{
    kind what = *(const kind *)of;
    mtc_context ctx = mtc_context_defaults();
    mtc_real *x[TASKS];
    mtc_data X[TASKS];
    mtc_choose_result r;
    mtc_random rng = mtc_random_seed(1000 * (uint64_t)what + s);
    size_t k = what >= ONE_GAUSS ? 1 : what >= MOONS ? 2 : 2 + s % 5;
    ctx.seed = s + 1;
    for (size_t t = 0; t < TASKS; t++)
        x[t] = (mtc_real *)ex_grow(NULL, (size_t)N * WORDS, sizeof **x);
    draw_set(&rng, what, k, x, X);
    ex_try(mtc_choose(&ctx, X, TASKS, NULL, &r), "choose");
    count(c, &r.common, k, k > 1 ? by_silhouette(&ctx, X, TASKS) : 0);
    for (size_t t = 0; t < TASKS; t++) {
        count(c + COUNTS, &r.task[t], k,
              k > 1 ? by_silhouette(&ctx, &X[t], 1) : 0);
        free(x[t]);
    }
    mtc_free(&ctx, &r.block);
}

/* Four cells of the counts q. */
static void count_cells(ex_table *t, kind what, const double *q)
{
    double m = q[ASKED];
    ex_cell(t, "%.2f", q[FOUND] / m);
    ex_cell(t, "%.2f", q[FOUND_NEAR] / m);
    if (q[CLEAR] > 0)
        ex_cell(t, "%.2f (%.2f)", q[CLEAR] / m, q[CLEAR_RIGHT] / q[CLEAR]);
    else
        ex_blank(t);
    if (what < ONE_GAUSS)
        ex_cell(t, "%.2f", q[SILHOUETTE] / m);
    else
        ex_blank(t);
}

int main(int argc, char **argv)
{
    *ex_markdown() = ex_flag(&argc, argv, "--markdown");
    ex_jobs(&argc, argv);
    size_t sets = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 20;
    if (sets == 0)
        ex_die(argv[0], "SETS has to be 1 or more");
    ex_table t = ex_head("exact|common|within 1|clear|silhouette|own|within 1|"
                         "clear|silhouette");
    for (int what = 0; what < KINDS; what++) {
        kind of = (kind)what;
        double sum[2 * COUNTS] = {0};
        ex_progress((size_t)what, KINDS);
        double *each = ex_runs(sets, 2 * COUNTS, run_set, &of);
        for (size_t s = 0; s < sets; s++)
            for (size_t e = 0; e < 2 * COUNTS; e++)
                sum[e] += each[s * 2 * COUNTS + e];
        ex_cell(&t, "%s", kind_name[what]);
        count_cells(&t, of, sum);
        count_cells(&t, of, sum + COUNTS);
        free(each);
    }
    ex_progress(KINDS, KINDS);
    ex_print(&t);
    return 0;
}
