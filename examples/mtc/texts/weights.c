/* SPDX-License-Identifier: MIT
 *
 * weights.c - weights of words, and numbers beside them
 *
 * Texts are counts of words.  Methods that compare directions or distances get
 * them as tf idf rows of length 1, unless --preprocess says otherwise.  Numbers
 * of a table beside the words are z-scored, then scaled so that they and the
 * words have the same mean squared length of a row.
 */
#include "texts.h"

#include <math.h>

int has_texts(const tasks *all)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].word != NULL)
            return 1;
    return 0;
}

/* --preprocess where it is not given: none if the method wants counts. */
void weigh_texts(app *a, settings *set, const tasks *all, int counted)
{
    if (!has_texts(all)) {
        if (set->about_texts)
            warn(a, "no-effect", NULL, "no task has texts: options for texts "
                 "have no effect");
        return;
    }
    for (size_t i = 0; i < all->n && set->stop == NULL; i++)
        if (all->at[i].bag != NULL)             /* as used */
            set->stop = all->at[i].bag->book->rules.stop;
    if (set->preprocess_given && !is(set->preprocess, "auto"))
        return;
    set->preprocess = counted ? "none" : "tfidf";
    if (counted)
        inform(a, "weights", NULL, "texts: words are counted, as the method "
               "wants it; --preprocess tfidf or l2 weighs them");
    else
        inform(a, "weights", NULL, "texts: words are weighted by tf idf, rows "
               "have length 1; --preprocess none keeps the counts");
}

/* ---- numbers beside words ---- */

/* The squared length of the words of row i, behind its numbers, as they will
 * be. */
static double words_square(const task *t, size_t i, const scaling *s)
{
    double square = 0;
    for (size_t p = t->row[i] + s->numbers; p < t->row[i + 1]; p++) {
        double x = (double)t->values[p];
        if (is(s->how, "tfidf"))
            x *= (double)s->idf[t->column[p]];
        square += x * x;
    }
    return is(s->how, "none") || !(square > 0) ? square : 1;
}

/* What numbers are multiplied by, so that words and they are equally long. */
void find_balance(app *a, const tasks *all, scaling *s)
{
    double of_words = 0, of_numbers = 0;
    s->numbers = all->at[0].numbers;
    for (size_t t = 0; t < all->n; t++)
        for (size_t i = 0; i < all->at[t].n; i++) {
            of_words += words_square(&all->at[t], i, s);
            for (size_t j = 0; j < s->numbers; j++)
                of_numbers += s->deviation[j] > 0;
        }
    s->balance = of_words > 0 && of_numbers > 0 ? sqrt(of_words / of_numbers)
                                               : 1;
    inform(a, "numbers-beside", NULL, "numbers beside words are z-scored, then "
           "scaled by %.4g, so that both have the same mean squared length",
           s->balance);
}

/* Numbers beside words, by figures that are known. */
void scale_numbers(const task *t, const scaling *s)
{
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = 0; j < s->numbers; j++) {
            mtc_real *x = &t->values[t->row[i] + j];
            double off = (double)*x - s->mean[j], by = s->deviation[j];
            *x = (mtc_real)(by > 0 ? s->balance * off / by : 0);
        }
}
