/* SPDX-License-Identifier: MIT
 *
 * measure.c - the main of a program that was compiled with -Dmain=measured,
 * and how deep its stack went: after the program's own lines, "stack N".
 */
#include <stdio.h>

#include "stack.h"

int measured(void);
int main(void);

int main(void)
{
    char line[40] = "stack ";
    int status;
    unsigned at = 6, digits = 1;
    stack_paint();
    status = measured();
    unsigned long used = stack_used();
    for (unsigned long rest = used; rest > 9; rest /= 10)
        digits++;
    for (unsigned d = digits; d-- > 0; used /= 10)
        line[at + d] = (char)('0' + used % 10);
    puts(line);
    return status;
}
