/* SPDX-License-Identifier: MIT
 *
 * desk.c - memory, calls within a call, lanes, and checks; desk.h says how each
 * is used.
 */
#include "desk.h"

#ifndef MTC_NO_MALLOC
#include <stdlib.h>
#endif

#if MTC_VERSION != 400
#error "advice and mtc.h are of different versions"
#endif

/* ---- failures and checks ------------------------------------------------- */

size_t adv_mul(size_t a, size_t b)
{
    if (a == 0 || b == 0)  /* 0 times anything, SIZE_MAX too */
        return 0;
    return a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

size_t adv_add(size_t a, size_t b)
{
    return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

mtc_status adv_fail(mtc_context *ctx, mtc_status s, const char *what,
    size_t task, size_t row, size_t column)
{
    if (ctx != NULL) {
        ctx->need = 0;
        ctx->error = (mtc_place){what, task, row, column};
    }
    return s;
}

mtc_status adv_refuse(mtc_context *ctx, mtc_status s, const char *what)
{
    return adv_fail(ctx, s, what, MTC_NONE, MTC_NONE, MTC_NONE);
}

mtc_status adv_require(mtc_context *ctx, int holds, const char *need)
{
    return holds ? MTC_OK : adv_refuse(ctx, MTC_INVALID, need);
}

mtc_status adv_tick(mtc_context *ctx, const char *stage, size_t done,
    size_t total)
{
    if (ctx == NULL || ctx->progress == NULL ||
        ctx->progress(ctx->user, stage, done, total) == 0)
        return MTC_OK;
    return adv_refuse(ctx, MTC_CANCELLED, stage);
}

mtc_status adv_check_clusters(mtc_context *ctx, size_t k, size_t n,
    size_t task)
{
    if (k > 0 && k <= n && k <= INT_MAX)  /* labels are ints */
        return MTC_OK;
    return adv_fail(ctx, MTC_INVALID, "clusters: need 1..n", task, MTC_NONE,
                    MTC_NONE);
}

mtc_status adv_check_labels(mtc_context *ctx, const int *labels, size_t n,
    size_t k, size_t task)
{
    size_t rows = labels != NULL ? n : 0, i = 0;
    while (i < rows && labels[i] >= 0 && (size_t)labels[i] < k)
        i++;
    if (labels != NULL && i == n)
        return MTC_OK;
    return adv_fail(ctx, MTC_INVALID, "labels: need 0..k-1", task,
                    labels != NULL ? i : MTC_NONE, MTC_NONE);
}

mtc_status adv_check_sets(mtc_context *ctx, const mtc_data *sets,
    size_t n_sets)
{
    ADV_TRY(adv_require(ctx, sets != NULL && n_sets > 0, "no data"));
    for (size_t s = 0; s < n_sets; s++) {
        ADV_TRY(mtc_data_check(ctx, &sets[s], s));
        if (sets[s].d != sets[0].d)
            return adv_fail(ctx, MTC_INVALID, "features differ in number", s,
                            MTC_NONE, MTC_NONE);
    }
    return MTC_OK;
}

/* ---- a desk -------------------------------------------------------------- */

/* What stands before every piece of memory, and keeps it aligned. */
typedef union adv_piece {
    struct {
        union adv_piece *before;
        size_t bytes;
        mtc_block kept;  /* that goes back with the piece, or zeros */
    } of;
    double aligned;
} adv_piece;

adv_desk adv_open(mtc_context *ctx, size_t task)
{
    adv_desk desk = {.ctx = ctx, .task = task, .status = MTC_OK,
                     .within = mtc_context_defaults()};
    if (ctx == NULL)
        return desk;
    desk.within = *ctx;
    if (ctx->lanes > 1024)
        desk.status = adv_refuse(ctx, MTC_INVALID, "lanes: need at most 1024");
    return desk;
}

void adv_release(adv_desk *desk, adv_piece *mark)
{
    while (desk->last != mark) {  /* newest first, as an arena likes it */
        adv_piece *piece = desk->last;
        mtc_block own = {piece, piece->of.bytes, sizeof own};
        mtc_block kept = piece->of.kept;
        desk->last = piece->of.before;
        mtc_free(&desk->within, &own);
        mtc_free(&desk->within, &kept);
    }
}

mtc_status adv_close(adv_desk *desk, mtc_status s)
{
    adv_release(desk, NULL);
    if (desk->ctx != NULL)
        desk->ctx->need = 0;
    return s;
}

/* A block of bytes > 0, or NULL; the desk's status says why. */
static void *desk_block(adv_desk *desk, size_t bytes)
{
    mtc_context *ctx = desk->ctx;
    void *block = NULL;
    if (desk->status != MTC_OK)
        return NULL;
    if (bytes > (size_t)PTRDIFF_MAX)
        desk->status = adv_refuse(ctx, MTC_TOO_BIG, "memory");
    else if (ctx != NULL && ctx->allocate != NULL)
        block = ctx->allocate(ctx->memory, bytes);
#ifndef MTC_NO_MALLOC
    else
        block = malloc(bytes);
#endif
    if (block == NULL && desk->status == MTC_OK)
        desk->status = adv_refuse(ctx, MTC_NO_MEMORY, "memory");
    if (block != NULL)
        memset(block, 0, bytes);
    return block;
}

void *adv_take(adv_desk *desk, size_t count, size_t size)
{
    size_t bytes = adv_add(sizeof(adv_piece), adv_mul(count, size));
    adv_piece *piece = (adv_piece *)desk_block(desk, bytes);
    if (piece == NULL)
        return NULL;
    piece->of.before = desk->last;
    piece->of.bytes = bytes;
    piece->of.kept = (mtc_block){NULL, 0, sizeof(mtc_block)};
    desk->last = piece;
    return piece + 1;
}

void adv_take_reals(adv_desk *desk, size_t count, mtc_real **const *pieces)
{
    for (; *pieces != NULL; pieces++)
        **pieces = ADV_TAKE(desk, count, mtc_real);
}

void adv_take_sizes(adv_desk *desk, size_t count, size_t **const *pieces)
{
    for (; *pieces != NULL; pieces++)
        **pieces = ADV_TAKE(desk, count, size_t);
}

mtc_status adv_keep(adv_desk *desk, mtc_block block)
{
    block.whole = sizeof block;  /* not the result that it is part of */
    if (adv_take(desk, 0, 1) == NULL)
        mtc_free(&desk->within, &block);
    else
        desk->last->of.kept = block;
    return desk->status;
}

/* As the library has it: the seed is mixed before and after the stream enters.
 * The first number of a seed's state is SplitMix64 of it. */
mtc_random adv_stream(const mtc_context *ctx, uint64_t stream)
{
    uint64_t mixed = mtc_random_seed(ctx != NULL ? ctx->seed : 1).s[0];
    return mtc_random_seed(mtc_random_seed(mixed ^ stream).s[0]);
}

mtc_context *adv_within(adv_desk *desk, uint64_t stream)
{
    mtc_random random = adv_stream(desk->ctx, stream);
    desk->within.seed = desk->ctx != NULL ? desk->ctx->seed : 1;
    if (stream != ADV_SAME_SEED)
        desk->within.seed = mtc_random_bits(&random);
    return &desk->within;
}

mtc_status adv_passed(adv_desk *desk, mtc_status s)
{
    const mtc_place *error = &desk->within.error;
    if (s == MTC_OK)
        return s;
    return adv_fail(desk->ctx, s, error->what,
                    error->task == MTC_NONE ? desk->task : error->task,
                    error->row, error->column);
}

mtc_status adv_kmeans(adv_desk *desk, uint64_t stream, const mtc_data *X,
    const mtc_kmeans_options *o, int *labels, mtc_real *loss)
{
    mtc_kmeans_result r;
    ADV_TRY(adv_call(desk, stream, mtc_kmeans, X, o, &r));
    ADV_COPY(labels, r.labels, X->n);
    if (loss != NULL)
        *loss = r.loss;
    mtc_free(&desk->within, &r.block);
    return MTC_OK;
}

/* ---- results ------------------------------------------------------------- */

/* The next piece, aligned for double. */
void *adv_carve(adv_carver *c, size_t count, size_t size)
{
    size_t at = c->used, unit = sizeof(double);
    size_t units = adv_add(adv_mul(count, size), unit - 1) / unit;
    c->used = adv_add(at, adv_mul(units, unit));
    return c->base == NULL ? NULL : c->base + at;
}

/* The result's block comes first, so that an arena can take the rest off its
 * top again. */
mtc_status adv_run(mtc_context *ctx, adv_shape shape, adv_work work, void *job,
    void *result, size_t size, void *out)
{
    adv_desk desk = adv_open(ctx, MTC_NONE);
    adv_carver c = {NULL, 0};
    mtc_block *block = (mtc_block *)result;  /* its first member */
    ADV_TRY(adv_require(ctx, out != NULL, "result"));
    shape(&c, job);  /* measures */
    *block = (mtc_block){NULL, c.used, size};
    if (c.used > 0)
        block->at = desk_block(&desk, c.used);
    ADV_TRY(desk.status);
    c = (adv_carver){(unsigned char *)block->at, 0};
    shape(&c, job);  /* carves */
    mtc_status s = adv_close(&desk, work(&desk, job));
    if (s != MTC_OK)
        mtc_free(ctx, block);
    else
        memcpy(out, result, size);
    return s;
}

/* ---- lanes --------------------------------------------------------------- */

/* Below this many multiply-adds threads would wait longer than they work.
 * Test builds set 0. */
#ifndef MTC_LANES_LEAST
#define MTC_LANES_LEAST 1000000
#endif

typedef struct adv_lane {
    mtc_context ctx;    /* the caller's, with one lane and malloc */
    mtc_status status;  /* of its first item that failed */
    size_t item;        /* and which it was */
} adv_lane;

typedef struct adv_crew {
    size_t lanes, items;
    adv_lane *lane;     /* [lanes] */
    adv_item run;
    void *job;
} adv_crew;

size_t adv_lanes(const mtc_context *ctx, size_t items, size_t each)
{
#ifdef MTC_NO_MALLOC
    (void)ctx, (void)items, (void)each;
    return 1;
#else
    if (ctx == NULL || ctx->parallel == NULL || ctx->lanes < 2 || items < 2 ||
        adv_mul(items, each) < (size_t)MTC_LANES_LEAST)
        return 1;
    return ADV_MIN(items, ctx->lanes);
#endif
}

static mtc_status desk_item(mtc_context *ctx, const adv_crew *j, size_t item)
{
    adv_desk desk = adv_open(ctx, MTC_NONE);
    return adv_close(&desk, j->run(&desk, j->job, item));
}

/* Lane i: items i, i + lanes, ..., up to the first that fails. */
static void desk_piece(void *job, size_t i)
{
    const adv_crew *j = (const adv_crew *)job;
    adv_lane *l = &j->lane[i];
    for (size_t item = i; item < j->items; item += j->lanes) {
        l->status = desk_item(&l->ctx, j, item);
        l->item = item;
        if (l->status != MTC_OK)
            return;
    }
}

/* One lane is a loop under the caller's own context. */
mtc_status adv_share(adv_desk *desk, size_t items, size_t each, adv_item run,
    void *job)
{
    mtc_context *ctx = desk->ctx;
    adv_crew j = {adv_lanes(ctx, items, each), items, NULL, run, job};
    if (j.lanes < 2) {
        for (size_t item = 0; item < items; item++)
            ADV_TRY(desk_item(ctx, &j, item));
        return MTC_OK;
    }
    j.lane = ADV_TAKE(desk, j.lanes, adv_lane);
    ADV_TRY(desk->status);
    for (size_t i = 0; i < j.lanes; i++) {
        mtc_context *of_lane = &j.lane[i].ctx;
        j.lane[i] = (adv_lane){*ctx, MTC_OK, 0};
        of_lane->parallel = NULL;
        of_lane->allocate = NULL;  /* the caller's may be for one thread */
        of_lane->release = NULL;
    }
    ctx->parallel(ctx->pool, j.lanes, desk_piece, &j);
    const adv_lane *failed = NULL;
    for (const adv_lane *l = j.lane; l < j.lane + j.lanes; l++)
        if (l->status != MTC_OK && (failed == NULL || l->item < failed->item))
            failed = l;
    if (failed == NULL)
        return MTC_OK;
    ctx->error = failed->ctx.error;
    return failed->status;
}
