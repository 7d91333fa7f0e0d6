/* SPDX-License-Identifier: MIT
 *
 * borders.c - do the groups lie apart, touch or overlap, and what are they?
 *
 * The library looks at every pair of groups.  Groups that touch or overlap,
 * directly or by way of others, form a part; the sentence names the parts.
 * Tasks with one numbering of groups are told together, and the worst that is
 * true of a pair in any of them counts.
 */
#include "summary.h"

#include <math.h>
#include <string.h>

enum {
    PARTS_NAMED = 4, SINGLES_NAMED = 6,
    COINS = 4, COINS_WRONG = 100        /* columns; 1 of so many rows */
};

static const char *const border_words[] = {"apart", "touch", "overlap"};

/* The pairs of several tasks in one numbering. */
typedef struct pairs {
    const report *r;
    size_t k;
    int *used;                      /* [k] 1: the group has rows */
    int *border;                    /* [k*k] the worst, mtc_border */
    double among;                   /* the largest */
    int worst;
} pairs;

mtc_apart_result *find_borders(job *j, const mtc_data *X, size_t number,
                               const int *labels, size_t k, const char *name)
{
    mtc_apart_result *found = TAKE(j->a, 1, mtc_apart_result);
    check(j->a, j->ctx, mtc_apart(j->ctx, X, number, labels, k, found), name);
    return found;
}

static void add_pairs(pairs *p, const mtc_apart_result *x)
{
    for (size_t z = 0; z < x->groups; z++)
        p->used[z] |= x->count[z] > 0;
    for (size_t z = 0; z < x->groups * x->groups; z++) {
        size_t at = z / x->groups * p->k + z % x->groups;
        if (x->border[z] > p->border[at])
            p->border[at] = x->border[z];
        p->among = fmax(p->among, (double)x->among[z]);
    }
    p->worst = (int)x->worst > p->worst ? (int)x->worst : p->worst;
}

/* ---- one numbering ---- */

/* part [k]: the first group of the part that a group belongs to. */
static size_t *parts_of(const pairs *p)
{
    size_t *part = TAKE(p->r->job->a, p->k, size_t);
    for (size_t z = 0; z < p->k; z++)
        part[z] = z;
    for (size_t y = 0; y < p->k; y++)
        for (size_t z = 0; z < y; z++) {
            size_t from = part[y] > part[z] ? part[y] : part[z];
            size_t to = part[y] > part[z] ? part[z] : part[y];
            for (size_t v = 0; v < p->k && p->border[y * p->k + z] > 0; v++)
                part[v] = part[v] == from ? to : part[v];
        }
    return part;
}

/* "groups 1, 3 and 4", those of a mark; `begins` 1: a sentence. */
static void put_group_list(text *out, const report *r, size_t k,
                           const int *mark, int begins)
{
    app *a = r->job->a;
    words names = {0, 0, NULL};
    int classes = finds_classes(r);
    for (size_t z = 0; z < k; z++)
        if (mark[z])
            add_name(a, &names, group_name(r, z));
    put(a, out, "%s%s %s", classes ? begins ? "Class" : "class"
                                   : begins ? "Group" : "group",
        names.n == 1 ? "" : classes ? "es" : "s", listed(a, &names));
}

/* mark [k]: 1 for the groups of the part that begins with group z; how many.
 * Do two of them overlap? */
static size_t mark_part(const pairs *p, const size_t *part, size_t z,
                        int *mark, int *overlap)
{
    size_t n = 0;
    *overlap = 0;
    for (size_t y = 0; y < p->k; y++) {
        mark[y] = p->used[y] && part[y] == z;
        n += (size_t)mark[y];
        for (size_t v = 0; v < y && mark[y]; v++)
            *overlap |= p->border[y * p->k + v] == MTC_BORDER_OVERLAP;
    }
    return n;
}

/* "Groups 1 and 2 touch; group 0 lies apart." */
static void put_parts(text *out, const pairs *p, const size_t *part)
{
    app *a = p->r->job->a;
    int *mark = TAKE(a, p->k, int), *single = TAKE(a, p->k, int), overlap;
    size_t parts = 0, more = 0, singles = 0;
    for (size_t z = 0; z < p->k; z++) {
        size_t n = mark_part(p, part, z, mark, &overlap);
        single[z] = n == 1;
        singles += n == 1;
        if (n < 2)
            continue;
        if (parts == PARTS_NAMED) {
            more += n;
            continue;
        }
        put(a, out, parts > 0 ? "; " : " ");
        put_group_list(out, p->r, p->k, mark, parts++ == 0);
        put(a, out, " %s", overlap ? "overlap" : "touch");
    }
    if (more > 0)
        put(a, out, "; so do %zu more", more);
    if (singles > SINGLES_NAMED)
        put(a, out, "; the other %zu lie apart", singles);
    else if (singles > 0) {
        put(a, out, "; ");
        put_group_list(out, p->r, p->k, single, 0);
        put(a, out, singles == 1 ? " lies apart" : " lie apart");
    }
    put(a, out, ".");
}

static void put_pairs(text *out, const pairs *p)
{
    app *a = p->r->job->a;
    const size_t *part = parts_of(p);
    const char *group = finds_classes(p->r) ? "class" : "group";
    int *mark = TAKE(a, p->k, int), overlap;
    size_t first = 0, used = 0;
    while (!p->used[first])
        first++;
    for (size_t z = 0; z < p->k; z++)
        used += (size_t)p->used[z];
    if (p->worst == MTC_BORDER_APART)
        put(a, out, " They lie clearly apart.");
    else if (mark_part(p, part, first, mark, &overlap) < used)
        put_parts(out, p, part);
    else if (!overlap)
        put(a, out, " They touch: no gap parts them.");
    else
        put(a, out, " They overlap: up to %.0f %% of a %s lies among another.",
            floor(100 * p->among + 0.5), group);
}

/* ---- numbers of their own ---- */

/* The worst word of all tasks; NULL: no task has two groups. */
const char *worst_border(const report *r, const overview *o)
{
    int worst = o->pooled != NULL ? (int)o->pooled->worst : 0;
    for (size_t i = 0; i < r->tasks->n; i++) {
        const mtc_apart_result *b = o->of[i].borders;
        worst = b != NULL && (int)b->worst > worst ? (int)b->worst : worst;
    }
    return o->parted > 0 ? border_words[worst] : NULL;
}

/* "They lie clearly apart in 4 of 6 files; in m5 and m6 some touch." */
static void put_by_files(text *out, const report *r, const overview *o)
{
    app *a = r->job->a;
    const char *file = file_word(r->job->set);
    size_t files = 0;
    words near = {0, 0, NULL};
    for (size_t i = 0; i < r->tasks->n; i++) {
        const mtc_apart_result *b = o->of[i].borders;
        files += b != NULL;
        if (b != NULL && b->worst > 0)
            add_name(a, &near, visible(a, r->tasks->at[i].name));
    }
    if (near.n == 0)
        put(a, out, " They lie clearly apart in each %s.", file);
    else if (near.n == files)
        put(a, out, " In no %s do all lie apart.", file);
    else
        put(a, out, " They lie clearly apart in %zu of %zu %ss; in %s some %s.",
            files - near.n, files, file, listed(a, &near), worst_border(r, o));
}

/* Whether the groups lie apart; nothing where a file has but one. */
void put_borders(text *out, const report *r, const overview *o)
{
    app *a = r->job->a;
    pairs p = {r, 0, NULL, NULL, 0, 0};
    if (o->parted == 0)
        return;
    if (r->tasks->n > 1 && !o->matched) {
        put_by_files(out, r, o);
        return;
    }
    for (size_t i = 0; i < r->tasks->n; i++)
        p.k = r->entry[i].k > p.k ? r->entry[i].k : p.k;
    p.used = TAKE(a, p.k, int);
    p.border = TAKE(a, p.k * p.k, int);
    if (o->pooled != NULL)
        add_pairs(&p, o->pooled);
    for (size_t i = 0; i < r->tasks->n && o->pooled == NULL; i++)
        if (o->of[i].borders != NULL)
            add_pairs(&p, o->of[i].borders);
    put_pairs(out, &p);
}

/* ---- coins ---- */

/* Has feature f two values, of which nearly all rows of a group have the same?
 * value [k]: which, in each group. */
static int is_coin(const profile *p, size_t f, int *value)
{
    const mtc_data *X = &p->as_read;
    mtc_real first = X->values[f], second = first;
    size_t *count = TAKE(p->a, 2 * p->k, size_t);
    int two = 1;
    for (size_t i = 0; i < X->n && two; i++) {
        mtc_real x = X->values[i * X->stride + f];
        second = second == first ? x : second;
        two = x == first || x == second;
        count[2 * (size_t)p->labels[i] + (x != first)]++;
    }
    size_t wrong = 0;
    for (size_t z = 0; z < p->k; z++) {
        size_t *c = count + 2 * z;
        value[z] = c[1] > c[0];
        wrong += c[1] > c[0] ? c[0] : c[1];
    }
    pool_release(count);
    return two && second != first && wrong * COINS_WRONG <= X->n;
}

/* Adds the values of one more coin to the signs [k] of the groups; how many
 * different ones there are then. */
static size_t add_sign(const profile *p, const int *value, size_t *sign)
{
    size_t different = 0;
    for (size_t z = 0; z < p->k; z++)
        sign[z] = 2 * sign[z] + (size_t)value[z];
    for (size_t z = 0; z < p->k; z++) {
        int found = p->size[z] == 0;
        for (size_t y = 0; y < z; y++)
            found |= p->size[y] > 0 && sign[y] == sign[z];
        different += !found;
    }
    return different;
}

/* coin [COINS]: columns whose two values part the rows as the groups do; how
 * many, 0 if there are none. */
static size_t find_coins(const profile *p, size_t *coin)
{
    app *a = p->a;
    size_t n = 0, apart = 1;
    if (p->as_read.row != NULL || p->used < 2 || p->used > 1u << COINS)
        return 0;
    int *value = TAKE(a, p->k, int);
    size_t *sign = TAKE(a, p->k, size_t);
    for (size_t f = 0; f < p->d && n < COINS && apart < p->used; f++) {
        if (!is_coin(p, f, value))
            continue;
        size_t *more = COPY(a, sign, p->k, size_t);
        size_t now_apart = add_sign(p, value, more);
        if (now_apart > apart) {
            memcpy(sign, more, p->k * sizeof *sign);
            apart = now_apart;
            coin[n++] = f;
        }
        pool_release(more);
    }
    pool_release(value);
    pool_release(sign);
    return apart == p->used ? n : 0;
}

/* The column of a feature, which may be one of its words, or yes of two. */
static const char *column_name(app *a, const report *r, size_t f)
{
    const task *t = &r->tasks->at[0];
    char *name = COPY(a, feature_name(a, r->tasks, t, f),
                      strlen(feature_name(a, r->tasks, t, f)) + 1, char);
    if (is_yes_or_no(t, f) && strrchr(name, '=') != NULL)
        *strrchr(name, '=') = '\0';
    return visible(a, name);
}

/* "The groups are the combinations of sex and smoker", if they are in every
 * task; a method that was taught its classes is not told. */
void put_coins(text *out, const report *r, const overview *o)
{
    app *a = r->job->a;
    size_t coin[COINS], first[COINS], n = 0;
    words columns = {0, 0, NULL};
    for (size_t i = 0; i < r->tasks->n; i++) {
        size_t m = finds_classes(r) ? 0 : find_coins(&o->of[i], coin);
        if (m == 0 || (i > 0 && (m != n || memcmp(coin, first, m *
                                                  sizeof *coin) != 0)))
            return;
        memcpy(first, coin, sizeof coin);
        n = m;
    }
    for (size_t c = 0; c < n; c++)
        add_once(a, &columns, column_name(a, r, first[c]));
    put(a, out, " The groups are the %s of %s; --drop %s looks beyond %s.",
        n == 1 ? "two values" : columns.n == 1 ? "values" : "combinations",
        listed(a, &columns), as_list(a, &columns),
        columns.n == 1 ? "it" : "them");
}

/* ---- JSON ---- */

/* `"apart"` of a task: the groups that have rows, and the pairs of them. */
void put_apart(app *a, text *t, const mtc_apart_result *b)
{
    put(a, t, ",\n     \"apart\": ");
    if (b == NULL) {
        put(a, t, "null");
        return;
    }
    size_t *at = TAKE(a, b->groups, size_t), n = 0;
    put(a, t, "{\"word\": \"%s\", \"rows\": %zu, \"groups\": [",
        border_words[b->worst], b->rows);
    for (size_t z = 0; z < b->groups; z++)
        if (b->count[z] > 0) {
            put(a, t, n == 0 ? "%zu" : ", %zu", z);
            at[n++] = z;
        }
    for (int what = 0; what < 3; what++) {
        static const char *const name[] = {"words", "mix", "among"};
        put(a, t, "],\n      \"%s\": [", name[what]);
        for (size_t q = 0; q < n * n; q++) {
            size_t pair = at[q / n] * b->groups + at[q % n];
            put(a, t, q == 0 ? "[" : q % n == 0 ? "], [" : ", ");
            if (what == 0)
                put(a, t, "\"%s\"", q / n == q % n
                                        ? "" : border_words[b->border[pair]]);
            else
                put_real(a, t, (double)(what == 1 ? b->mix : b->among)[pair]);
        }
        put(a, t, "]");
    }
    put(a, t, "]}");
    pool_release(at);
}
