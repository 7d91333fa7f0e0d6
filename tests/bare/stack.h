/* SPDX-License-Identifier: MIT
 *
 * stack.h - bytes of stack between two calls on bare metal.
 */
#ifndef STACK_H
#define STACK_H

void stack_paint(void);
unsigned long stack_used(void);     /* since, below the caller */

#endif /* STACK_H */
