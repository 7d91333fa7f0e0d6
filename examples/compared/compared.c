/* SPDX-License-Identifier: MIT
 *
 * compared.c - the frame of the compared systems: memory from the context's
 * allocator, places of failure, checks of what is given, streams of chance.
 * Everything stands on mtc.h alone; compared.h says how each of these is used.
 */
#include <stdlib.h>

#define CMP_INTERNAL
#include "compared.h"

/* ---- sizes ------------------------------------------------------------- */

/* Saturated: SIZE_MAX is no size, so that one failed product spoils all that
 * is computed from it, and cmp_take refuses it. */
size_t cmp_mul(size_t a, size_t b)
{
    if (a == 0 || b == 0)
        return 0;
    return a == SIZE_MAX || b > SIZE_MAX / a ? SIZE_MAX : a * b;
}

size_t cmp_add(size_t a, size_t b)
{
    return b > SIZE_MAX - a ? SIZE_MAX : a + b;
}

/* ---- failure and progress ---------------------------------------------- */

/* The place is overwritten by every failure, as in the library. */
mtc_status cmp_fail(mtc_context *ctx, mtc_status s, const char *what,
                    size_t task, size_t row, size_t column)
{
    if (ctx != NULL) {
        ctx->need = 0;
        ctx->error = (mtc_place){what, task, row, column};
    }
    return s;
}

mtc_status cmp_refuse(mtc_context *ctx, mtc_status s, const char *what)
{
    return cmp_fail(ctx, s, what, MTC_NONE, MTC_NONE, MTC_NONE);
}

mtc_status cmp_check_options(mtc_context *ctx, const char *wrong)
{
    return wrong == NULL ? MTC_OK : cmp_refuse(ctx, MTC_INVALID, wrong);
}

/* Without a callback nobody cancels. */
mtc_status cmp_tick(mtc_context *ctx, const char *stage, size_t done,
                    size_t total)
{
    if (ctx == NULL || ctx->progress == NULL ||
        ctx->progress(ctx->user, stage, done, total) == 0)
        return MTC_OK;
    return cmp_refuse(ctx, MTC_CANCELLED, stage);
}

/* The first number of the seed's generator, changed by the stream's number, is
 * the seed of another. */
mtc_random cmp_stream(const mtc_context *ctx, uint64_t stream)
{
    mtc_random r = mtc_random_seed(ctx != NULL ? ctx->seed : 1);
    return mtc_random_seed(mtc_random_bits(&r) ^ stream);
}

/* ---- memory ------------------------------------------------------------ */

/* In front of every piece of scratch, a whole number of doubles: pieces form a
 * chain, newest first, and go back in that order, as an arena likes it. */
typedef struct cmp_piece {
    union { struct cmp_piece *before; double aligned; } link;
    union { size_t bytes; double aligned; } size;
    union { mtc_block block; double aligned; } kept;    /* goes back with it */
} cmp_piece;

cmp_room cmp_open(mtc_context *ctx)
{
    return (cmp_room){.ctx = ctx, .status = MTC_OK};
}

/* A block of zeros from the context's allocator, or from malloc if it has
 * none; after a failure NULL, and the room's status says why. */
static void *room_block(cmp_room *room, size_t bytes)
{
    mtc_context *ctx = room->ctx;
    void *block = NULL;
    if (room->status != MTC_OK)
        return NULL;
    if (ctx != NULL && ctx->allocate != NULL && bytes < SIZE_MAX)
        block = ctx->allocate(ctx->memory, bytes);
#ifndef MTC_NO_MALLOC
    else if (bytes < SIZE_MAX)
        block = malloc(bytes);
#endif
    if (block == NULL)
        room->status = cmp_refuse(
            ctx, bytes < SIZE_MAX ? MTC_NO_MEMORY : MTC_TOO_BIG, "memory");
    else
        memset(block, 0, bytes);
    return block;
}

void *cmp_take(cmp_room *room, size_t count, size_t size)
{
    size_t bytes = cmp_add(sizeof(cmp_piece), cmp_mul(count, size));
    cmp_piece *piece = (cmp_piece *)room_block(room, bytes);
    if (piece == NULL)
        return NULL;
    piece->link.before = room->last;
    piece->size.bytes = bytes;
    room->last = piece;
    return piece + 1;
}

void cmp_take_reals(cmp_room *room, size_t count, mtc_real **const *pieces)
{
    for (; *pieces != NULL; pieces++)
        **pieces = CMP_TAKE(room, count, mtc_real);
}

/* On a piece of its own, without contents. */
mtc_status cmp_keep(cmp_room *room, mtc_block block)
{
    block.whole = sizeof block;
    if (cmp_take(room, 0, 1) == NULL)
        mtc_free(room->ctx, &block);
    else
        room->last->kept.block = block;
    return room->status;
}

void cmp_release(cmp_room *room, cmp_piece *mark)
{
    while (room->last != mark) {
        cmp_piece *piece = room->last;
        mtc_block own = {piece, piece->size.bytes, sizeof own};
        mtc_block kept = piece->kept.block;
        room->last = piece->link.before;
        mtc_free(room->ctx, &own);
        mtc_free(room->ctx, &kept);
    }
}

/* The next piece, behind the last and aligned for double. */
void *cmp_carve(cmp_carver *c, size_t count, size_t size)
{
    size_t at = c->used, unit = sizeof(double);
    size_t bytes = cmp_add(cmp_mul(count, size), unit - 1);
    c->used = bytes == SIZE_MAX ? SIZE_MAX
                                : cmp_add(at, bytes / unit * unit);
    return c->base == NULL ? NULL : c->base + at;
}

void cmp_carve_reals(cmp_carver *c, size_t count, mtc_real **const *pieces)
{
    for (; *pieces != NULL; pieces++)
        **pieces = CMP_CARVE(c, count, mtc_real);
}

int **cmp_carve_labels(cmp_carver *c, const mtc_data *tasks, size_t n_tasks)
{
    int **labels = CMP_CARVE(c, n_tasks, int *);
    for (size_t t = 0; t < n_tasks; t++) {
        int *of = CMP_CARVE(c, tasks[t].n, int);
        if (c->base != NULL)
            labels[t] = of;
    }
    return labels;
}

mtc_real **cmp_carve_rows(cmp_carver *c, const mtc_data *tasks, size_t n_tasks,
                          size_t wide)
{
    mtc_real **rows = CMP_CARVE(c, n_tasks, mtc_real *);
    for (size_t t = 0; t < n_tasks; t++) {
        size_t n = tasks[t].n;
        mtc_real *of = CMP_CARVE(c, cmp_mul(n, wide > 0 ? wide : n), mtc_real);
        if (c->base != NULL)
            rows[t] = of;
    }
    return rows;
}

/* The shape is called twice, so that what is measured cannot drift from what is
 * carved. */
mtc_status cmp_result(cmp_room *room, cmp_shape shape, void *result,
                      size_t bytes)
{
    cmp_carver c = {NULL, 0};
    shape(&c, result);                              /* measures */
    mtc_block block = {NULL, c.used > 0 ? c.used : 1, bytes};
    block.at = room_block(room, block.bytes);
    if (block.at == NULL)
        return room->status;
    c = (cmp_carver){(unsigned char *)block.at, 0};
    shape(&c, result);                              /* carves */
    memcpy(result, &block, sizeof block);           /* its first member */
    return MTC_OK;
}

/* Scratch goes back first: it was taken after the result. */
mtc_status cmp_close(cmp_room *room, mtc_status s, void *result, size_t bytes,
                     void *out)
{
    cmp_release(room, NULL);
    if (result != NULL && s == MTC_OK)
        memcpy(out, result, bytes);
    else if (result != NULL)
        mtc_free(room->ctx, (mtc_block *)result);
    if (room->ctx != NULL)
        room->ctx->need = 0;
    return s;
}

mtc_status cmp_run(mtc_context *ctx, cmp_shape shape, cmp_work work, void *job,
                   size_t bytes, void *out)
{
    cmp_room room = cmp_open(ctx);
    mtc_status s = cmp_result(&room, shape, job, bytes);
    return cmp_close(&room, s != MTC_OK ? s : work(&room, job), job, bytes,
                     out);
}

/* ---- what is given ----------------------------------------------------- */

mtc_status cmp_check_sets(mtc_context *ctx, const mtc_data *sets,
                          size_t n_sets)
{
    if (sets == NULL || n_sets == 0)
        return cmp_check_options(ctx, "no data");
    for (size_t s = 0; s < n_sets; s++) {
        CMP_TRY(mtc_data_check(ctx, &sets[s], s));
        if (sets[s].d != sets[0].d)
            return cmp_fail(ctx, MTC_INVALID, "features differ in number", s,
                            MTC_NONE, MTC_NONE);
    }
    return MTC_OK;
}

mtc_status cmp_check_labels(mtc_context *ctx, const int *labels, size_t n,
                            size_t classes, size_t task)
{
    if (labels == NULL)
        return cmp_fail(ctx, MTC_INVALID, "labels", task, MTC_NONE, MTC_NONE);
    for (size_t i = 0; i < n; i++)
        if (labels[i] < 0 || (size_t)labels[i] >= classes)
            return cmp_fail(ctx, MTC_INVALID, "labels", task, i, MTC_NONE);
    return MTC_OK;
}

mtc_status cmp_check_tasks(mtc_context *ctx, const char *wrong,
                           const mtc_data *tasks, size_t n_tasks, size_t k,
                           const size_t *of_each,
                           const int *const *start_labels)
{
    CMP_TRY(cmp_check_options(ctx, wrong));
    CMP_TRY(cmp_check_sets(ctx, tasks, n_tasks));
    for (size_t t = 0; t < n_tasks; t++) {
        size_t sought = cmp_clusters(k, of_each, t);
        if (sought == 0 || sought > tasks[t].n || sought > INT_MAX)
            return cmp_fail(ctx, MTC_INVALID, "clusters: need 1..n", t,
                            MTC_NONE, MTC_NONE);
        if (start_labels != NULL)
            CMP_TRY(cmp_check_labels(ctx, start_labels[t], tasks[t].n, sought,
                                     t));
    }
    return MTC_OK;
}

/* Of CMP_PAIRS: both views, and what is known of the target. */
static mtc_status check_pairs(mtc_context *ctx, const cmp_world *w)
{
    const mtc_data *first = w->view[0];
    const mtc_data *second = w->view[1] != NULL ? w->view[1] : first;
    CMP_TRY(mtc_data_check(ctx, first, w->n_sources + 1));
    if (second != first)
        CMP_TRY(mtc_data_check(ctx, second, w->n_sources + 2));
    for (size_t i = 0; w->known != NULL && i < w->target->n; i++)
        if (w->known[i] < -1 ||
            (w->known[i] >= 0 && (size_t)w->known[i] >= w->c))
            return cmp_fail(ctx, MTC_INVALID, "known: need -1 or a class",
                            w->n_sources, i, MTC_NONE);
    return cmp_check_options(
        ctx,
        first->d != w->sources[0].d ? "view 1 and source differ in features"
        : second->d != w->target->d ? "view 2 and target differ in features"
        : second->n != first->n     ? "the two views differ in rows"
        : first->n > UINT32_MAX     ? "pairs: need 1..UINT32_MAX" : NULL);
}

/* Data first, so that a bad value is reported by its place before anything
 * about labels. */
mtc_status cmp_enter(mtc_context *ctx, const char *wrong, cmp_kind kind,
                     cmp_world *w)
{
    size_t S = w->n_sources, labeled = 0;
    CMP_TRY(cmp_check_options(ctx, wrong));
    CMP_TRY(cmp_check_sets(ctx, w->sources, S));
    CMP_TRY(mtc_data_check(ctx, w->target, S));
    if (kind == CMP_PAIRS)
        CMP_TRY(check_pairs(ctx, w));
    else if (w->target->d != w->sources[0].d)
        return cmp_fail(ctx, MTC_INVALID, "features differ in number", S,
                        MTC_NONE, MTC_NONE);
    if (w->c == 0 || w->c > INT_MAX)
        return cmp_check_options(ctx, "classes: need 1..INT_MAX");
    for (size_t t = 0; w->labels != NULL && t < S; t++) {
        labeled += w->labels[t] != NULL;
        if (w->labels[t] != NULL || kind != CMP_SOME)
            CMP_TRY(cmp_check_labels(ctx, w->labels[t], w->sources[t].n, w->c,
                                     t));
    }
    if (labeled == 0 && kind != CMP_PAIRS)
        return cmp_check_options(ctx, "labels");
    for (size_t t = 0; kind == CMP_COUNTS && t <= S; t++)
        CMP_TRY(cmp_check_nonnegative(ctx, t < S ? &w->sources[t] : w->target,
                                      t));
    w->d = w->target->d;
    w->n = w->target->n;
    w->u0 = cmp_count(w->sources, S);
    w->N = cmp_add(w->u0, w->n);
    return MTC_OK;
}

mtc_status cmp_gather(cmp_room *room, cmp_world *w)
{
    size_t at = 0;
    w->sets = CMP_TAKE(room, cmp_add(w->n_sources, 1), mtc_data);
    w->y = CMP_TAKE(room, w->N, int);
    w->count = CMP_TAKE(room, cmp_mul(2, w->c), mtc_real);
    CMP_TRY(room->status);
    for (size_t t = 0; t <= w->n_sources; t++) {
        int source = t < w->n_sources;
        const int *y = !source ? w->known : w->labels != NULL ? w->labels[t]
                                                              : NULL;
        w->sets[t] = source ? w->sources[t] : *w->target;
        for (size_t i = 0; i < w->sets[t].n; i++, at++) {
            w->y[at] = y != NULL ? y[i] : -1;
            if (w->y[at] >= 0)
                w->count[(source ? 0 : w->c) + (size_t)w->y[at]] += 1;
        }
    }
    return MTC_OK;
}
