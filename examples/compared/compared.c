/* SPDX-License-Identifier: MIT
 *
 * compared.c - what the compared systems share: memory from the context's
 * allocator, places of failure, checks of what is given, copies of views,
 * streams of chance.  Everything stands on mtc.h alone; compared.h says how
 * each of these is used.
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

mtc_status cmp_check_options(mtc_context *ctx, const char *wrong)
{
    return wrong == NULL ? MTC_OK
                         : cmp_fail(ctx, MTC_INVALID, wrong, MTC_NONE,
                                    MTC_NONE, MTC_NONE);
}

/* Without a callback nobody cancels. */
mtc_status cmp_tick(mtc_context *ctx, const char *stage, size_t done,
                    size_t total)
{
    if (ctx == NULL || ctx->progress == NULL ||
        ctx->progress(ctx->user, stage, done, total) == 0)
        return MTC_OK;
    return cmp_fail(ctx, MTC_CANCELLED, stage, MTC_NONE, MTC_NONE, MTC_NONE);
}

/* The first number of the seed's generator, changed by the stream's number, is
 * the seed of another. */
mtc_random cmp_stream(const mtc_context *ctx, uint64_t stream)
{
    mtc_random r = mtc_random_seed(ctx != NULL ? ctx->seed : 1);
    return mtc_random_seed(mtc_random_bits(&r) ^ stream);
}

/* ---- memory ------------------------------------------------------------ */

/* In front of every piece of scratch: pieces form a chain, newest first, and
 * go back in that order, as an arena likes it. */
typedef struct cmp_piece {
    union { struct cmp_piece *before; double aligned; } link;
    union { size_t bytes; double aligned; } size;
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
    if (bytes == SIZE_MAX) {
        room->status = cmp_fail(ctx, MTC_TOO_BIG, "memory", MTC_NONE,
                                MTC_NONE, MTC_NONE);
        return NULL;
    }
    if (ctx != NULL && ctx->allocate != NULL)
        block = ctx->allocate(ctx->memory, bytes);
#ifndef MTC_NO_MALLOC
    else
        block = malloc(bytes);
#endif
    if (block == NULL)
        room->status = cmp_fail(ctx, MTC_NO_MEMORY, "memory", MTC_NONE,
                                MTC_NONE, MTC_NONE);
    else
        memset(block, 0, bytes);
    return block;
}

/* The piece behind its header, which is a whole number of doubles long. */
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

/* The next piece, behind the last and aligned for double. */
void *cmp_carve(cmp_carver *c, size_t count, size_t size)
{
    size_t at = c->used, unit = sizeof(double);
    size_t bytes = cmp_add(cmp_mul(count, size), unit - 1);
    c->used = bytes == SIZE_MAX ? SIZE_MAX
                                : cmp_add(at, bytes / unit * unit);
    return c->base == NULL ? NULL : c->base + at;
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
    while (room->last != NULL) {
        cmp_piece *piece = room->last;
        mtc_block block = {piece, piece->size.bytes, sizeof block};
        room->last = piece->link.before;
        mtc_free(room->ctx, &block);
    }
    if (result != NULL && s == MTC_OK)
        memcpy(out, result, bytes);
    else if (result != NULL)
        mtc_free(room->ctx, (mtc_block *)result);
    if (room->ctx != NULL)
        room->ctx->need = 0;
    return s;
}

/* ---- what is given ----------------------------------------------------- */

size_t cmp_count(const mtc_data *sets, size_t n_sets)
{
    size_t n = 0;
    for (size_t s = 0; s < n_sets; s++)
        n = cmp_add(n, sets[s].n);
    return n;
}

mtc_status cmp_check_sets(mtc_context *ctx, const mtc_data *sets,
                          size_t n_sets)
{
    if (sets == NULL || n_sets == 0)
        return cmp_check_options(ctx, "no data");
    for (size_t s = 0; s < n_sets; s++) {
        mtc_status found = mtc_data_check(ctx, &sets[s], s);
        if (found != MTC_OK)
            return found;
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

/* Data first, so that a bad value is reported by its place before anything
 * about labels. */
mtc_status cmp_check_transfer(mtc_context *ctx, const mtc_data *sources,
                              const int *const *labels, size_t n_sources,
                              const mtc_data *target, size_t classes,
                              int some)
{
    mtc_status s = cmp_check_sets(ctx, sources, n_sources);
    if (s == MTC_OK)
        s = mtc_data_check(ctx, target, n_sources);
    if (s != MTC_OK)
        return s;
    if (target->d != sources[0].d)
        return cmp_fail(ctx, MTC_INVALID, "features differ in number",
                        n_sources, MTC_NONE, MTC_NONE);
    if (classes == 0 || classes > INT_MAX)
        return cmp_check_options(ctx, "classes: need 1..INT_MAX");
    size_t labeled = 0;
    for (size_t i = 0; s == MTC_OK && labels != NULL && i < n_sources; i++) {
        labeled += labels[i] != NULL;
        if (labels[i] != NULL || !some)
            s = cmp_check_labels(ctx, labels[i], sources[i].n, classes, i);
    }
    return s == MTC_OK && labeled == 0 ? cmp_check_options(ctx, "labels") : s;
}

/* What is counted or weighed is 0 or more: the first value that is not. */
mtc_status cmp_check_nonnegative(mtc_context *ctx, const mtc_data *X,
                                 size_t task)
{
    for (size_t i = 0; i < X->n; i++)
        for (size_t begin = cmp_begin(X, i), e = begin; e < cmp_end(X, i); e++)
            if (X->values[e] < 0)
                return cmp_fail(ctx, MTC_DOMAIN, "values: need 0 or more",
                                task, i, cmp_column(X, begin, e));
    return MTC_OK;
}

/* ---- copies of views --------------------------------------------------- */

mtc_data *cmp_with_target(cmp_room *room, const mtc_data *sources,
                          size_t n_sources, const mtc_data *target)
{
    mtc_data *sets = CMP_TAKE(room, cmp_add(n_sources, 1), mtc_data);
    if (sets == NULL)
        return NULL;
    memcpy(sets, sources, n_sources * sizeof *sets);
    sets[n_sources] = *target;
    return sets;
}

/* A dense row of a copy in CSR keeps all its d entries. */
mtc_data cmp_stack(cmp_room *room, const mtc_data *sets, size_t n_sets)
{
    size_t n = cmp_count(sets, n_sets), d = sets[0].d, stored = 0, at = 0;
    int sparse = 0;
    for (size_t s = 0; s < n_sets; s++) {
        sparse |= sets[s].row != NULL;
        stored = cmp_add(stored, sets[s].row != NULL ? sets[s].row[sets[s].n]
                                                     : cmp_mul(sets[s].n, d));
    }
    mtc_real *value = CMP_TAKE(room, stored, mtc_real);
    size_t *row = sparse ? CMP_TAKE(room, cmp_add(n, 1), size_t) : NULL;
    uint32_t *column = sparse ? CMP_TAKE(room, stored, uint32_t) : NULL;
    for (size_t s = 0, line = 0; room->status == MTC_OK && s < n_sets; s++)
        for (size_t i = 0; i < sets[s].n; i++, line++) {
            size_t begin = cmp_begin(&sets[s], i), end = cmp_end(&sets[s], i);
            for (size_t e = begin; e < end; e++, at++) {
                value[at] = sets[s].values[e];
                if (sparse)
                    column[at] = (uint32_t)cmp_column(&sets[s], begin, e);
            }
            if (sparse)
                row[line + 1] = at;
        }
    return sparse ? mtc_csr(n, d, row, column, value) : mtc_dense(n, d, value);
}

/* Divided by the largest value first: its square may overflow, or be 0. */
mtc_data cmp_unit_rows(cmp_room *room, const mtc_data *X)
{
    mtc_data copy = cmp_stack(room, X, 1);
    for (size_t i = 0; room->status == MTC_OK && i < copy.n; i++) {
        mtc_real *value = (mtc_real *)copy.values;  /* ours */
        size_t begin = cmp_begin(&copy, i), end = cmp_end(&copy, i);
        mtc_real most = 0, sum = 0;
        for (size_t e = begin; e < end; e++)
            most = cmp_abs(value[e]) > most ? cmp_abs(value[e]) : most;
        for (size_t e = begin; e < end && most > 0; e++) {
            value[e] /= most;
            sum += value[e] * value[e];
        }
        for (size_t e = begin; e < end && most > 0; e++)
            value[e] /= cmp_sqrt(sum);
    }
    return copy;
}

/* ---- order ------------------------------------------------------------- */

size_t cmp_argmax(size_t k, const mtc_real *value)
{
    size_t best = 0;
    for (size_t z = 1; z < k; z++)
        if (value[z] > value[best])
            best = z;
    return best;
}

/* Merge sort from runs of one: of equal keys the left one comes first. */
void cmp_sort(size_t n, const mtc_real *key, size_t *order, size_t *spare)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t begin = 0; begin < n; begin += 2 * run) {
            size_t middle = n - begin < run ? n : begin + run;
            size_t end = n - middle < run ? n : middle + run;
            size_t a = begin, b = middle;
            for (size_t t = begin; t < end; t++)
                spare[t] = b == end || (a < middle && key[order[a]] <=
                                                          key[order[b]])
                               ? order[a++] : order[b++];
        }
        memcpy(order, spare, n * sizeof *order);
    }
}
