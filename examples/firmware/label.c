/* SPDX-License-Identifier: MIT
 *
 * label.c - labels on the device by a model from the desk: no library, no
 * heap, no libm, only the header that `mtc export` wrote.
 *
 *     mtc cluster mbc --k 4 north.csv south.csv --save model.json
 *     mtc export model.json --c model --out .
 *
 * The samples lie in flash (samples.h); a real device would read a sensor.
 * Out goes one label a line, one task after the other, as in the files of
 * `mtc assign --out`.
 */
#include <stdio.h>

#include "model.h"

#define SAMPLE_REAL model_real
#include "samples.h"

int main(void)
{
    for (int task = 0; task < MODEL_TASKS; task++)
        for (int i = 0; i < SAMPLES; i++) {
            const char line[2] = {
                (char)('0' + model_label(task, samples[task][i])), '\0'};
            puts(line);
        }
    return 0;
}
