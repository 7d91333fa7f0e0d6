/* SPDX-License-Identifier: MIT
 *
 * stem.h - English words without their endings
 */
#ifndef STEM_H
#define STEM_H

#include <stddef.h>

size_t stem_english(char *word, size_t n);

#endif /* STEM_H */
