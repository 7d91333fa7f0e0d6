/* SPDX-License-Identifier: MIT
 *
 * jump.c - setjmp and longjmp in WebAssembly
 *
 * A function there cannot be left but by its end or by an exception of the
 * host.  The compiler (-mllvm -enable-emscripten-sjlj) makes every call that
 * may jump, in a function that has a setjmp, a call through the host: invoke_*
 * in wasi.js calls the function and catches what jump_thrown() throws.  Then
 * it asks testSetjmp whether the jump was meant for this function, and goes on
 * behind that setjmp, or throws again.  The names are the compiler's.
 */
#include <stdint.h>
#include <stdlib.h>

typedef struct place { unsigned long id, label; } place;

unsigned long __THREW__;            /* the jmp_buf, or 1: thrown to here */
int __threwValue;
static uint32_t second;             /* result of a function that has two */

__attribute__((import_module("env"), import_name("jump_thrown"), noreturn))
void jump_thrown(void);
void emscripten_longjmp(unsigned long *env, int value)
    __attribute__((noreturn));
void setTempRet0(uint32_t value);
uint32_t getTempRet0(void);
place *saveSetjmp(unsigned long *env, unsigned long label, place *table,
                  uint32_t size);
unsigned long testSetjmp(unsigned long id, const place *table, uint32_t size);

void setTempRet0(uint32_t value)
{
    second = value;
}

uint32_t getTempRet0(void)
{
    return second;
}

/* Notes a setjmp in its function's table, which has room for `size` places
 * and an end, id 0; the second result is its size now. */
place *saveSetjmp(unsigned long *env, unsigned long label, place *table,
                  uint32_t size)
{
    static unsigned long calls;
    uint32_t i = 0;
    while (table[i].id != 0)
        i++;
    if (i == size) {
        size *= 2;
        table = (place *)realloc(table, (size + 1) * sizeof *table);
        if (table == NULL)
            abort();
    }
    *env = table[i].id = ++calls;
    table[i].label = label;
    table[i + 1].id = 0;
    setTempRet0(size);
    return table;
}

/* Where the function goes on after a jump; 0: the jump is not for it. */
unsigned long testSetjmp(unsigned long id, const place *table, uint32_t size)
{
    for (uint32_t i = 0; i < size && table[i].id != 0; i++)
        if (table[i].id == id)
            return table[i].label;
    return 0;
}

void emscripten_longjmp(unsigned long *env, int value)
{
    __THREW__ = (unsigned long)env;
    __threwValue = value != 0 ? value : 1;
    jump_thrown();
}
