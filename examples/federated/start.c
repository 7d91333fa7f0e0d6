/* SPDX-License-Identifier: MIT
 *
 * start.c - MBC's A1 and A5: the first centroids, the last numbers; and the
 * labels that LSSMTC begins with
 */
#include "federated.h"

#include <stdlib.h>
#include <string.h>

/* The generator of task t. */
static mtc_random stream_of(uint64_t seed, uint64_t t)
{
    uint64_t mixed = mtc_random_seed(seed).s[0] ^ t;
    return mtc_random_seed(mtc_random_seed(mixed).s[0]);
}

/* A1 without labels: K different rows of task t (Floyd's algorithm), each from
 * the rank that has it. */
void draw_seeds(job *j, size_t t)
{
    size_t k = j->k[t], d = j->d, *pick = zeros(k, sizeof *pick);
    mtc_random random = stream_of((uint64_t)j->set.seed, t);
    for (size_t z = 0; z < k; z++) {
        size_t top = j->n[t] - k + z, row = mtc_random_below(&random, top + 1);
        mtc_real *u = j->U[t] + z * d;
        for (size_t a = 0; a < z; a++)
            row = pick[a] == row ? top : row;
        pick[z] = row;
        int owner = holder_of(j, t, &row);
        if (owner == j->rank)
            mtc_data_axpy(&j->X[t], row, 1, u);     /* u was 0 */
        send_to_all(j, u, d, owner);
        for (size_t e = 0; e < d; e++)
            u[e] += j->opt.smooth;
    }
    free(pick);
}

/* A1 with labels: all centroids of task t are the mean of its rows, where those
 * of empty clusters stay; of the rows' one cluster if there is one. */
void begin_at_mean(job *j, size_t t)
{
    size_t d = j->d, k = j->k[t];
    mtc_real n = (mtc_real)j->n[t], *all = j->U[t];
    if (j->X[t].n > 0) {
        go_on(j, t, all, d);
        for (size_t i = 0; i < j->X[t].n; i++)
            mtc_data_axpy(&j->X[t], i, 1 / n, all);
        pass_on(j, t, all, d);
    }
    send_to_all(j, all, d, last_holder(j, t));
    for (size_t z = 0; z < k; z++)
        for (size_t e = 0; e < d && j->count[t * j->most + z] >= n; e++)
            all[e] = j->S[t][z * d + e] / n;
    for (size_t e = 0; e < d; e++)
        all[e] += j->opt.smooth;
    for (size_t z = 1; z < k; z++)
        memcpy(all + z * d, all, d * sizeof *all);
}

/* A5. */
void number_clusters(job *j, size_t t)
{
    size_t k = j->k[t], d = j->d, *name = zeros(k, sizeof *name);
    mtc_real *count = j->count + t * j->most, *old = zeros(k, sizeof *old);
    const mtc_real *W = j->plans + t * j->most * j->most;   /* W^0t */
    memcpy(old, count, k * sizeof *old);
    memcpy(j->S[t], j->U[t], k * d * sizeof **j->S);
    for (size_t e = 0; e < k * k && k == j->k[0]; e++)
        if (W[e] > 0)
            name[e % k] = e / k;
    for (size_t i = 0; i < j->X[t].n && k == j->k[0]; i++)
        j->labels[t][i] = (int)name[j->labels[t][i]];
    for (size_t z = 0; z < k && k == j->k[0]; z++) {
        count[name[z]] = old[z];
        memcpy(j->U[t] + name[z] * d, j->S[t] + z * d, d * sizeof **j->U);
    }
    free(name);
    free(old);
}

/* ---- LSSMTC ---- */

/* k-means as mtc_lssmtc calls it, of all rows of a task: labels [n], and the
 * centers go to U.  Tables are dense there, as in the program. */
static void cluster_alone(job *j, size_t t, mtc_data X, int is_dense,
                          int *labels)
{
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    mtc_kmeans_result res;
    mtc_real *dense = zeros(is_dense ? X.n * X.d : 0, sizeof *dense);
    opt.clusters = j->k[t];
    opt.restarts = (size_t)j->set.restarts;
    if (is_dense) {
        for (size_t i = 0; i < X.n; i++)
            mtc_data_axpy(&X, i, 1, dense + i * X.d);
        X = mtc_dense(X.n, X.d, dense);
    }
    j->ctx.seed = (uint64_t)j->set.seed;
    mtc_status s = mtc_kmeans(&j->ctx, &X, &opt, &res);
    if (s != MTC_OK)
        give_up(BAD_DATA, "k-means: %s", mtc_status_text(s));
    memcpy(labels, res.labels, X.n * sizeof *labels);
    memcpy(j->U[t], res.centers, opt.clusters * X.d * sizeof **j->U);
    mtc_free(&j->ctx, &res.block);
    free(dense);
}

/* All rows of a task, of which this rank has some: its files are read again.
 * first [files + 1]: where the rows of each begin, and the last end. */
static rows read_task_again(job *j, const source *of, size_t files,
                            size_t *first)
{
    rows all = {.n = 0};
    for (size_t f = 0; f < files; f++) {
        first[f] = all.n;
        append_whole(j, &all, &of[f]);
    }
    first[files] = all.n;
    if (all.n != j->n[of->task] || all.d > j->d)
        give_up(BAD_DATA, "%s: rank %d reads %lu rows of the task with %lu "
                "features, but the ranks hold %lu with %lu: their files "
                "differ, and lssmtc begins with all rows of a task; --init "
                "names labels to start from",
                of->path != NULL ? of->path : "generated rows", j->rank,
                (unsigned long)all.n, (unsigned long)all.d,
                (unsigned long)j->n[of->task], (unsigned long)j->d);
    return all;
}

/* Labels and centers of task t, by the first rank that has rows of it.  If
 * others have some, it reads their files, too, and sends them their labels: no
 * rows travel. */
static void cluster_task(job *j, size_t t, const source *of, size_t files)
{
    int is_dense = of->path != NULL && is_a_table(of->path);
    int owner = of->first, own = j->rank == owner;
    size_t here = j->held[(size_t)owner * j->T + t];
    if (here == j->n[t]) {
        if (own)
            cluster_alone(j, t, j->X[t], is_dense, j->labels[t]);
    } else {
        int *labels = own ? zeros(j->n[t], sizeof *labels) : NULL;
        size_t *first = zeros(files + 1, sizeof *first);
        if (own) {
            rows all = read_task_again(j, of, files, first);
            mtc_data X = mtc_csr(all.n, j->d, all.row, all.column, all.values);
            cluster_alone(j, t, X, is_dense, labels);
            free(all.row);
            free(all.column);
            free(all.values);
        }
        for (size_t f = 0; f < files; f++)
            deal_labels(j, &of[f], owner, own ? labels + first[f] : NULL,
                        first[f + 1] - first[f]);
        free(labels);
        free(first);
    }
    send_to_all(j, j->U[t], j->k[t] * j->d, owner);
}

/* M is shared, so cluster z has to mean the same in all tasks: clusters of task
 * t take the numbers of those in `mean`, the mean of the tasks before, that
 * their centers are paired with. */
static void align(job *j, size_t t, mtc_real *mean)
{
    size_t c = j->k[t], d = j->d, *from = zeros(c, sizeof *from);
    mtc_real *cost = zeros(c * c, sizeof *cost), *u = j->S[t];
    int *name = zeros(c, sizeof *name);
    for (size_t y = 0; y < c; y++)
        for (size_t z = 0; z < c; z++)
            cost[y * c + z] = j->div.value(j->div.user, d, mean + y * d,
                                           j->U[t] + z * d);
    mtc_status s = mtc_assignment(&j->ctx, c, c, cost, c, from, NULL, NULL,
                                  NULL);
    if (s != MTC_OK)
        give_up(BAD_DATA, "numbers of clusters: %s", mtc_status_text(s));
    for (size_t z = 0; z < c; z++) {
        memcpy(u + z * d, j->U[t] + from[z] * d, d * sizeof *u);
        name[from[z]] = (int)z;
    }
    for (size_t i = 0; i < j->X[t].n; i++)
        j->labels[t][i] = name[j->labels[t][i]];
    for (size_t e = 0; e < c * d; e++)
        mean[e] += (u[e] - mean[e]) * (1 / (mtc_real)(t + 1));
    free(from);
    free(cost);
    free(name);
}

void begin_with_kmeans(job *j)
{
    for (size_t f = 0, next = 0; f < j->files; f = next) {
        while (next < j->files && j->file[next].task == j->file[f].task)
            next++;
        cluster_task(j, j->file[f].task, &j->file[f], next - f);
    }
    for (size_t t = 1; t < j->T; t++)
        align(j, t, j->U[0]);           /* U[0] becomes the mean */
}
