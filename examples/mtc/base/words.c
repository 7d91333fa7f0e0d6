/* SPDX-License-Identifier: MIT
 *
 * words.c - words: numbered in order of appearance and found again
 */
#include "data.h"

#include <string.h>

/* FNV-1a, and a shift that brings high bits down. */
static uint32_t hash_of(const char *s, size_t n)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ (unsigned char)s[i]) * 16777619u;
    return hash ^ hash >> 15;
}

/* The slot of a word: where it is, or the free one where it goes.  There are
 * always free ones. */
static word_slot *slot_of(const dictionary *d, const char *s, size_t n,
                          uint32_t hash)
{
    size_t mask = d->slots - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        word_slot *slot = &d->slot[i];
        if (slot->number == 0)
            return slot;
        const char *word = d->word[slot->number - 1];
        if (slot->hash == hash && strncmp(word, s, n) == 0 && word[n] == '\0')
            return slot;
    }
}

/* For qsort: by bytes. */
int compare_words(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* The number of a word of n bytes, or MTC_NONE. */
size_t find_word(const dictionary *d, const char *s, size_t n)
{
    size_t number = d->slots > 0 ? slot_of(d, s, n, hash_of(s, n))->number : 0;
    return number > 0 ? number - 1 : MTC_NONE;
}

static void widen_slots(app *a, dictionary *d)
{
    word_slot *before = d->slot;
    size_t slots = d->slots;
    d->slots = slots == 0 ? 64 : 2 * slots;
    d->slot = TAKE(a, d->slots, word_slot);
    for (size_t i = 0; i < slots; i++) {
        size_t to = before[i].hash & (d->slots - 1);
        if (before[i].number == 0)
            continue;
        while (d->slot[to].number != 0)
            to = (to + 1) & (d->slots - 1);
        d->slot[to] = before[i];
    }
    pool_release(before);
}

/* The number of a word; one that is new gets the next. */
size_t number_word(app *a, dictionary *d, const char *s, size_t n)
{
    uint32_t hash = hash_of(s, n);
    if (2 * d->n >= d->slots)
        widen_slots(a, d);
    word_slot *slot = slot_of(d, s, n, hash);
    if (slot->number == 0) {
        if (d->n == UINT32_MAX - 1)
            fail(a, BAD_DATA, "more than four billion different words");
        GROW(a, d->word, d->n, d->room);
        d->word[d->n] = d->lent ? s : memcpy(TAKE(a, n + 1, char), s, n);
        slot->hash = hash;
        slot->number = (uint32_t)++d->n;
    }
    return slot->number - 1;
}

/* The number of a label that is a word, in UTF-8. */
int class_number(app *a, const char *name)
{
    name = in_utf8(a, name);
    return (int)number_word(a, &a->classes, name, strlen(name));
}
