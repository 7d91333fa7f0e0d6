/* SPDX-License-Identifier: MIT
 *
 * letters.h - characters of a text: UTF-8, letters, small letters
 */
#ifndef LETTERS_H
#define LETTERS_H

#include <stddef.h>
#include <stdint.h>

enum { NO_CHARACTER = 0x110000 };   /* above all of Unicode */

typedef enum letter_kind {
    LETTER_NONE,                    /* ends a word */
    LETTER_OF_WORD,                 /* a letter or a combining mark */
    LETTER_DIGIT,
    LETTER_ALONE                    /* scripts without spaces: a word by itself,
                                       and with its neighbor */
} letter_kind;

uint32_t utf8_next(const char **at, const char *end);
uint32_t utf8_at(const char *s, size_t *step);
size_t characters(const char *s);
size_t utf8_put(uint32_t c, char *to);
int utf8_valid(const char *s, size_t n);
letter_kind kind_of_letter(uint32_t c);
uint32_t small_letter(uint32_t c);

#endif /* LETTERS_H */
