/* SPDX-License-Identifier: MIT
 *
 * federated_mbc.c - MBC and k-means over MPI.  Rows stay on the rank that read
 * them; what travels are sums over clusters, K x d reals a task and iteration.
 *
 *     mpirun -np 4 build/federated_mbc --k 4 a.svm b.svm c.svm d.svm
 *
 * The steps are those of mtc_mbc, in its order [ZZ10]:
 *   A1  start: means of given labels, or of the rows nearest to K drawn ones
 *   A2  h(x) = argmin_z d(x || u_z)                  every rank, its own rows
 *   A3  sums over clusters, from rank to rank; then each rank moves all
 *       centroids, task by task, as (13) and (14) have it
 *   A4  a transportation problem for each pair of tasks, dealt out to the ranks
 *   A5  without --init: one numbering of clusters, that of the first task
 * lambda 0, or one task, is k-means, and A4 only tells which clusters match.
 *
 * With any number of ranks every sum has the same terms in the same order, that
 * of the rows in the files: a sum over rows on several ranks is passed on from
 * one to the next, cluster by cluster, so that all of them work at a time.
 */
#include "federated.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void check(const job *j, mtc_status s, const char *what)
{
    if (s != MTC_OK)
        give_up(BAD_DATA, "%s: %s%s%s", what, mtc_status_text(s),
                j->ctx.error.what != NULL ? ": " : "",
                j->ctx.error.what != NULL ? j->ctx.error.what : "");
}

/* A2. */
static void find_nearest(job *j)
{
    mtc_mbc_result model = {.tasks = j->T, .d = j->d, .clusters = j->k,
                            .centers = j->U, .smooth = j->opt.smooth,
                            .divergence = j->opt.divergence};
    for (size_t t = 0; t < j->T; t++)
        if (j->X[t].n > 0)
            check(j, mtc_mbc_assign(&j->ctx, &j->X[t], t, &model,
                                    j->labels[t]), "nearest centroids");
}

/* A3, task t: S += the rows here, in their order; the ranks before have begun,
 * those after go on.  A cluster is passed on as soon as it is done. */
static void sum_rows(job *j, size_t t)
{
    const mtc_data *X = &j->X[t];
    size_t d = j->d, k = j->k[t];
    size_t *order = zeros(X->n, sizeof *order);
    size_t *end = zeros(k + 1, sizeof *end);
    for (size_t i = 0; i < X->n; i++)
        end[j->labels[t][i] + 1]++;
    for (size_t z = 0; z < k; z++) {
        j->count[t * j->most + z] = (mtc_real)end[z + 1];
        end[z + 1] += end[z];
    }
    for (size_t i = 0; i < X->n; i++)           /* end[z]: from begin to end */
        order[end[j->labels[t][i]]++] = i;
    for (size_t z = 0, a = 0; z < k; z++) {
        mtc_real *sum = j->S[t] + z * d;
        go_on(j, t, sum, d);
        for (; a < end[z]; a++)
            mtc_data_axpy(X, order[a], 1, sum);
        pass_on(j, t, sum, d);
    }
    free(order);
    free(end);
}

/* A3: what travels.  Afterwards S and count are the same everywhere. */
static void exchange_sums(job *j)
{
    memset(j->count, 0, j->T * j->most * sizeof *j->count);
    for (size_t t = 0; t < j->T; t++)
        if (j->X[t].n > 0)
            sum_rows(j, t);
    add_up(j, j->count, j->T * j->most);
    for (size_t t = 0; t < j->T; t++)
        send_to_all(j, j->S[t], j->k[t] * j->d, last_holder(j, t));
}

static const mtc_real *plan_of(const job *j, size_t t, size_t s)
{
    return j->plans + (t * j->T + s) * j->most * j->most;   /* W^ts */
}

/* left = the mean of the u^s_l that the plans bring to cluster z of task t;
 * right, by gradients, of those that they take it to.  spare [2*d]. */
static void mean_partners(const job *j, size_t t, size_t z, mtc_real *left,
                          mtc_real *right, mtc_real *spare)
{
    size_t d = j->d, k = j->k[t];
    int symmetric = j->opt.divergence == NULL;
    mtc_real scale = (mtc_real)k / (mtc_real)(j->T - 1);
    mtc_real *gradient = spare, *sum = spare + d;
    memset(left, 0, d * sizeof *left);
    memset(sum, 0, d * sizeof *sum);
    for (size_t s = 0; s < j->T; s++)
        for (size_t l = 0; l < j->k[s] && s != t; l++) {
            const mtc_real *u = j->U[s] + l * d;
            mtc_real from = plan_of(j, s, t)[l * k + z];
            mtc_real to = plan_of(j, t, s)[z * j->k[s] + l];
            if (from > 0)
                mtc_axpy(d, scale * from, u, left);
            if (symmetric || !(to > 0))
                continue;
            j->div.gradient(j->div.user, d, u, gradient);
            mtc_axpy(d, scale * to, gradient, sum);
        }
    if (symmetric)
        memcpy(right, left, d * sizeof *right);     /* W^ts = (W^st)' */
    else
        j->div.inverse(j->div.user, d, sum, right);
}

/* A3: all centroids, those of task t with the new ones of tasks before it.
 * B = lambda / K_t is the pull of other tasks; 0: means alone. */
static void move_centroids(job *j, mtc_real lambda)
{
    size_t d = j->d;
    mtc_real *left = zeros(4 * d, sizeof *left), *right = left + d;
    for (size_t t = 0; t < j->T; t++)
        for (size_t z = 0; z < j->k[t]; z++) {
            mtc_real *u = j->U[t] + z * d, *mean = j->S[t] + z * d;
            mtc_real members = j->count[t * j->most + z];
            mtc_real own = members / (mtc_real)j->n[t];
            mtc_real B = lambda / (mtc_real)j->k[t];
            for (size_t e = 0; e < d; e++)  /* an empty one is where it was */
                mean[e] = members > 0 ? mean[e] / members + j->opt.smooth
                                      : u[e];
            if (B == 0) {
                memcpy(u, mean, d * sizeof *u);
                continue;
            }
            mtc_real share = B / (own + B);         /* of 1, which is A */
            mean_partners(j, t, z, left, right, right + d);
            for (size_t e = 0; e < d; e++)
                left[e] = own / (own + B) * mean[e] + share * left[e];
            check(j, mtc_mbc_centroid(&j->ctx, j->opt.divergence,
                                      MTC_CENTROID_EXACT, d, 1, share, left,
                                      right, u), "centroids");
        }
    free(left);
}

/* A4 for one pair: the plan W^ts at cost d(u^t_z || u^s_l), marginals 1/K_t and
 * 1/K_s as the integers K_s and K_t. */
static void solve_pair(job *j, size_t t, size_t s, mtc_real *W)
{
    size_t d = j->d, k = j->k[t], ks = j->k[s];
    mtc_real *D = zeros(k * ks + k + ks, sizeof *D);
    mtc_real *supply = D + k * ks, *demand = supply + k;
    mtc_emd_info info;
    for (size_t z = 0; z < k; z++)
        for (size_t l = 0; l < ks; l++)
            D[z * ks + l] = j->div.value(j->div.user, d, j->U[t] + z * d,
                                         j->U[s] + l * d);
    for (size_t z = 0; z < k; z++)
        supply[z] = (mtc_real)ks;
    for (size_t l = 0; l < ks; l++)
        demand[l] = (mtc_real)k;
    check(j, mtc_emd(&j->ctx, k, ks, D, ks, supply, demand, NULL, W, NULL,
                     NULL, &info), "transport");
    for (size_t e = 0; e < k * ks; e++)
        W[e] /= (mtc_real)k * (mtc_real)ks;
    j->cost[t * j->T + s] = info.cost / ((mtc_real)k * (mtc_real)ks);
    free(D);
}

/* A4: pair after pair to the next rank.  Returns the sum of <W, D>. */
static mtc_real solve_plans(job *j)
{
    size_t T = j->T, room = j->most * j->most, pair = 0;
    int symmetric = j->opt.divergence == NULL;      /* W^st = (W^ts)' */
    mtc_real coupling = 0;
    memset(j->plans, 0, T * T * (room + 1) * sizeof *j->plans);
    for (size_t t = 0; t < T; t++)
        for (size_t s = symmetric ? t + 1 : 0; s < T; s++)
            if (s != t && pair++ % (size_t)j->ranks == (size_t)j->rank)
                solve_pair(j, t, s, j->plans + (t * T + s) * room);
    add_up(j, j->plans, T * T * (room + 1));        /* and the costs */
    for (size_t t = 0; t < T; t++)
        for (size_t s = symmetric ? t + 1 : 0; s < T; s++) {
            mtc_real *back = j->plans + (s * T + t) * room;
            for (size_t e = 0; e < j->k[t] * j->k[s] && symmetric; e++)
                back[e % j->k[s] * j->k[t] + e / j->k[s]] =
                    plan_of(j, t, s)[e];
            coupling += (symmetric ? 2 : 1) * j->cost[t * T + s];
        }
    return coupling;
}

/* d(x_i + smooth || u) over the columns that row i stores, and `empty`, the
 * distance of a row that stores none, less what it has there.  [3*d]. */
static mtc_real distance(const job *j, const mtc_data *X, size_t i,
                         const mtc_real *u, mtc_real empty, mtc_real *spare)
{
    size_t begin = X->row[i], m = X->row[i + 1] - begin;
    mtc_real *x = spare, *none = x + m, *at = none + m;
    for (size_t e = 0; e < m; e++) {
        x[e] = X->values[begin + e] + j->opt.smooth;
        none[e] = j->opt.smooth;
        at[e] = u[X->column[begin + e]];
    }
    mtc_real far = empty - j->div.value(j->div.user, m, none, at) +
                   j->div.value(j->div.user, m, x, at);
    return far > 0 ? far : 0;                       /* rounding */
}

/* The mean distance of the rows of each task to their centroids, (3). */
static void sum_distances(job *j)
{
    size_t d = j->d;
    mtc_real *spare = zeros(3 * d, sizeof *spare);
    mtc_real *empty = zeros(j->most, sizeof *empty);
    memset(j->within, 0, j->T * sizeof *j->within);
    for (size_t t = 0; t < j->T; t++) {
        const mtc_data *X = &j->X[t];
        mtc_real *far = zeros(X->n, sizeof *far), sum = 0;
        for (size_t e = 0; e < d; e++)
            spare[e] = j->opt.smooth;
        for (size_t z = 0; z < j->k[t] && X->n > 0; z++)
            empty[z] = j->div.value(j->div.user, d, spare, j->U[t] + z * d);
        for (size_t i = 0; i < X->n; i++) {
            size_t z = (size_t)j->labels[t][i];
            far[i] = distance(j, X, i, j->U[t] + z * d, empty[z], spare);
        }
        if (X->n > 0)
            go_on(j, t, &sum, 1);                   /* in the rows' order */
        for (size_t i = 0; i < X->n; i++)
            sum += far[i];
        if (X->n > 0)
            pass_on(j, t, &sum, 1);
        if (j->rank == last_holder(j, t))
            j->within[t] = sum / (mtc_real)j->n[t];
        free(far);
    }
    add_up(j, j->within, j->T);
    free(spare);
    free(empty);
}

/* A4 where it counts, and the loss (9) under the labels. */
static mtc_real loss(job *j, mtc_real lambda)
{
    mtc_real coupling = lambda > 0 ? solve_plans(j) : 0;
    mtc_real total = j->T > 1 ? lambda / (mtc_real)(j->T - 1) * coupling : 0;
    sum_distances(j);
    for (size_t t = 0; t < j->T; t++)
        total += j->within[t];
    if (!(total < HUGE_VAL))
        give_up(BAD_DATA, "the values are too large: the loss overflows");
    return total;
}

/* A1: centroids are the means of the first labels. */
static void start(job *j)
{
    for (size_t t = 0; t < j->T && j->set.init == NULL; t++)
        draw_seeds(j, t);
    if (j->set.init == NULL)
        find_nearest(j);
    exchange_sums(j);
    for (size_t t = 0; t < j->T && j->set.init != NULL; t++)
        begin_at_mean(j, t);
    move_centroids(j, 0);
}

/* Algorithm 1. */
static void descend(job *j)
{
    mtc_real lambda = j->T > 1 ? (mtc_real)j->set.lambda : 0;
    mtc_real *f = j->objective;
    start(j);
    f[0] = loss(j, lambda);
    double began = MPI_Wtime(), before = j->received;
    j->busy = -(double)clock() / CLOCKS_PER_SEC;
    while (j->iterations < (size_t)j->set.iterations && !j->converged) {
        size_t it = ++j->iterations;
        find_nearest(j);                            /* A2 */
        exchange_sums(j);
        move_centroids(j, lambda);                  /* A3 */
        f[it] = loss(j, lambda);                    /* A4 */
        if (f[it] > f[it - 1])
            f[it] = f[it - 1];                      /* it rose by rounding */
        j->converged = j->set.tolerance >= 0 &&
                       f[it - 1] - f[it] <=
                           (mtc_real)j->set.tolerance * f[it - 1];
        if (j->rank == 0 && !j->set.quiet)
            fprintf(stderr, "iteration %zu: %.10g, %.2f s\n", it,
                    (double)f[it], MPI_Wtime() - began);
    }
    j->seconds = MPI_Wtime() - began;
    j->busy += (double)clock() / CLOCKS_PER_SEC;
    before = j->received - before;
    if (!(lambda > 0))
        solve_plans(j);                             /* for the numbers */
    for (size_t t = 1; t < j->T && j->set.init == NULL; t++)
        number_clusters(j, t);                      /* A5 */
    if (j->set.init == NULL)
        solve_plans(j);                             /* in these numbers */
    j->received = before;                           /* of the iterations */
}

int main(int argc, char **argv)
{
    job j = {.rank = 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &j.ranks);
    set_up(&j, argc, argv);
    if (strcmp(j.set.method, "lssmtc") == 0)
        descend_lssmtc(&j);
    else
        descend(&j);
    int status = report(&j);
    MPI_Finalize();
    return status;
}
