/* SPDX-License-Identifier: MIT
 *
 * latentmap.c - LatentMap (Xie et al. 2009): columns that a domain lacks are
 * predicted from those it shares, then neighbors vote in a latent space.
 * compared.h says by what.
 *
 *   A1  K = X[:,com] X[:,com]', samples of sources (a) and target (b) stacked
 *   A2  M_a' = (K_bb + ridge)^-1 K_ba;  M_b' the other way round
 *   A3  K += Z Z' for Z = X[:,miss], where rows of a are max(0, M_a X_b) in
 *       columns that only b uses, and so on; a slice of columns at a time
 *   A4  K_ij / sqrt(K_ii K_jj), the cosines
 *   A5  top eigenpairs K v = w v;  U = V w^1/2, rows to length 1
 *   A6  votes of the most similar source samples: cosines in U above 0
 *
 * With the samples' Gram matrix K no d x d matrix, and no filled one, is kept.
 *   N = a + b samples        K [N*N]     M_a', M_b'  r.fill_source, _target
 *   Z [N*MAP_SLICE]              U [N*rank]
 */
#define CMP_INTERNAL
#include "compared.h"

enum { MAP_SLICE = 256 };               /* columns filled at a time */
enum { MAP_ROWS = 512 };                /* of a product between two ticks */
enum { MAP_BOTH = 3 };                  /* a column of side 0 (1) and 1 (2) */

/* What is rounding: shares of eigenvalues, lengths, cosines. */
#define MAP_NOTHING ((mtc_real)(sizeof(mtc_real) == 8 ? 1e-10 : 1e-5))

typedef struct map_job {
    cmp_latentmap_result r;
    const cmp_latentmap_options *o;
    cmp_world w;
    mtc_data X;                         /* all samples, stacked */
    size_t N, at[2], count[2];          /* side 0 the sources, 1 the target */
    unsigned char *used;                /* [d] by neither (0), 1, 2, MAP_BOTH */
    size_t *slot;                       /* [d] of a column among those filled */
    mtc_real *K, *L, *Z, *U, *value;    /* L [max(count)^2], value [rank] */
    void *work;                         /* of products */
} map_job;

cmp_latentmap_options cmp_latentmap_defaults(void)
{
    return (cmp_latentmap_options){.classes = 2, .ridge = 1, .rank = 50,
                                   .neighbors = 20, .fill = 1};
}

static const char *map_wrong(const cmp_latentmap_options *o)
{
    return !(o->ridge > 0 && ADV_FINITE(o->ridge)) ? "ridge: need more than 0"
           : o->rank == 0      ? "rank: need 1 or more"
           : o->neighbors == 0 ? "neighbors: need 1 or more" : NULL;
}

static void map_shape(adv_carver *c, void *result)
{
    cmp_latentmap_result *r = (cmp_latentmap_result *)result;
    r->labels = ADV_CARVE(c, r->n, int);
    CMP_CARVE_REALS(c, adv_mul(r->n, r->classes), &r->scores);
    CMP_CARVE_REALS(c, adv_mul(r->n, r->source_n), &r->fill_source,
                    &r->fill_target);
}

/* The Gram matrix of all rows, some of them at a time. */
static mtc_status map_products(mtc_context *ctx, const mtc_data *X, mtc_real *K,
                               void *work)
{
    size_t N = X->n;
    for (size_t i = 0; i < N; i += MAP_ROWS) {
        size_t end = N - i < MAP_ROWS ? N : i + MAP_ROWS;
        mtc_data rows = *X, so_far = *X;
        ADV_TRY(adv_tick(ctx, "latentmap: products", i, N));
        if (X->row != NULL)
            rows.row += i;
        else
            rows.values += i * X->stride;
        rows.n = end - i;
        so_far.n = end;
        mtc_data_gram(&rows, &so_far, K + i * N, N, work);
        for (size_t r = i; r < end; r++)
            for (size_t c = 0; c < r; c++)
                K[c * N + r] = K[r * N + c];
    }
    return MTC_OK;
}

/* A1; *fills: is there something to fill, and to learn it from?  If not, all
 * columns count as they are. */
static mtc_status map_gram(adv_desk *desk, map_job *j, int *fills)
{
    mtc_data X = cmp_stack(desk, &j->X, 1);         /* cut to com */
    void *work = adv_take(desk, mtc_data_work(&X, &X, 1), 1);
    ADV_TRY(desk->status);
    for (size_t i = 0; i < X.n; i++)
        for (size_t b = adv_begin(&X, i), e = b; e < adv_end(&X, i); e++)
            if (!(X.values[e] == 0))
                j->used[adv_column(&X, b, e)] |= i < j->at[1] ? 1 : 2;
    for (size_t c = 0; c < X.d; c++) {
        j->r.common += j->used[c] == MAP_BOTH;
        j->r.missing += j->used[c] == 1 || j->used[c] == 2;
    }
    *fills = j->o->fill && j->r.common > 0 && j->r.missing > 0;
    for (size_t i = 0; i < X.n && *fills; i++)
        for (size_t b = adv_begin(&X, i), e = b; e < adv_end(&X, i); e++)
            if (j->used[adv_column(&X, b, e)] != MAP_BOTH)
                ((mtc_real *)X.values)[e] = 0;
    return map_products(desk->ctx, &X, j->K, work);
}

/* A2: M' = (K_bb + ridge)^-1 K_ba of side a, learned on the other one. */
static mtc_status map_learn(mtc_context *ctx, map_job *j, size_t a)
{
    size_t b = 1 - a, na = j->count[a], nb = j->count[b];
    mtc_real *fill = a == 0 ? j->r.fill_source : j->r.fill_target;
    for (size_t i = 0; i < nb; i++) {
        const mtc_real *row = j->K + (j->at[b] + i) * j->N;
        memcpy(j->L + i * nb, row + j->at[b], nb * sizeof *row);
        memcpy(fill + i * na, row + j->at[a], na * sizeof *row);
        j->L[i * nb + i] += j->o->ridge;
    }
    if (mtc_cholesky(nb, j->L, nb, j->work) != MTC_OK)
        return adv_refuse(ctx, MTC_SINGULAR, "ridge: too small");
    mtc_cholesky_solve(nb, na, j->L, nb, fill, na, j->work);
    return MTC_OK;
}

/* A3 for the columns that side a lacks. */
static mtc_status map_fill(mtc_context *ctx, map_job *j, size_t a)
{
    size_t b = 1 - a, na = j->count[a], nb = j->count[b], all = 0;
    mtc_real *Za = j->Z + j->at[a] * MAP_SLICE;
    mtc_real *Zb = j->Z + j->at[b] * MAP_SLICE;
    const mtc_real *fill = a == 0 ? j->r.fill_source : j->r.fill_target;
    for (size_t c = 0; c < j->X.d; c++)
        j->slot[c] = j->used[c] == 1u << b ? all++ : MTC_NONE;
    for (size_t first = 0; first < all; first += MAP_SLICE) {
        ADV_TRY(adv_tick(ctx, "latentmap: fill", first, all));
        memset(Zb, 0, nb * MAP_SLICE * sizeof *Zb);
        for (size_t i = 0; i < nb; i++) {
            size_t begin = adv_begin(&j->X, j->at[b] + i);
            for (size_t e = begin; e < adv_end(&j->X, j->at[b] + i); e++) {
                size_t c = j->slot[adv_column(&j->X, begin, e)];
                if (c != MTC_NONE && c >= first && c - first < MAP_SLICE)
                    Zb[i * MAP_SLICE + c - first] = j->X.values[e];
            }
        }
        mtc_gemm(1, 0, na, MAP_SLICE, nb, 1, fill, na, Zb, MAP_SLICE, 0,
                 Za, MAP_SLICE, j->work);           /* M Z_b */
        for (size_t e = 0; e < na * MAP_SLICE; e++)
            Za[e] = Za[e] > 0 ? Za[e] : 0;
        mtc_syrk(0, j->N, MAP_SLICE, 1, j->Z, MAP_SLICE, 1, j->K, j->N,
                 j->work);
    }
    return MTC_OK;
}

/* A4, A5: U, of `rank` columns, of which those that are not rounding count. */
static mtc_status map_space(mtc_context *ctx, map_job *j, size_t rank)
{
    size_t N = j->N;
    mtc_real *length = j->Z, *w = j->value;
    for (size_t i = 0; i < N; i++)
        length[i] = ADV_SQRT(j->K[i * N + i]);
    for (size_t e = 0; e < N * N; e++)
        j->K[e] = length[e / N] > 0 && length[e % N] > 0
                      ? j->K[e] / length[e / N] / length[e % N] : 0;
    ADV_TRY(mtc_symeig_range(ctx, N, j->K, N, N - rank, rank, w, j->U, rank));
    mtc_real least = MAP_NOTHING * w[rank - 1];
    for (size_t k = 0; k < rank; k++) {
        j->r.rank -= !(w[k] > least);
        w[k] = w[k] > least ? ADV_SQRT(w[k]) : 0;
    }
    for (size_t i = 0; i < N; i++) {
        mtc_real *u = j->U + i * rank, sum = 0;
        for (size_t k = 0; k < rank; k++) {
            u[k] *= w[k];
            sum += u[k] * u[k];
        }
        for (size_t k = 0; k < rank; k++)           /* of length 1, or 0 */
            u[k] = ADV_SQRT(sum) > MAP_NOTHING ? u[k] / ADV_SQRT(sum) : 0;
    }
    return MTC_OK;
}

/* The first of the n values that is the largest, but for rounding. */
static size_t map_largest(size_t n, const mtc_real *value)
{
    mtc_real most = value[adv_argmax(n, value)];
    size_t i = 0;
    while (value[i] < most - MAP_NOTHING)
        i++;
    return i;
}

/* A6: of one sample after the other. */
static void map_vote(map_job *j, size_t rank)
{
    cmp_latentmap_result *r = &j->r;
    size_t a = j->count[0], c = r->classes;
    mtc_real *cosine = j->K;                        /* [n*a], then taken */
    mtc_gemm(0, 1, r->n, a, rank, 1, j->U + a * rank, rank, j->U, rank, 0,
             cosine, a, j->work);
    for (size_t i = 0; i < r->n; i++, cosine += a) {
        mtc_real *score = r->scores + i * c;
        for (size_t k = 0; k < r->neighbors; k++) {
            size_t near = map_largest(a, cosine);
            if (cosine[near] > MAP_NOTHING)             /* else it has no say */
                score[j->w.y[near]] += cosine[near];
            cosine[near] = -2;
        }
        size_t best = map_largest(c, score);
        best = score[best] > 0 ? best : adv_argmax(c, j->w.count);
        r->labels[i] = (int)best;
    }
}

static mtc_status map_work(adv_desk *desk, void *job)
{
    map_job *j = (map_job *)job;
    mtc_context *ctx = desk->ctx;
    size_t rank = j->r.rank, N = j->N, wide = adv_add(N, MAP_SLICE);
    size_t side = j->count[0] > j->count[1] ? j->count[0] : j->count[1];
    int fills;
    j->used = ADV_TAKE(desk, j->w.d, unsigned char);
    j->slot = ADV_TAKE(desk, j->w.d, size_t);
    ADV_REALS(desk, adv_mul(N, N), &j->K);
    ADV_REALS(desk, adv_mul(side, side), &j->L);
    ADV_REALS(desk, adv_mul(N, MAP_SLICE), &j->Z);
    ADV_REALS(desk, adv_mul(N, rank), &j->U, &j->value);
    j->work = adv_take(desk, mtc_gemm_work(N, wide, wide), 1);
    ADV_TRY(cmp_gather(desk, &j->w));
    j->X = cmp_stack(desk, j->w.sets, j->w.n_sources + 1);
    ADV_TRY(adv_tick(ctx, "latentmap", 0, 3));
    ADV_TRY(map_gram(desk, j, &fills));                         /* A1 */
    for (size_t a = 0; fills && a < 2; a++)
        ADV_TRY(map_learn(ctx, j, a));                          /* A2 */
    for (size_t a = 0; fills && a < 2; a++)
        ADV_TRY(map_fill(ctx, j, a));                           /* A3 */
    ADV_TRY(adv_tick(ctx, "latentmap", 1, 3));
    ADV_TRY(map_space(ctx, j, rank));                           /* A4, A5 */
    ADV_TRY(adv_tick(ctx, "latentmap", 2, 3));
    map_vote(j, rank);                                          /* A6 */
    return MTC_OK;
}

mtc_status cmp_latentmap(mtc_context *ctx, const mtc_data *sources,
                         const int *const *source_labels, size_t n_sources,
                         const mtc_data *target,
                         const cmp_latentmap_options *opt,
                         cmp_latentmap_result *res)
{
    const cmp_latentmap_options usual = cmp_latentmap_defaults(),
                                *o = opt != NULL ? opt : &usual;
    map_job j = {.w = CMP_WORLD, .o = o};
    ADV_TRY(cmp_enter(ctx, res == NULL ? "result" : map_wrong(o), CMP_ALL,
                      &j.w));
    j.N = j.w.N;
    j.at[1] = j.count[0] = j.r.source_n = j.w.u0;
    j.count[1] = j.r.n = target->n;
    j.r.classes = o->classes;
    j.r.rank = o->rank < j.N ? o->rank : j.N;
    j.r.neighbors = o->neighbors < j.w.u0 ? o->neighbors : j.w.u0;
    return cmp_run(ctx, map_shape, map_work, &j, sizeof j.r, res);
}
