/* SPDX-License-Identifier: MIT
 *
 * words.c - words: numbered in order of appearance and found again
 */
#include "data.h"
#include "letters.h"

#include <string.h>

/* The slot of a word: where it is, or the free one where it goes.  A slot
 * holds the word's number + 1; there are always free ones. */
static size_t slot_of(const dictionary *d, const char *s, size_t n)
{
    size_t hash = 5381;
    for (size_t i = 0; i < n; i++)
        hash = 33 * hash + (unsigned char)s[i];
    for (size_t slot = hash % d->slots;; slot = (slot + 1) % d->slots) {
        const char *word = d->slot[slot] == 0 ? NULL
                                              : d->word[d->slot[slot] - 1];
        if (word == NULL || (strncmp(word, s, n) == 0 && word[n] == '\0'))
            return slot;
    }
}

/* The number of a word of n bytes, or MTC_NONE. */
size_t find_word(const dictionary *d, const char *s, size_t n)
{
    size_t number = d->slots > 0 ? d->slot[slot_of(d, s, n)] : 0;
    return number > 0 ? number - 1 : MTC_NONE;
}

/* The same; a word that is new gets the next number. */
size_t number_word(app *a, dictionary *d, const char *s, size_t n)
{
    if (2 * d->n >= d->slots) {
        d->slots = 4 * d->n + 61;
        pool_release(d->slot);
        d->slot = TAKE(a, d->slots, size_t);
        for (size_t i = 0; i < d->n; i++)
            d->slot[slot_of(d, d->word[i], strlen(d->word[i]))] = i + 1;
    }
    size_t *number = &d->slot[slot_of(d, s, n)];
    if (*number == 0) {
        char *word = TAKE(a, n + 1, char);
        memcpy(word, s, n);
        GROW(a, d->word, d->n, d->room);
        d->word[d->n] = word;
        *number = ++d->n;
    }
    return *number - 1;
}

/* The number of a label that is a word, in UTF-8. */
int class_number(app *a, const char *name)
{
    if (!utf8_valid(name, strlen(name)))
        name = in_utf8(a, name);
    return (int)number_word(a, &a->classes, name, strlen(name));
}
