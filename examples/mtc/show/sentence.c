/* SPDX-License-Identifier: MIT
 *
 * sentence.c - the answer in a sentence, before any table
 *
 * How many groups there are, whether they match between files, what each of
 * them is like, how far apart they lie, and what became of the columns.
 */
#include "summary.h"

#include <math.h>
#include <string.h>

enum { GROUPS_SHOWN = 6, FEATURES_SHOWN = 2, FEATURES_MOST = 4,
       WORDS_SHOWN = 3 };

/* ---- all tasks together ---- */

/* Adds the figures of one task. */
static void add_profile(overview *o, const profile *p)
{
    for (size_t z = 0; z < o->k; z++) {
        o->found[z] += p->size[z] > 0;
        for (size_t f = 0; f < p->d && p->size[z] > 0; f++) {
            double *mean = &o->effect[z * p->d + f];
            *mean += (effect_of(p, z, f) - *mean) / (double)o->found[z];
        }
    }
}

/* ---- in words ---- */

/* Does mtc_across bear out the numbers? */
static int is_borne_out(const report *r)
{
    return r->job->across != NULL && r->job->numbers != NUMBERS_DIFFER;
}

/* ", as many as species has classes" */
static void put_origin(text *out, const report *r)
{
    app *a = r->job->a;
    const char *labels = r->job->set->labels;
    size_t first, last;
    put(a, out, ", as many as ");
    if (!by_name(labels))
        put(a, out, r->tasks->n == 1 ? "the file" : "each %s",
            file_word(r->job->set));
    else
        put(a, out, "%s%s", numbers_of(labels, &first, &last) ? "column " : "",
            visible(a, labels));
    put(a, out, " has classes (--k auto: their number is chosen)");
}

/* "3 groups in each file" */
static void put_number(text *out, const report *r, const overview *o)
{
    app *a = r->job->a;
    size_t n = r->tasks->n, low = SIZE_MAX, high = 0;
    const char *file = file_word(r->job->set);
    const char *what = finds_classes(r) ? "class" : "group";
    for (size_t i = 0; i < n; i++) {
        size_t used = o->of[i].used;
        low = used < low ? used : low;
        high = used > high ? used : high;
    }
    const char *many = high == 1 ? "" : finds_classes(r) ? "es" : "s";
    if (n == 2 && high > low) {
        size_t first = o->of[0].used;
        put(a, out, "%zu %s%s in %s, %zu in %s", first, what,
            first == 1 ? "" : many, visible(a, r->tasks->at[0].name),
            low + high - first, visible(a, r->tasks->at[1].name));
    } else {
        put(a, out, "%zu", low);
        if (high > low)
            put(a, out, " to %zu", high);
        put(a, out, " %s%s in ", what, many);
        if (n == 1)
            put(a, out, "%s", visible(a, r->tasks->at[0].name));
        else if (n == 2)
            put(a, out, "each %s", file);
        else
            put(a, out, "each of %zu %ss", n, file);
    }
    if (r->job->set->pool && r->job->out[0].k_effective > high)
        put(a, out, ", %zu in all", r->job->out[0].k_effective);
    if (r->job->by_classes == r->job->n)
        put_origin(out, r);
    if (r->job->across != NULL)
        put_pairs_across(out, r);
    else if (n > 1)
        put(a, out, "; their numbers are each %s's own.", file);
    else
        put(a, out, ".");
}

/* "much higher", or of a word "much more often"; NULL where there is hardly a
 * difference. */
const char *size_in_words(double effect, int of_word)
{
    static const char *const size[2][6] = {
        {"much lower", "lower", "somewhat lower",
         "much higher", "higher", "somewhat higher"},
        {"much less often", "less often", "somewhat less often",
         "much more often", "more often", "somewhat more often"}};
    double much = fabs(effect);
    size_t step = much >= 1.5 ? 0 : much >= 0.7 ? 1 : 2;
    return much >= 0.3 ? size[of_word][step + (effect > 0 ? 3 : 0)] : NULL;
}

/* Is a feature 1 or 0: a word of a column, or one of yes and no? */
int is_yes_or_no(const task *t, size_t f)
{
    return is_of_word(t, f) ||
           (t->feature != NULL && f < t->own && t->feature[f].pair > 0);
}

/* which [most]: the features that tell a group from the others, the strongest
 * first; of texts the words that it has more of. */
static int strongest(const report *r, const overview *o, size_t z, int most,
                     size_t *which)
{
    const task *t = &r->tasks->at[0];
    double *effect = COPY(r->job->a, o->effect + z * t->d, t->d, double);
    int n = 0;
    for (; n < most; n++) {
        size_t best = 0;
        for (size_t f = 1; f < t->d; f++)
            if (is_wordy(t) ? effect[f] > effect[best]
                            : fabs(effect[f]) > fabs(effect[best]))
                best = f;
        if (is_wordy(t) ? !(effect[best] > 0)
                        : size_in_words(effect[best], 0) == NULL)
            break;
        which[n] = best;
        effect[best] = 0;
    }
    pool_release(effect);
    return n;
}

/* "much higher spend, lower visits": up to `most` features. */
static void put_group(text *out, const report *r, const overview *o, size_t z,
                      int most)
{
    app *a = r->job->a;
    const task *t = &r->tasks->at[0];
    size_t which[FEATURES_MOST];
    int n = strongest(r, o, z, most, which);
    for (int i = 0; i < n; i++) {
        put(a, out, i == 0 ? "" : ", ");
        if (!is_wordy(t))
            put(a, out, "%s ", size_in_words(o->effect[z * t->d + which[i]],
                                             is_yes_or_no(t, which[i])));
        put(a, out, "%s", shown_feature(a, r->tasks, t, which[i]));
    }
    if (n == 0)
        put(a, out, is_wordy(t) ? "no word of its own" : "about average");
}

/* Are groups y and z told by the same features, on the same side? */
static int are_alike(const report *r, const overview *o, size_t y, size_t z,
                     int most)
{
    size_t of_y[FEATURES_MOST], of_z[FEATURES_MOST], d = r->tasks->at[0].d;
    int n = strongest(r, o, y, most, of_y), same = 0;
    if (strongest(r, o, z, most, of_z) != n)
        return 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            same += of_y[i] == of_z[j] && (o->effect[y * d + of_y[i]] > 0) ==
                                          (o->effect[z * d + of_y[i]] > 0);
    return same == n;
}

/* Two, or as many more as tell all groups apart. */
static int features_to_tell(const report *r, const overview *o)
{
    if (is_wordy(&r->tasks->at[0]))
        return WORDS_SHOWN;
    for (int most = FEATURES_SHOWN; most <= FEATURES_MOST &&
                                    o->k <= GROUPS_SHOWN; most++) {
        int alike = 0;
        for (size_t z = 0; z < o->k; z++)
            for (size_t y = 0; y < z; y++)
                alike += o->found[y] > 0 && o->found[z] > 0 &&
                         are_alike(r, o, y, z, most);
        if (alike == 0)
            return most;
    }
    return FEATURES_SHOWN;
}

/* "Group 0: ...; group 1: ...", or classes by their names. */
static void put_groups(text *out, const report *r, const overview *o)
{
    app *a = r->job->a;
    size_t said = 0, more = 0;
    int across = is_borne_out(r);
    int most = o->k > 1 ? features_to_tell(r, o) : 0, told = 0;
    size_t which[FEATURES_MOST];
    for (size_t z = 0; z < o->k && o->k > 1; z++)
        told += o->found[z] > 0 ? strongest(r, o, z, most, which) : 0;
    if (told == 0 && o->k > 1 && !is_wordy(&r->tasks->at[0])) {
        put(a, out, " No column's mean tells them from one another.");
        return;
    }
    for (size_t q = 0; q < 2 * o->k && o->k > 1; q++) {
        size_t z = q % o->k, last = 0;          /* first of several files */
        int alone = across && files_of_group(r, z, &last) == 1;
        text group = {NULL, 0, 0};
        if (alone != (q >= o->k) || o->found[z] == 0)
            continue;
        if (said == GROUPS_SHOWN) {
            more++;
            continue;
        }
        put_group(&group, r, o, z, most);
        put(a, out, said++ == 0 ? finds_classes(r) ? " Class " : " Group "
                    : finds_classes(r) ? "; class " : "; group ");
        put(a, out, "%s", group_name(r, z));
        if (alone)
            put(a, out, ", in %s alone", visible(a, r->tasks->at[last].name));
        put(a, out, ": %s", group.at);
    }
    if (more > 0)
        put(a, out, "; and %zu more", more);
    put(a, out, said > 0 ? "." : "");
}

/* What was done to the values. */
static void put_values(text *out, const report *r)
{
    app *a = r->job->a;
    const task *t = r->tasks->at;
    size_t alike = 0, n = r->tasks->n;
    for (size_t i = 0; i < n; i++)
        alike += t[i].scaled != NULL && is(t[i].scaled->how, "zscore");
    if (alike == n)
        put(a, out, " Every column counts alike (z-scores).");
    else if (alike > 0)                         /* each by itself */
        put(a, out, " In %zu of %zu %ss every column counts alike (z-scores).",
            alike, n, file_word(r->job->set));
    else if (t->scaled != NULL && is(t->scaled->how, "tfidf"))
        put(a, out, " Rare words count more (tfidf).");
    else if (t->scaled != NULL && is(t->scaled->how, "l2"))
        put(a, out, " Rows count by their directions (l2).");
}

/* 0: clusters of some task are empty, so that its number was not chosen. */
static int has_all_groups(const report *r)
{
    for (size_t i = 0; i < r->tasks->n; i++)
        if (r->entry[i].k_effective < r->entry[i].k && !r->job->set->pool &&
            r->job->numbers != NUMBERS_GIVEN)
            return 0;
    return 1;
}

static const char *sentence_of(const report *r, const overview *o)
{
    text t = {NULL, 0, 0};
    int across = is_borne_out(r);
    if (across)
        put_across(&t, r);
    else if (is_voted(r->job))
        put_votes(&t, r, o->of);
    else
        put_number(&t, r, o);
    put_groups(&t, r, o);
    put_coins(&t, r, o);
    put_borders(&t, r, o);
    if (finds_classes(r) && r->entry[0].truth != NULL)
        put(r->job->a, &t, " By the file's own labels %.0f %% are right.",
            floor(100 * r->entry[0].acc + 1e-9));
    if (r->job->sure.at != NULL && has_all_groups(r))
        put(r->job->a, &t, "%s", r->job->sure.at);
    if (across && r->job->by_classes == r->job->n)
        put(r->job->a, &t, " Each %s has as many groups as classes (--k "
            "auto: their number is chosen).", file_word(r->job->set));
    if (r->job->voting == NULL)
        put_values(&t, r);
    return t.at;
}

/* ---- one look at the result ---- */

/* What there is to be known of the groups; nothing of it is computed again. */
overview *look_over(const report *r)
{
    app *a = r->job->a;
    const tasks *all = r->tasks;
    overview *o = TAKE(a, 1, overview);
    o->of = TAKE(a, all->n, profile);
    size_t d = all->at[0].d, k = r->entry[0].k;
    int same = o->matched = r->job->across == NULL ? all->n == 1
                            : r->job->set->pool ||
                                  r->job->numbers != NUMBERS_DIFFER;
    for (size_t i = 0; i < all->n; i++) {
        stop_if_interrupted(a);
        o->of[i] = make_profile(r, i);
        o->parted += o->of[i].used > 1;
        same &= r->entry[i].k == k && all->at[i].d == d &&
                o->of[i].score != NULL;
    }
    if (same) {
        o->k = k;
        o->effect = TAKE(a, k * d, double);
        o->found = TAKE(a, k, size_t);
    }
    for (size_t i = 0; i < all->n; i++)
        if (o->of[i].used > 1 && o->k > 0)
            add_profile(o, &o->of[i]);
    if (r->job->set->pool && r->job->out[0].k_effective > 1) {
        profile p = pooled_profile(r);
        o->pooled = p.borders;
        o->parted += o->parted == 0;
        for (size_t z = 0; z < o->k; z++)
            o->found[z] = p.size[z] > 0;
        for (size_t z = 0; z < o->k && p.score != NULL; z++)
            for (size_t f = 0; f < d && p.size[z] > 0; f++)
                o->effect[z * d + f] = effect_of(&p, z, f);
    }
    o->sentence = sentence_of(r, o);
    return o;
}
