/* SPDX-License-Identifier: MIT
 *
 * setjmp.h - what wasi-libc does not have; see jump.c
 */
#ifndef SETJMP_H
#define SETJMP_H

typedef unsigned long jmp_buf[1];   /* which of all calls of setjmp it was */

int setjmp(jmp_buf env) __attribute__((returns_twice));
void longjmp(jmp_buf env, int value) __attribute__((noreturn));

#endif
