/* SPDX-License-Identifier: MIT
 *
 * task.c - a task as every reader fills it: labels, and rows of the file
 */
#include "data.h"

#include <limits.h>
#include <math.h>

/* The number at s.  Returns NULL, or what is wrong with it. */
const char *real_at(const char *s, double *x, const char **end)
{
    *end = decimal_at(s, '.', x);
    if (*end == s)
        return "is not a number";
    return fabs(*x) > APP_REAL_MAX ? "is too large" : NULL;
}

/* A class label at s: a whole number, also in the form 1.0 or +1. */
const char *label_at(const char *s, int *label, const char **end)
{
    double x;
    const char *wrong = real_at(s, &x, end);
    if (wrong != NULL)
        return wrong;
    if (x != floor(x) || x < INT_MIN || x > INT_MAX)
        return "is not a whole number that fits an int";
    *label = (int)x;
    return NULL;
}

/* Labels of a run are numbers in all files or words in all: a word's number
 * must not meet another file's label by accident, where the two can meet. */
void note_labels(app *a, task *t, int words_used)
{
    t->named = words_used;
    if (words_used)
        a->named = t->file;
    else
        a->numbered = t->file;
    if (a->named != NULL && a->numbered != NULL && !a->apart)
        fail(a, BAD_DATA, "%s: labels are words, but in %s they are numbers",
             a->named, a->numbered);
}

/* The row of the file, from 0, that sample i is. */
size_t sample_row(const task *t, size_t i)
{
    return t->place != NULL ? t->place[i] : i;
}

/* Where a number stands among x [n], which ascend, or MTC_NONE. */
size_t find_number(const size_t *x, size_t n, size_t number)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (x[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && x[low] == number ? low : MTC_NONE;
}

/* The sample that a row of the file is, or MTC_NONE. */
size_t sample_of(const task *t, size_t row)
{
    return t->place != NULL ? find_number(t->place, t->n, row) : row;
}
