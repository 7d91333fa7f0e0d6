/* SPDX-License-Identifier: MIT
 *
 * start.c - what a Cortex-M4 needs before main: a vector table, the FPU on,
 * data copied, bss cleared.  Text goes out, and the program ends, by
 * semihosting, which qemu-system-arm -semihosting answers.  On a board of your
 * own, puts would write to a serial port and leave would wait for a reset.
 */
#include <stdint.h>

/* From the linker script.  The first entry of the vector table is no function
 * but the top of the stack; ISO C converts no object to a function. */
extern uint32_t link_data_from[], link_data[], link_data_end[];
extern uint32_t link_bss[], link_bss_end[];
void link_stack(void);
int main(void);
int puts(const char *s);
void reset(void);
void fault(void);

static int host_call(int number, const void *argument)
{
    register int r0 __asm__("r0") = number;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

int puts(const char *s)
{
    host_call(4, s);                            /* SYS_WRITE0 */
    host_call(4, "\n");
    return 0;
}

static void leave(int status)
{
    /* SYS_EXIT: the program ended by itself, or by an error. */
    host_call(0x18, (const void *)(status == 0 ? 0x20026 : 0x20023));
    for (;;) {
    }
}

void reset(void)
{
    volatile uint32_t *cpacr = (volatile uint32_t *)0xe000ed88;
    *cpacr |= 0xfu << 20;                       /* coprocessors 10 and 11 */
    __asm__ volatile("dsb\n isb");
    const uint32_t *from = link_data_from;
    for (uint32_t *to = link_data; to < link_data_end; to++)
        *to = *from++;
    for (volatile uint32_t *to = link_bss; to < link_bss_end; to++)
        *to = 0;
    leave(main());
}

void fault(void)
{
    puts("fault");
    leave(1);
}

typedef void (*handler)(void);

__attribute__((section(".vectors"), used))
static const handler vectors[16] = {
    link_stack, reset, fault, fault, fault, fault, fault, 0,
    0, 0, 0, fault, fault, 0, fault, fault
};
