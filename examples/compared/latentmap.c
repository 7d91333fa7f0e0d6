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
enum { MAP_BOTH = 3 };                  /* a column of side 0 (1) and 1 (2) */

/* What is rounding: shares of eigenvalues, lengths, cosines. */
#define MAP_NOTHING ((mtc_real)(sizeof(mtc_real) == 8 ? 1e-10 : 1e-5))

typedef struct map_job {
    const cmp_latentmap_options *o;
    mtc_data X;                         /* all samples, stacked */
    size_t N, at[2], count[2];          /* side 0 the sources, 1 the target */
    mtc_real *fill[2];                  /* M' of either side */
    unsigned char *used;                /* [d] by neither (0), 1, 2, MAP_BOTH */
    size_t *slot;                       /* [d] of a column among those filled */
    int *labels;                        /* of the sources */
    mtc_real *often;                    /* [c] how often each class is */
    mtc_real *K, *L, *Z, *U, *w;        /* L [max(count)^2], w [rank] */
    void *work;                         /* of products */
} map_job;

cmp_latentmap_options cmp_latentmap_defaults(void)
{
    return (cmp_latentmap_options){.classes = 2, .ridge = 1, .rank = 50,
                                   .neighbors = 20, .fill = 1};
}

static const char *map_wrong(const cmp_latentmap_options *o)
{
    return !(o->ridge > 0 && CMP_FINITE(o->ridge)) ? "ridge: need more than 0"
           : o->rank == 0      ? "rank: need 1 or more"
           : o->neighbors == 0 ? "neighbors: need 1 or more" : NULL;
}

static void map_shape(cmp_carver *c, void *result)
{
    cmp_latentmap_result *r = (cmp_latentmap_result *)result;
    r->labels = CMP_CARVE(c, r->n, int);
    r->scores = CMP_CARVE(c, cmp_mul(r->n, r->classes), mtc_real);
    r->fill_source = CMP_CARVE(c, cmp_mul(r->n, r->source_n), mtc_real);
    r->fill_target = CMP_CARVE(c, cmp_mul(r->n, r->source_n), mtc_real);
}

/* A1; returns whether there is something to fill, and to learn it from.  If
 * not, all columns count as they are. */
static int map_gram(cmp_room *room, map_job *j, cmp_latentmap_result *r)
{
    mtc_data X = cmp_stack(room, &j->X, 1);         /* cut to com */
    void *work = cmp_take(room, mtc_data_work(&X, &X, 1), 1);
    if (room->status != MTC_OK)
        return 0;
    for (size_t i = 0; i < X.n; i++)
        for (size_t b = cmp_begin(&X, i), e = b; e < cmp_end(&X, i); e++)
            if (!(X.values[e] == 0))
                j->used[cmp_column(&X, b, e)] |= i < j->at[1] ? 1 : 2;
    for (size_t c = 0; c < X.d; c++) {
        r->common += j->used[c] == MAP_BOTH;
        r->missing += j->used[c] == 1 || j->used[c] == 2;
    }
    int fills = j->o->fill && r->common > 0 && r->missing > 0;
    for (size_t i = 0; i < X.n && fills; i++)
        for (size_t b = cmp_begin(&X, i), e = b; e < cmp_end(&X, i); e++)
            if (j->used[cmp_column(&X, b, e)] != MAP_BOTH)
                ((mtc_real *)X.values)[e] = 0;
    mtc_data_gram(&X, &X, j->K, X.n, work);
    return fills;
}

/* A2: M' = (K_bb + ridge)^-1 K_ba of side a, learned on the other one. */
static mtc_status map_learn(mtc_context *ctx, map_job *j, size_t a)
{
    size_t b = 1 - a, na = j->count[a], nb = j->count[b];
    for (size_t i = 0; i < nb; i++) {
        const mtc_real *row = j->K + (j->at[b] + i) * j->N;
        memcpy(j->L + i * nb, row + j->at[b], nb * sizeof *row);
        memcpy(j->fill[a] + i * na, row + j->at[a], na * sizeof *row);
        j->L[i * nb + i] += j->o->ridge;
    }
    mtc_status s = mtc_cholesky(nb, j->L, nb, j->work);
    if (s != MTC_OK)
        return cmp_fail(ctx, s, "ridge: too small", MTC_NONE, MTC_NONE,
                        MTC_NONE);
    mtc_cholesky_solve(nb, na, j->L, nb, j->fill[a], na, j->work);
    return MTC_OK;
}

/* A3 for the columns that side a lacks. */
static mtc_status map_fill(mtc_context *ctx, map_job *j, size_t a)
{
    size_t b = 1 - a, na = j->count[a], nb = j->count[b], all = 0;
    mtc_real *Za = j->Z + j->at[a] * MAP_SLICE;
    mtc_real *Zb = j->Z + j->at[b] * MAP_SLICE;
    mtc_status s = MTC_OK;
    for (size_t c = 0; c < j->X.d; c++)
        j->slot[c] = j->used[c] == 1u << b ? all++ : MTC_NONE;
    for (size_t first = 0; s == MTC_OK && first < all; first += MAP_SLICE) {
        s = cmp_tick(ctx, "latentmap: fill", first, all);
        memset(Zb, 0, nb * MAP_SLICE * sizeof *Zb);
        for (size_t i = 0; i < nb; i++) {
            size_t begin = cmp_begin(&j->X, j->at[b] + i);
            for (size_t e = begin; e < cmp_end(&j->X, j->at[b] + i); e++) {
                size_t c = j->slot[cmp_column(&j->X, begin, e)];
                if (c != MTC_NONE && c >= first && c - first < MAP_SLICE)
                    Zb[i * MAP_SLICE + c - first] = j->X.values[e];
            }
        }
        mtc_gemm(1, 0, na, MAP_SLICE, nb, 1, j->fill[a], na, Zb, MAP_SLICE, 0,
                 Za, MAP_SLICE, j->work);           /* M Z_b */
        for (size_t e = 0; e < na * MAP_SLICE; e++)
            Za[e] = Za[e] > 0 ? Za[e] : 0;
        mtc_syrk(0, j->N, MAP_SLICE, 1, j->Z, MAP_SLICE, 1, j->K, j->N,
                 j->work);
    }
    return s;
}

/* A4, A5: U, of `rank` columns, of which those that are not rounding count. */
static mtc_status map_space(mtc_context *ctx, map_job *j, size_t rank,
                            size_t *used)
{
    size_t N = j->N;
    mtc_real *length = j->Z;
    for (size_t i = 0; i < N; i++)
        length[i] = cmp_sqrt(j->K[i * N + i]);
    for (size_t e = 0; e < N * N; e++)
        j->K[e] = length[e / N] > 0 && length[e % N] > 0
                      ? j->K[e] / length[e / N] / length[e % N] : 0;
    mtc_status s = mtc_symeig_range(ctx, N, j->K, N, N - rank, rank, j->w,
                                    j->U, rank);
    mtc_real least = MAP_NOTHING * j->w[rank - 1];
    for (size_t k = 0; s == MTC_OK && k < rank; k++) {
        *used -= !(j->w[k] > least);
        j->w[k] = j->w[k] > least ? cmp_sqrt(j->w[k]) : 0;
    }
    for (size_t i = 0; s == MTC_OK && i < N; i++) {
        mtc_real *u = j->U + i * rank, sum = 0;
        for (size_t k = 0; k < rank; k++) {
            u[k] *= j->w[k];
            sum += u[k] * u[k];
        }
        for (size_t k = 0; k < rank; k++)           /* of length 1, or 0 */
            u[k] = cmp_sqrt(sum) > MAP_NOTHING ? u[k] / cmp_sqrt(sum) : 0;
    }
    return s;
}

/* The first of the n values that is the largest, but for rounding. */
static size_t map_largest(size_t n, const mtc_real *value)
{
    mtc_real most = value[cmp_argmax(n, value)];
    size_t i = 0;
    while (value[i] < most - MAP_NOTHING)
        i++;
    return i;
}

/* A6: of one sample after the other. */
static void map_vote(map_job *j, size_t rank, cmp_latentmap_result *r)
{
    size_t a = j->count[0], c = r->classes;
    mtc_real *cosine = j->K;                        /* [n*a], then taken */
    mtc_gemm(0, 1, r->n, a, rank, 1, j->U + a * rank, rank, j->U, rank, 0,
             cosine, a, j->work);
    for (size_t i = 0; i < r->n; i++, cosine += a) {
        mtc_real *score = r->scores + i * c;
        for (size_t k = 0; k < r->neighbors; k++) {
            size_t near = map_largest(a, cosine);
            if (cosine[near] > MAP_NOTHING)             /* else it has no say */
                score[j->labels[near]] += cosine[near];
            cosine[near] = -2;
        }
        size_t best = map_largest(c, score);
        r->labels[i] = (int)(score[best] > 0 ? best : cmp_argmax(c, j->often));
    }
}

static mtc_status map_work(cmp_room *room, map_job *j, cmp_latentmap_result *r)
{
    mtc_context *ctx = room->ctx;
    size_t rank = r->rank;
    mtc_status s = cmp_tick(ctx, "latentmap", 0, 3);
    int fills = s == MTC_OK && map_gram(room, j, r);            /* A1 */
    s = s == MTC_OK ? room->status : s;
    for (size_t a = 0; s == MTC_OK && fills && a < 2; a++)
        s = map_learn(ctx, j, a);                               /* A2 */
    for (size_t a = 0; s == MTC_OK && fills && a < 2; a++)
        s = map_fill(ctx, j, a);                                /* A3 */
    if (s == MTC_OK)
        s = cmp_tick(ctx, "latentmap", 1, 3);
    if (s == MTC_OK)
        s = map_space(ctx, j, rank, &r->rank);                  /* A4, A5 */
    if (s == MTC_OK)
        s = cmp_tick(ctx, "latentmap", 2, 3);
    if (s == MTC_OK)
        map_vote(j, rank, r);                                   /* A6 */
    return s;
}

mtc_status cmp_latentmap(mtc_context *ctx, const mtc_data *sources,
                         const int *const *source_labels, size_t n_sources,
                         const mtc_data *target,
                         const cmp_latentmap_options *opt,
                         cmp_latentmap_result *res)
{
    const cmp_latentmap_options usual = cmp_latentmap_defaults();
    const cmp_latentmap_options *o = opt != NULL ? opt : &usual;
    mtc_status s = cmp_check_options(ctx, res == NULL ? "result"
                                                      : map_wrong(o));
    if (s == MTC_OK)
        s = cmp_check_transfer(ctx, sources, source_labels, n_sources, target,
                               o->classes, 0);
    if (s != MTC_OK)
        return s;
    size_t n = target->n, a = cmp_count(sources, n_sources), N = cmp_add(a, n);
    size_t d = target->d, side = a > n ? a : n, wide = cmp_add(N, MAP_SLICE);
    cmp_latentmap_result r = {
        .n = n, .classes = o->classes, .source_n = a,
        .rank = o->rank < N ? o->rank : N,
        .neighbors = o->neighbors < a ? o->neighbors : a};
    cmp_room room = cmp_open(ctx);
    cmp_result(&room, map_shape, &r, sizeof r);
    map_job job = {.o = o, .N = N, .at = {0, a}, .count = {a, n},
                   .fill = {r.fill_source, r.fill_target}};
    mtc_data *sets = cmp_with_target(&room, sources, n_sources, target);
    job.used = CMP_TAKE(&room, d, unsigned char);
    job.slot = CMP_TAKE(&room, d, size_t);
    job.labels = CMP_TAKE(&room, a, int);
    job.often = CMP_TAKE(&room, o->classes, mtc_real);
    job.K = CMP_TAKE(&room, cmp_mul(N, N), mtc_real);
    job.L = CMP_TAKE(&room, cmp_mul(side, side), mtc_real);
    job.Z = CMP_TAKE(&room, cmp_mul(N, MAP_SLICE), mtc_real);
    job.U = CMP_TAKE(&room, cmp_mul(N, r.rank), mtc_real);
    job.w = CMP_TAKE(&room, r.rank, mtc_real);
    job.work = cmp_take(&room, mtc_gemm_work(N, wide, wide), 1);
    if (room.status == MTC_OK)
        job.X = cmp_stack(&room, sets, n_sources + 1);
    for (size_t t = 0, at = 0; room.status == MTC_OK && t < n_sources; t++)
        for (size_t i = 0; i < sources[t].n; i++)
            job.often[job.labels[at++] = source_labels[t][i]] += 1;
    if ((s = room.status) == MTC_OK)
        s = map_work(&room, &job, &r);
    return cmp_close(&room, s, &r, sizeof r, res);
}
