/* SPDX-License-Identifier: MIT
 *
 * smkc.c - S-MKC: S-MBC in the space of a kernel [ZZL15].
 *
 * phi maps a sample to the kernel's space; K = phi(X) phi(X)' over the N
 * samples of all tasks.  Every centroid that S-MBC meets is a combination of
 * the samples' images, and it only asks for squared distances between these
 * and those.  Whatever rows have the products K give the same answer: those of
 * its Cholesky factor.
 *
 *   A1  sigma = the median distance, unless given
 *   A2  K_ij = exp(-|x_i - x_j|^2 / (2 sigma^2))
 *   A3  K + e I = L L';  row i of L stands for phi(x_i)
 *   A4  S-MBC of the rows of L, task by task, with squared distances
 *
 *   K, then L   K  [N*N]        rows of task t   images[t]  n_t x N
 *
 * e, a few units of rounding, lets duplicates have a factor: it moves every
 * sample by root e in a direction of its own, and J_t by e at most.
 * The linear kernel has the samples themselves for images: A4 on them.
 *
 * Reconstructed: the original relaxes the partitions to nonnegative matrices
 *   and multiplies; here they are hard, and every step is exact.
 * Cost: O(N^3) for A3, O(N^2 K) an iteration.  Memory N^2.
 */
#define CMP_INTERNAL
#include "compared.h"

cmp_smkc_options cmp_smkc_defaults(void)
{
    return (cmp_smkc_options){.kernel = MTC_KERNEL_RBF,
                              .smbc = cmp_smbc_defaults()};
}

static const char *smkc_wrong(const cmp_smkc_options *o)
{
    return o->kernel != MTC_KERNEL_LINEAR && o->kernel != MTC_KERNEL_RBF
               ? "kernel: need linear or rbf"
           : !cmp_is_real(o->sigma, 0, ADV_HUGE)  ? "sigma: need 0 or more"
           : o->smbc.mbc.divergence != NULL ? "divergence: need NULL" : NULL;
}

/* A1 to A4; the graph holds K, which has no loops, then L.  What mtc_cholesky
 * takes for 0 is N eps: e is above that by the rounding of the factor. */
static mtc_status smkc_rbf(adv_desk *desk, const mtc_data *tasks, size_t T,
                           const cmp_smkc_options *o, cmp_smkc_result *r)
{
    size_t N = cmp_count(tasks, T), at = 0;
    mtc_graph_options go = mtc_graph_defaults();
    mtc_graph graph;
    mtc_data *images = ADV_TAKE(desk, T, mtc_data);
    void *work = adv_take(desk, mtc_gemm_work(N, N, N), 1);
    mtc_real sigma = o->sigma > 0 ? o->sigma                    /* A1 */
                                  : cmp_median_distance(desk, tasks, T);
    ADV_TRY(desk->status);
    go.similarity = MTC_SIMILARITY_GAUSSIAN;
    go.width = 2 * sigma * sigma;
    go.absolute = 1;
    ADV_TRY(mtc_graph_build(desk->ctx, tasks, T, &go, &graph)); /* A2 */
    ADV_TRY(adv_keep(desk, graph.block));
    mtc_real *K = (mtc_real *)graph.weights.values;             /* ours */
    size_t ldk = graph.weights.stride;
    ADV_TRY(adv_tick(desk->ctx, "s-mkc: kernel", 1, 1));
    for (size_t i = 0; i < N; i++)
        K[i * ldk + i] = 1 + 8 * (mtc_real)N * CMP_EPS;         /* e */
    if (mtc_cholesky(N, K, ldk, work) != MTC_OK)                /* A3 */
        return adv_refuse(desk->ctx, MTC_SINGULAR, "kernel");
    for (size_t t = 0; t < T; at += tasks[t++].n) {
        images[t] = mtc_dense(tasks[t].n, N, K + at * ldk);
        images[t].stride = ldk;
    }
    mtc_status s = cmp_smbc(desk->ctx, images, T, &o->smbc, r); /* A4 */
    r->sigma = sigma;
    return s;
}

mtc_status cmp_smkc(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
                    const cmp_smkc_options *opt, cmp_smkc_result *res)
{
    const cmp_smkc_options usual = cmp_smkc_defaults(),
                           *o = opt != NULL ? opt : &usual;
    ADV_TRY(cmp_check_options(ctx, res == NULL ? "result" : smkc_wrong(o)));
    ADV_TRY(adv_check_sets(ctx, tasks, n_tasks));
    if (o->kernel == MTC_KERNEL_LINEAR)
        return cmp_smbc(ctx, tasks, n_tasks, &o->smbc, res);
    adv_desk desk = adv_open(ctx, MTC_NONE);
    cmp_smkc_result r = {.sigma = 0};
    mtc_status s = adv_close(&desk, smkc_rbf(&desk, tasks, n_tasks, o, &r));
    if (s == MTC_OK)
        *res = r;
    return s;
}
