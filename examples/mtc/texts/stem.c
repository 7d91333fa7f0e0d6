/* SPDX-License-Identifier: MIT
 *
 * stem.c - English words without their endings
 *
 * M. F. Porter: An algorithm for suffix stripping.  Program 14(3), 1980, as
 * published, without later departures.  A word is [C](VC)^m[V], C and V being
 * runs of consonants and vowels; m is its measure.  Each step takes the longest
 * suffix of its table that the word ends in, and replaces it if the stem before
 * it meets the condition.
 */
#include "stem.h"

#include <string.h>

typedef struct rule {
    const char *suffix, *instead;
    int measure;                    /* m of the stem has to be above this */
} rule;

/* y is a vowel after a consonant. */
static int is_vowel(const char *word, size_t i)
{
    if (strchr("aeiou", word[i]) != NULL)
        return 1;
    return word[i] == 'y' && i > 0 && !is_vowel(word, i - 1);
}

/* m of the first n letters: how often a vowel is followed by a consonant. */
static int measure(const char *word, size_t n)
{
    int m = 0;
    for (size_t i = 1; i < n; i++)
        m += is_vowel(word, i - 1) && !is_vowel(word, i);
    return m;
}

/* *v* of the paper. */
static int has_vowel(const char *word, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_vowel(word, i))
            return 1;
    return 0;
}

/* *d: the first n letters end with a double consonant. */
static int ends_double(const char *word, size_t n)
{
    return n > 1 && word[n - 1] == word[n - 2] && !is_vowel(word, n - 1);
}

/* *o: they end consonant, vowel, consonant, the last not w, x or y. */
static int ends_short(const char *word, size_t n)
{
    return n > 2 && !is_vowel(word, n - 3) && is_vowel(word, n - 2) &&
           !is_vowel(word, n - 1) && strchr("wxy", word[n - 1]) == NULL;
}

static int ends_in(const char *word, size_t n, const char *suffix)
{
    size_t s = strlen(suffix);
    return n >= s && memcmp(word + n - s, suffix, s) == 0;
}

/* The rule of the longest suffix that the word ends in, or NULL. */
static const rule *longest(const rule *rules, size_t count, const char *word,
                           size_t n)
{
    const rule *best = NULL;
    for (size_t r = 0; r < count; r++)
        if (ends_in(word, n, rules[r].suffix) &&
            (best == NULL || strlen(rules[r].suffix) > strlen(best->suffix)))
            best = &rules[r];
    return best;
}

/* Letters after `instead` has taken the place of what follows the stem. */
static size_t replace(char *word, size_t stem, const char *instead)
{
    size_t n = strlen(instead);
    memcpy(word + stem, instead, n);
    return stem + n;
}

static size_t by_table(const rule *rules, size_t count, char *word, size_t n)
{
    const rule *r = longest(rules, count, word, n);
    if (r == NULL)
        return n;
    size_t stem = n - strlen(r->suffix);
    return measure(word, stem) > r->measure ? replace(word, stem, r->instead)
                                            : n;
}

/* Step 1a: plurals. */
static size_t step_1a(char *word, size_t n)
{
    if (ends_in(word, n, "sses") || ends_in(word, n, "ies"))
        return n - 2;
    return ends_in(word, n, "s") && !ends_in(word, n, "ss") ? n - 1 : n;
}

/* Step 1b: past forms and participles; what is left is made a word again. */
static size_t step_1b(char *word, size_t n)
{
    if (ends_in(word, n, "eed"))
        return measure(word, n - 3) > 0 ? n - 1 : n;
    size_t stem = ends_in(word, n, "ed")    ? n - 2
                  : ends_in(word, n, "ing") ? n - 3
                                            : n;
    if (stem == n || !has_vowel(word, stem))
        return n;
    if (ends_in(word, stem, "at") || ends_in(word, stem, "bl") ||
        ends_in(word, stem, "iz"))
        return replace(word, stem, "e");
    if (ends_double(word, stem) && strchr("lsz", word[stem - 1]) == NULL)
        return stem - 1;
    if (measure(word, stem) == 1 && ends_short(word, stem))
        return replace(word, stem, "e");
    return stem;
}

/* Step 1c: happy, happi. */
static size_t step_1c(char *word, size_t n)
{
    if (ends_in(word, n, "y") && has_vowel(word, n - 1))
        word[n - 1] = 'i';
    return n;
}

static const rule step_2[] = {
    {"ational", "ate", 0}, {"tional", "tion", 0}, {"enci", "ence", 0},
    {"anci", "ance", 0},   {"izer", "ize", 0},    {"abli", "able", 0},
    {"alli", "al", 0},     {"entli", "ent", 0},   {"eli", "e", 0},
    {"ousli", "ous", 0},   {"ization", "ize", 0}, {"ation", "ate", 0},
    {"ator", "ate", 0},    {"alism", "al", 0},    {"iveness", "ive", 0},
    {"fulness", "ful", 0}, {"ousness", "ous", 0}, {"aliti", "al", 0},
    {"iviti", "ive", 0},   {"biliti", "ble", 0}};

static const rule step_3[] = {
    {"icate", "ic", 0}, {"ative", "", 0}, {"alize", "al", 0},
    {"iciti", "ic", 0}, {"ical", "ic", 0}, {"ful", "", 0}, {"ness", "", 0}};

static const rule step_4[] = {
    {"al", "", 1},    {"ance", "", 1}, {"ence", "", 1}, {"er", "", 1},
    {"ic", "", 1},    {"able", "", 1}, {"ible", "", 1}, {"ant", "", 1},
    {"ement", "", 1}, {"ment", "", 1}, {"ent", "", 1},  {"ou", "", 1},
    {"ism", "", 1},   {"ate", "", 1},  {"iti", "", 1},  {"ous", "", 1},
    {"ive", "", 1},   {"ize", "", 1}};

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

/* Step 4 with its one condition that is no measure: -ion after s or t. */
static size_t without_last_suffix(char *word, size_t n)
{
    if (!ends_in(word, n, "ion"))
        return by_table(step_4, COUNT_OF(step_4), word, n);
    size_t stem = n - 3;
    int fits = stem > 0 && strchr("st", word[stem - 1]) != NULL;
    return fits && measure(word, stem) > 1 ? stem : n;
}

/* Step 5: a last e, and the second of two l. */
static size_t step_5(char *word, size_t n)
{
    if (ends_in(word, n, "e")) {
        int m = measure(word, n - 1);
        if (m > 1 || (m == 1 && !ends_short(word, n - 1)))
            n--;
    }
    if (ends_in(word, n, "ll") && measure(word, n) > 1)
        n--;
    return n;
}

/* Letters of the stem of word[0..n), which are a to z; it is written in place
 * and never longer than the word and one letter more. */
size_t stem_english(char *word, size_t n)
{
    n = step_1a(word, n);
    n = step_1b(word, n);
    n = step_1c(word, n);
    n = by_table(step_2, COUNT_OF(step_2), word, n);
    n = by_table(step_3, COUNT_OF(step_3), word, n);
    n = without_last_suffix(word, n);
    return step_5(word, n);
}
