/* SPDX-License-Identifier: MIT
 *
 * samtc.c - self-adapted multi-task clustering (Zhang, Zhang & Liu, IJCAI
 * 2016), on mtc_ncut and mtc_neighbors.
 *
 *   A1  h_t: clusters of each task by itself
 *   A2  K Gaussian, sigma the median distance over all tasks; the density of a
 *       cluster a of task t on the samples x of t and s together,
 *         p_a(x) ~ mean_{i in a} K(x, x_i),   sum_x p_a(x) = 1
 *       J_ab = 1/2 KL(p_a || m) + 1/2 KL(p_b || m),  m = (p_a + p_b) / 2
 *   A3  a, b are a pair if each is nearest to the other; ts: the samples of t
 *       in paired clusters, st: those of s
 *   A4  g_ts = mean K(ts, st) / sqrt(mean K(ts, ts) mean K(st, st))
 *   A5  S_t = N_t N_t' / l_t + sum_s g_ts N_ts N_ts' / l_s, times K, diagonal
 *       0; N_t: the l_t nearest in the task; N_ts: of ts the l_s nearest in st
 *   A6  normalized cut of S_t
 *
 *   C clusters and N samples of all tasks, numbered on from task to task
 *   c(i)  of [N]       cluster of sample i   J, g  r.divergence, r.relatedness
 *   K H   P [N*C]      sum_{i in a} K(x, x_i)   H'KH  Q [C*C]  that over x in b
 * The sums are all that A2 to A4 need of K, which is not kept: p_a is column a
 * of P, rows of t and s, over its sum, found in Q; means cancel in g.
 *
 * Reconstructed: the steps and bounds of l are the original's; first clustering
 *   (spectral, on cosines), density, rule of matching, relatedness and sum of
 *   similarities are ours.  Labels come out about as good as the first ones.
 */
#define CMP_INTERNAL
#include "compared.h"

typedef struct samtc_job {
    cmp_samtc_result r;
    const mtc_data *tasks;
    const cmp_samtc_options *o;
    mtc_data X;                         /* all tasks, stacked */
    size_t C, *of;                      /* c(i) */
    size_t *sample, *cluster;           /* [T+1] a task's first */
    mtc_real *P, *Q;                    /* [N*C] [C*C]; Q_aa = 0: a is empty */
} samtc_job;

cmp_samtc_options cmp_samtc_defaults(void)
{
    return (cmp_samtc_options){.clusters = 2, .mu1 = (mtc_real)0.5,
                               .mu2 = (mtc_real)0.1, .restarts = 10};
}

static void samtc_shape(adv_carver *c, void *job)
{
    samtc_job *j = (samtc_job *)job;
    cmp_samtc_result *r = &j->r;
    size_t T = r->tasks, pairs = adv_mul(T, T);
    r->clusters = ADV_CARVE(c, T, size_t);
    r->k_effective = ADV_CARVE(c, T, size_t);
    r->neighbors = ADV_CARVE(c, T, size_t);
    r->relatedness = ADV_CARVE(c, pairs, mtc_real);
    r->labels = cmp_carve_labels(c, j->tasks, T);
    r->first_labels = cmp_carve_labels(c, j->tasks, T);
    r->S = cmp_carve_rows(c, j->tasks, T, 0);
    r->divergence = ADV_CARVE(c, pairs, mtc_real *);
    r->matched = ADV_CARVE(c, pairs, int *);
    int *matched = ADV_CARVE(c, adv_mul(T, j->C), int);
    mtc_real *J = ADV_CARVE(c, adv_mul(j->C, j->C), mtc_real);
    for (size_t t = 0; c->base != NULL && t < T; t++)
        r->clusters[t] = cmp_clusters(j->o->clusters, j->o->clusters_of, t);
    for (size_t p = 0; c->base != NULL && p < pairs; p++) {
        size_t t = p / T, s = p % T;
        r->divergence[p] = s != t ? J : NULL;       /* none with itself */
        r->matched[p] = s != t ? matched : NULL;
        J += r->clusters[t] * r->clusters[s], matched += r->clusters[t];
    }
}

/* A1, and the numbers of clusters among all. */
static mtc_status samtc_first(mtc_context *ctx, samtc_job *j)
{
    mtc_ncut_options o = mtc_ncut_defaults();       /* complete, cosines */
    o.restarts = j->o->restarts;
    for (size_t t = 0; t < j->r.tasks; t++) {
        size_t n = j->tasks[t].n;
        int *first = j->r.first_labels[t];
        mtc_ncut_result cut = {.labels = NULL};
        o.clusters = j->r.clusters[t];
        if (j->o->start_labels == NULL)
            ADV_TRY(mtc_ncut(ctx, &j->tasks[t], &o, &cut));
        memcpy(first, cut.labels != NULL ? cut.labels : j->o->start_labels[t],
               n * sizeof *first);
        mtc_free(ctx, &cut.block);
        j->sample[t + 1] = j->sample[t] + n;
        j->cluster[t + 1] = j->cluster[t] + o.clusters;
        for (size_t i = 0; i < n; i++)
            j->of[j->sample[t] + i] = j->cluster[t] + (size_t)first[i];
    }
    return MTC_OK;
}

/* A2: P = K H and Q = H'P, every pair of samples once. */
static mtc_status samtc_densities(mtc_context *ctx, samtc_job *j)
{
    size_t N = j->X.n, C = j->C;
    mtc_real width = 2 * j->r.sigma * j->r.sigma;
    for (size_t x = 0; x < N; x++) {
        for (size_t y = 0; y <= x; y++) {
            mtc_real K = mtc_exp(-cmp_squared_distance(&j->X, x, y) / width);
            j->P[x * C + j->of[y]] += K;
            j->P[y * C + j->of[x]] += y < x ? K : 0;
        }
        ADV_TRY(adv_tick(ctx, "densities", x + 1, N));
    }
    for (size_t x = 0; x < N; x++)
        mtc_axpy(C, 1, j->P + x * C, j->Q + j->of[x] * C);
    return MTC_OK;
}

/* A2: J of cluster a of task t and b of s > t, both numbered among all. */
static mtc_real samtc_divergence(const samtc_job *j, size_t t, size_t s,
                                 size_t a, size_t b)
{
    const size_t C = j->C, *z = j->cluster, *x = j->sample;
    const mtc_real most = mtc_log(2);
    mtc_real sum_a = 0, sum_b = 0, J = 0;
    if (!(j->Q[a * C + a] > 0 && j->Q[b * C + b] > 0))
        return most;                                /* one has no density */
    for (size_t i = z[t]; i < z[s + 1]; i = i + 1 == z[t + 1] ? z[s] : i + 1) {
        sum_a += j->Q[i * C + a];                   /* of t, then of s */
        sum_b += j->Q[i * C + b];
    }
    for (size_t i = x[t]; i < x[s + 1]; i = i + 1 == x[t + 1] ? x[s] : i + 1) {
        mtc_real p = j->P[i * C + a] / sum_a, q = j->P[i * C + b] / sum_b;
        J += p > 0 ? p * mtc_log(2 * p / (p + q)) / 2 : 0;
        J += q > 0 ? q * mtc_log(2 * q / (p + q)) / 2 : 0;
    }
    return J < 0 ? 0 : J < most ? J : most;         /* but for rounding */
}

/* The cluster of s nearest to cluster a of t, lowest on a tie; empty ones are
 * nearest to none. */
static size_t samtc_nearest(const samtc_job *j, size_t t, size_t s, size_t a)
{
    size_t ks = j->r.clusters[s], best = MTC_NONE;
    const mtc_real *J = j->r.divergence[t * j->r.tasks + s] + a * ks;
    for (size_t b = 0; b < ks; b++) {
        size_t z = j->cluster[s] + b;
        if (j->Q[z * j->C + z] > 0 && (best == MTC_NONE || J[b] < J[best]))
            best = b;
    }
    return best;
}

/* A2 to A4 for tasks t < s; g by sums of Q over the clusters paired. */
static void samtc_pair(samtc_job *j, size_t t, size_t s)
{
    size_t T = j->r.tasks, C = j->C, t0 = j->cluster[t];
    size_t s0 = j->cluster[s], kt = j->r.clusters[t], ks = j->r.clusters[s];
    int *to = j->r.matched[t * T + s], *from = j->r.matched[s * T + t];
    mtc_real cross = 0, own = 0, other = 0;
    for (size_t a = 0; a < kt; a++)
        for (size_t b = 0; b < ks; b++) {
            mtc_real J = samtc_divergence(j, t, s, t0 + a, s0 + b);
            j->r.divergence[t * T + s][a * ks + b] = J;
            j->r.divergence[s * T + t][b * kt + a] = J;
            from[b] = -1;
        }
    for (size_t a = 0; a < kt; a++) {                           /* A3 */
        size_t b = samtc_nearest(j, t, s, a);
        to[a] = samtc_nearest(j, s, t, b) == a ? (int)b : -1;
        if (to[a] >= 0)
            from[b] = (int)a;
    }
    for (size_t a = 0; a < kt; a++)                             /* A4 */
        for (size_t c = 0; to[a] >= 0 && c < kt; c++)
            if (to[c] >= 0) {
                size_t b = s0 + (size_t)to[a], e = s0 + (size_t)to[c];
                cross += j->Q[(t0 + a) * C + e];
                own += j->Q[(t0 + a) * C + t0 + c];
                other += j->Q[b * C + e];
            }
    mtc_real g = cross > 0 ? cross / ADV_SQRT(own) / ADV_SQRT(other) : 0;
    j->r.relatedness[t * T + s] = j->r.relatedness[s * T + t] = g < 1 ? g : 1;
}

/* A5: what task s adds to S_t by ts and st, copied. */
static mtc_status samtc_help(adv_desk *desk, samtc_job *j, size_t t, size_t s)
{
    const size_t T = j->r.tasks, from[2] = {t, s};
    union adv_piece *mark = desk->last;
    size_t pairs = 0, *rows[2];
    mtc_data part[2];
    for (size_t a = 0; a < j->r.clusters[t]; a++)
        pairs += j->r.matched[t * T + s][a] >= 0;
    for (size_t v = 0; v < 2; v++) {
        const mtc_data *X = &j->tasks[from[v]];
        const int *to = j->r.matched[from[v] * T + from[1 - v]];
        size_t m = 0;
        rows[v] = ADV_TAKE(desk, X->n, size_t);
        ADV_TRY(desk->status);
        for (size_t i = 0; i < X->n; i++)
            if (to[j->r.first_labels[from[v]][i]] >= 0)
                rows[v][m++] = i;
        part[v] = cmp_copy(desk, X, 1, m, rows[v]);
    }
    size_t m = part[1].n, l = cmp_snn_count(j->o->mu2, m, pairs, m);  /* l_s */
    ADV_TRY(desk->status);
    ADV_TRY(cmp_snn_add(desk, &part[1], &part[0], rows[0], l,
                        j->r.relatedness[t * T + s], j->tasks[t].n,
                        j->r.S[t]));
    adv_release(desk, mark);
    return MTC_OK;
}

static mtc_status samtc_work(adv_desk *desk, void *job)
{
    samtc_job *j = (samtc_job *)job;
    size_t T = j->r.tasks;
    ADV_SIZES(desk, T + 1, &j->sample, &j->cluster);
    j->X = cmp_stack(desk, j->tasks, T);
    ADV_SIZES(desk, j->X.n, &j->of);
    ADV_REALS(desk, adv_mul(j->X.n, j->C), &j->P);
    ADV_REALS(desk, adv_mul(j->C, j->C), &j->Q);
    j->r.sigma = cmp_median_distance(desk, j->tasks, T);
    ADV_TRY(desk->status);
    ADV_TRY(samtc_first(desk->ctx, j));                         /* A1 */
    if (T > 1)                                      /* else nothing matches */
        ADV_TRY(samtc_densities(desk->ctx, j));                 /* A2 */
    for (size_t t = 0; t < T; t++) {
        j->r.relatedness[t * T + t] = 1;
        for (size_t u = 0; u < t; u++)
            samtc_pair(j, u, t);                                /* A2 to A4 */
    }
    for (size_t t = 0; t < T; t++) {
        size_t n = j->tasks[t].n, k = j->r.clusters[t];
        j->r.neighbors[t] = cmp_snn_count(j->o->mu1, n, k, n - 1);
        ADV_TRY(cmp_snn_add(desk, &j->tasks[t], NULL, NULL, j->r.neighbors[t],
                            1, n, j->r.S[t]));                  /* A5 */
        for (size_t u = 0; u < T; u++)
            if (u != t)
                ADV_TRY(samtc_help(desk, j, t, u));
        ADV_TRY(cmp_snn_cluster(desk, &j->tasks[t], j->r.sigma, j->r.S[t], k,
                                j->o->restarts, j->r.labels[t],
                                &j->r.k_effective[t]));         /* A6 */
    }
    return MTC_OK;
}

mtc_status cmp_samtc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                     const cmp_samtc_options *opt, cmp_samtc_result *res)
{
    const cmp_samtc_options usual = cmp_samtc_defaults(),
                            *o = opt != NULL ? opt : &usual;
    samtc_job j = {.r = {.tasks = n_tasks}, .tasks = tasks, .o = o};
    ADV_TRY(cmp_check_tasks(
        ctx, res == NULL        ? "result"
             : o->restarts == 0 ? "restarts: need 1 or more"
             : !cmp_is_real(o->mu1, ADV_TINY, ADV_HUGE) ? "mu1: need above 0"
             : !cmp_is_real(o->mu2, ADV_TINY, ADV_HUGE) ? "mu2: need above 0"
                                                        : NULL,
        tasks, n_tasks, o->clusters, o->clusters_of, o->start_labels));
    for (size_t t = 0; t < n_tasks; t++)
        j.C = adv_add(j.C, cmp_clusters(o->clusters, o->clusters_of, t));
    return cmp_run(ctx, samtc_shape, samtc_work, &j, sizeof j.r, res);
}
