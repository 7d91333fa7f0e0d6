/* SPDX-License-Identifier: MIT
 *
 * cmp_sweep.h - what every compared system must survive: each allocation that
 * fails, each tick that cancels.  A call is given as a function that writes a
 * result, which begins with its mtc_block, to `out`; both return NULL, or what
 * went wrong:
 *
 *     const char *wrong = sweep_memory(run_cocc, &input);
 *     ASSERTm(wrong, wrong == NULL);
 */
#ifndef CMP_SWEEP_H
#define CMP_SWEEP_H

#include "test_util.h"

typedef mtc_status (*sweep_call)(mtc_context *ctx, void *user, void *out);

/* Once for every allocation, which fails: alone, or with all that follow. */
static inline const char *sweep_memory(sweep_call call, void *user)
{
    static test_out out;
    for (int from = 0; from < 2; from++) {
        test_heap heap;
        mtc_context ctx = test_heap_context(&heap);
        if (call(&ctx, user, out.b) != MTC_OK)
            return "the call fails with all its memory";
        size_t calls = heap.calls;
        mtc_free(&ctx, (mtc_block *)(void *)out.b);
        if (heap.live != 0 || heap.faults != 0)
            return "the call keeps memory, or writes beyond it";
        for (size_t k = 1; k <= calls; k++) {
            ctx = test_heap_context(&heap);
            heap.fail_at = k;
            heap.fail_from = from;
            test_poison(&out);
            if (call(&ctx, user, out.b) != MTC_NO_MEMORY)
                return "a failed allocation is not reported";
            if (heap.live != 0 || heap.faults != 0)
                return "memory is lost after a failed allocation";
            if (!test_untouched(&out))
                return "the result is written after a failed allocation";
        }
    }
    return NULL;
}

/* Counts the ticks, and cancels at one of them. */
static inline int sweep_stop(void *user, const char *stage, size_t done,
                             size_t total)
{
    size_t *ticks = (size_t *)user;
    (void)stage, (void)done, (void)total;
    return ++ticks[0] == ticks[1];
}

/* Cancels at every tick, or at 64 of them. */
static inline const char *sweep_ticks(sweep_call call, void *user)
{
    static test_out out;
    size_t ticks[2] = {0, 0};
    test_heap heap;
    mtc_context ctx = test_heap_context(&heap);
    ctx.progress = sweep_stop;
    ctx.user = ticks;
    if (call(&ctx, user, out.b) != MTC_OK || ctx.need != 0)
        return "the call fails";
    mtc_free(&ctx, (mtc_block *)(void *)out.b);
    size_t all = ticks[0];
    if (all == 0)
        return "the call reports no progress";
    for (size_t k = 1; k <= all; k += 1 + all / 64) {
        ticks[0] = 0;
        ticks[1] = k;
        test_poison(&out);
        if (call(&ctx, user, out.b) != MTC_CANCELLED)
            return "a cancelled call goes on";
        if (!test_untouched(&out))
            return "a cancelled call writes its result";
        if (heap.live != 0 || heap.faults != 0)
            return "a cancelled call keeps memory";
    }
    return NULL;
}

#endif /* CMP_SWEEP_H */
