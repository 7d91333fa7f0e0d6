/* SPDX-License-Identifier: MIT
 *
 * stack.c - how deep the stack went on a Cortex-M4: stack_paint fills the
 * words below it, and stack_used looks how much is left of the paint.
 */
#include <stdint.h>

#include "stack.h"

/* Words below the stack pointer that a call may use. */
enum { PAINTED = 16384 };
#define PAINT 0x5ac0ffeeu

static volatile uint32_t *stack_pointer(void)
{
    uint32_t *sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    return sp;
}

__attribute__((noinline)) void stack_paint(void)
{
    volatile uint32_t *sp = stack_pointer();
    for (unsigned i = 1; i <= PAINTED + 32; i++)  /* frames differ */
        *(sp - i) = PAINT;
}

__attribute__((noinline)) unsigned long stack_used(void)
{
    volatile uint32_t *sp = stack_pointer();
    unsigned i = PAINTED;
    while (i > 0 && *(sp - i) == PAINT)
        i--;
    return 4ul * i;
}
