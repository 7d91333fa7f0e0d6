/* SPDX-License-Identifier: MIT
 *
 * scale.c - what is done to the columns of tables by default
 *
 * Distances are wrong where one column is money and another an age: the first
 * decides alone.  But where columns are noise, bringing all of them to one
 * scale makes the noise count.  So --preprocess auto looks at the deviations;
 * if the largest is far above the median one, it asks `choose` about the rows
 * as they are and z-scored.  --log auto asks it in the same way about the logs
 * of columns that grow by factors.  What was done is said; a model keeps it.
 */
#include "../../advice/mtc_advice.h"
#include "csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCALES_APART 4.0                /* largest over median deviation */
#define PAIR_APART 0.4                  /* of two: times largest over other */
#define COUNT_ZEROS 0.75                /* share of zeros in tables of counts */
#define LOG_RANGE 10.0                  /* largest over smallest value */
#define LOG_SKEWNESS 0.5
enum { LOOK_ROWS = 500, LOOK_MOST = 12 };   /* as choose, at first, has them */

/* What choose is asked about: some rows of every task, and figures of all. */
typedef struct sample {
    app *a;
    const settings *set;
    const tasks *all;
    size_t d;
    size_t n;                       /* tasks that choose is asked about, and */
    task *rows;                     /* [n] some of their rows */
    double *mean, *deviation;       /* [d] of all rows; deviation 0: constant */
    double apart;                   /* of the scales; 1: fewer than two vary */
    size_t varied;                  /* columns that vary */
} sample;

/* By its name, or its place counted from 1. */
const char *feature_name(app *a, const tasks *all, const task *t, size_t f)
{
    int own = t->feature != NULL && f < t->own;
    if (t->word != NULL)
        return t->word[f];
    if (all->names != NULL)
        return all->names[f];
    if (t->header && own)                       /* names of its own */
        return t->feature[f].name;
    return formed(a, "column %zu", own ? t->feature[f].number : f + 1);
}

/* Logs of the columns that are marked; a value that has none is refused by its
 * place. */
void take_logs(app *a, task *t, const int *logs)
{
    tasks one = {1, t->d, t->d, t, NULL};
    if (logs == NULL)
        return;
    if (t->row != NULL)
        fail(a, BAD_DATA, "%s: logs are taken of some columns, and sparse data "
             "have zeros", t->file);
    for (size_t i = 0; i < t->n; i++)
        for (size_t f = 0; f < t->d; f++) {
            mtc_real *x = &t->values[i * t->d + f];
            if (logs[f] && !(*x > 0))
                fail(a, BAD_DATA, "%s: sample %zu, %s: %g has no logarithm, "
                     "which is taken of this column", t->file,
                     sample_row(t, i) + 1, feature_name(a, &one, t, f),
                     (double)*x);
            *x = log_or_self(*x, logs[f]);
        }
}

/* ---- figures of all tasks together ---- */

/* How far apart the scales of columns are that vary. */
static void find_apart(sample *s)
{
    double *by = TAKE(s->a, s->d, double), middle;
    size_t n = 0;
    for (size_t f = 0; f < s->d; f++)
        if (s->deviation[f] > 0)
            by[n++] = s->deviation[f];
    qsort(by, n, sizeof *by, compare_reals);
    s->varied = n;
    s->apart = 1;
    if (n == 2)
        s->apart = PAIR_APART * by[1] / by[0];
    if (n > 2) {
        middle = n % 2 == 1 ? by[n / 2] : (by[n / 2 - 1] + by[n / 2]) / 2;
        s->apart = by[n - 1] / middle;
    }
    pool_release(by);
}

int is_of_word(const task *t, size_t f)
{
    return t->feature != NULL && f < t->own && t->feature[f].word != NULL;
}

/* The share of zeros among all values; -1: some value is below 0, or with
 * `whole` a fraction.  Words of --onehot do not count: they are 0 in most rows,
 * whatever the other columns hold. */
double share_of_zeros(const tasks *all, int whole)
{
    double above = 0, values = 0;
    for (size_t t = 0; t < all->n; t++) {
        mtc_data X = view_of(&all->at[t]);
        for (size_t p = 0; p < row_begin(&X, X.n); p++) {
            double x = (double)X.values[p];
            if (x < 0 || (whole && x != floor(x)))
                return -1;
            above += x > 0 && !is_of_word(&all->at[t], column_of(&X, p));
        }
        for (size_t f = 0; f < X.d; f++)
            values += is_of_word(&all->at[t], f) ? 0 : (double)X.n;
    }
    return values > 0 ? 1 - above / values : 0;
}

/* Does column f grow by factors: positive, wide, skewed?  Needs the figures of
 * the values as they are. */
static int grows_by_factors(const sample *s, size_t f)
{
    double low = HUGE_VAL, high = 0, n = 0, skewness = 0;
    if (!(s->deviation[f] > 0))
        return 0;
    for (size_t t = 0; t < s->all->n; t++)
        for (size_t i = 0; i < s->all->at[t].n; i++) {
            double x = (double)s->all->at[t].values[i * s->d + f];
            if (!(x > 0))
                return 0;
            low = fmin(low, x);
            high = fmax(high, x);
            skewness += pow((x - s->mean[f]) / s->deviation[f], 3);
            n += 1;
        }
    return high > LOG_RANGE * low && skewness / n > LOG_SKEWNESS;
}

/* ---- asking choose ---- */

/* Up to LOOK_ROWS rows of each task, drawn; with --pool all are one task. */
static void draw_sample(sample *s)
{
    app *a = s->a;
    mtc_random rng = mtc_random_seed(s->set->seed);
    int pool = s->set->pool && s->all->n > 1;
    s->n = pool ? 1 : s->all->n;
    s->rows = TAKE(a, s->n, task);
    task whole;
    const task *from = s->all->at;
    if (pool) {
        whole = stack_tasks(a, s->all);
        from = &whole;
    }
    for (size_t t = 0; t < s->n; t++)
        s->rows[t] = drawn_rows(a, &from[t], LOOK_ROWS, &rng);
    if (pool)
        release_rows(&whole);
}

/* The common answer for the sample, with logs and z-scores as asked. */
static mtc_choice look(const sample *s, const int *logs, int scaled)
{
    app *a = s->a;
    size_t T = s->n, d = s->d;
    mtc_data *X = TAKE(a, T, mtc_data);
    mtc_context ctx = context_of(a, s->set->seed);
    mtc_choose_options opt = {1, LOOK_MOST};
    mtc_choose_result r;
    for (size_t t = 0; t < T; t++) {
        const task *rows = &s->rows[t];
        mtc_real *x = TAKE(a, rows->n * d, mtc_real);
        for (size_t i = 0; i < rows->n; i++)
            for (size_t f = 0; f < d; f++) {
                mtc_real y = log_or_self(rows->values[i * d + f], logs[f]);
                double off = (double)y - s->mean[f], by = s->deviation[f];
                if (scaled)
                    y = (mtc_real)(by > 0 ? off / by : 0);
                x[i * d + f] = y;
            }
        X[t] = mtc_dense(rows->n, d, x);
    }
    check(a, &ctx, mtc_choose(&ctx, X, T, &opt, &r), "--preprocess auto");
    mtc_choice common = r.common;
    common.p = common.gap = common.usil = NULL;
    common.mix = common.mixdep = common.height = NULL;
    mtc_free(&ctx, &r.block);
    for (size_t t = 0; t < T; t++)
        pool_release((void *)X[t].values);
    pool_release(X);
    return common;
}

static int is_clear(const mtc_choice *c)
{
    return c->verdict == MTC_VERDICT_CLEAR && c->k >= 2;
}

/* More parts than choose looks for: nothing but the largest k is possible. */
static int is_beyond(const mtc_choice *c)
{
    return c->verdict == MTC_VERDICT_UNCLEAR && c->k == c->limit &&
           c->second == 0;
}

/* 1: z-scores.  Needs the figures with these logs.  *answer, if it is asked
 * for, is that for the values as they will be. */
static int decide_scale(sample *s, const int *logs, int asked,
                        mtc_choice *answer)
{
    find_apart(s);
    int differ = s->apart > SCALES_APART &&
                 share_of_zeros(s->all, 0) < COUNT_ZEROS;
    if (differ || asked)
        *answer = look(s, logs, 0);
    if (!differ)
        return 0;
    mtc_choice scaled = look(s, logs, 1);
    if ((is_clear(answer) || is_beyond(answer)) &&
        scaled.verdict != MTC_VERDICT_CLEAR)
        return 0;
    *answer = scaled;
    return 1;
}

/* The columns that grow by factors, marked in `by_factors`; how many. */
static size_t mark_factors(const sample *s, int *by_factors)
{
    size_t marked = 0;
    for (size_t f = 0; f < s->d; f++) {
        by_factors[f] = grows_by_factors(s, f);
        marked += (size_t)by_factors[f];
    }
    return marked;
}

/* 1: z-scores.  Marks columns in logs [d], which holds those that were named,
 * if their logs make the answer clear. */
static int decide_all(sample *s, int ask_logs, int *logs)
{
    int *by_factors = TAKE(s->a, s->d, int);
    mtc_choice as_is, with_logs;
    draw_sample(s);
    int wide = ask_logs && mark_factors(s, by_factors) > 0;
    int scaled = decide_scale(s, logs, wide, &as_is);
    sample before = *s;
    if (!wide)
        return scaled;
    tasks_spread(s->a, s->all, by_factors, s->mean, s->deviation);
    int logs_scaled = decide_scale(s, by_factors, 1, &with_logs);
    if (is_clear(&with_logs) && (as_is.verdict != MTC_VERDICT_CLEAR ||
                                 as_is.sure < with_logs.sure)) {
        memcpy(logs, by_factors, s->d * sizeof *logs);
        return logs_scaled;
    }
    s->apart = before.apart;
    s->varied = before.varied;
    return scaled;
}

/* ---- the options ---- */

/* Is feature f column first..last of its file, from 1, and no word of one? */
static int is_numbered(const tasks *all, size_t f, size_t first, size_t last)
{
    const task *t = &all->at[0];
    int of_table = t->feature != NULL && f < t->own;
    size_t number = of_table ? t->feature[f].number : f + 1;
    return first <= number && number <= last && !is_of_word(t, f);
}

/* Columns that --log names, by name, else by number: 7 or 3-5. */
static void mark_named(app *a, const words *names, const tasks *all, int *logs)
{
    for (size_t w = 0; w < names->n; w++) {
        const char *name = names->at[w];
        size_t first, last, marked = 0;
        int numbers = numbers_of(name, &first, &last);
        for (int by_number = 0; by_number <= numbers && marked == 0; by_number++)
            for (size_t f = 0; f < all->kept; f++)
                if (by_number ? is_numbered(all, f, first, last)
                              : is(name, feature_name(a, all, all->at, f))) {
                    logs[f] = 1;
                    marked++;
                }
        if (marked == 0)
            fail(a, BAD_USAGE, "--log %s: no feature has that name or number",
                 name);
    }
}

static words marked_names(app *a, const tasks *all, const int *logs)
{
    words w = {0, 0, NULL};
    for (size_t f = 0; f < all->kept; f++)
        if (logs[f])
            add_name(a, &w, feature_name(a, all, all->at, f));
    return w;
}

/* "FILE: " where not all files are prepared together, else "". */
static const char *file_before(app *a, const settings *set)
{
    return set->each == NULL ? "" : formed(a, "%s: ", set->each);
}

static void tell_scale(sample *s, const int *logs, int scaled, const char *why)
{
    int two = s->varied == 2, logged = 0;
    const char *of = file_before(s->a, s->set);
    int sparse = share_of_zeros(s->all, 0) >= COUNT_ZEROS;
    for (size_t f = 0; f < s->d; f++)
        logged |= logs[f];
    if (s->apart <= SCALES_APART || (sparse && why != NULL))
        return;
    const char *what = formed(s->a, "%scolumns on different scales (the largest "
                              "deviation is %s times the %s one)", of,
                              three_digits(s->a, two ? s->apart / PAIR_APART
                                                     : s->apart),
                              two ? "other" : "median");
    if (scaled)
        inform(s->a, "scaled", NULL, "%s: z-scored; --preprocess none leaves "
               "them", what);
    else if (why != NULL)
        inform(s->a, "unscaled", NULL, "%s: left, because %s", what, why);
    else
        inform(s->a, "unscaled", NULL, "%scolumns on different scales, but "
               "%s: left; --preprocess zscore scales them", of,
               sparse   ? "most values are 0, as counts are"
               : logged ? "clusters are clear by logs alone"
                        : "clusters are clear as they are");
}

/* Tables by --preprocess auto and --log; logs [kept]. */
static const char *settle_auto(app *a, const settings *set, tasks *all,
                               int ask_logs, int *logs, preparation *p)
{
    sample s = {a, set, all, all->kept, 0, NULL, TAKE(a, all->kept, double),
                TAKE(a, all->kept, double), 1, 0};
    const char *why = is(set->divergence, "kl") || is(set->divergence, "is")
                          ? "the divergence needs values above 0"
                      : set->metric != NULL ? "--metric is in the file's units"
                                            : NULL;
    mtc_context ctx = context_of(a, set->seed);
    int scaled = 0;
    for (size_t t = 0; t < all->n; t++) {
        mtc_data X = view_of(&all->at[t]);
        check(a, &ctx, mtc_data_check(&ctx, &X, MTC_NONE), all->at[t].name);
    }
    tasks_spread(a, all, logs, s.mean, s.deviation);
    if (why == NULL)
        scaled = decide_all(&s, ask_logs, logs);
    else
        find_apart(&s);
    p->apart = s.apart;
    p->scaled = scaled;
    tell_scale(&s, logs, scaled, why);
    return scaled ? "zscore" : "none";
}

/* Says so where columns are on different scales.  Returns 1 if the caller, who
 * `scales`, is to bring them to one. */
int hint_at_scales(app *a, const settings *set, const tasks *all, int scales)
{
    settings own = *set;
    const finding files = {{0, 0, NULL}, all->at, NULL, all->n};
    sample s = {a, &own, all, all->kept, 0, NULL, TAKE(a, all->kept, double),
                TAKE(a, all->kept, double), 1, 0};
    int *logs = TAKE(a, all->kept, int);
    if (set->preprocess_given || set->align != NULL || tables_of(all) < all->n)
        return 0;
    own.each = files_of(a, &files);
    tasks_spread(a, all, logs, s.mean, s.deviation);
    find_apart(&s);
    scales = scales && s.apart > SCALES_APART &&
             share_of_zeros(all, 0) < COUNT_ZEROS;
    tell_scale(&s, logs, scales, scales ? NULL : "this command scales nothing "
               "by itself; --preprocess zscore does");
    return scales;
}

/* The features of all tasks as --preprocess and --log say, which become what
 * was used. */
void prepare(app *a, settings *set, tasks *all)
{
    int *logs = TAKE(a, all->kept, int), table = tables_of(all) == all->n;
    int by_itself = is(set->preprocess, "auto");
    int ask = set->log.n == 1 && is(set->log.at[0], "auto");
    int none = set->log.n == 1 && is(set->log.at[0], "none");
    preparation *p = TAKE(a, 1, preparation);
    p->apart = 1;
    p->asked = set->preprocess;
    p->asked_log = set->log;
    p->names = all->names;
    if (!ask && !none) {
        if (!table)
            fail(a, BAD_USAGE, "--log is for tables");
        mark_named(a, &set->log, all, logs);
        for (size_t t = 0; t < all->n; t++) {   /* refused by their place */
            task one = all->at[t];
            one.values = COPY(a, one.values, one.n * one.d, mtc_real);
            take_logs(a, &one, logs);
            pool_release(one.values);
        }
    }
    if (by_itself && table)
        set->preprocess = settle_auto(a, set, all, ask, logs, p);
    else if (by_itself)
        set->preprocess = "none";
    p->scaled = is(set->preprocess, "zscore");
    p->logs = marked_names(a, all, logs);
    if (p->logs.n > 0 && ask)
        inform(a, "logs", &p->logs, "%s%s: logs are taken (they grow by "
               "factors); --log none leaves them", file_before(a, set),
               listed(a, &p->logs));
    set->log = p->logs.n > 0 ? p->logs : one_column(a, "none");
    set->prepared = p;
    preprocess_logs(a, all, set->preprocess, p->logs.n > 0 ? logs : NULL);
}

/* Each task by itself: for methods whose tasks have features of their own.  Of
 * several each keeps what was used, and the options stay as they were. */
void prepare_each(app *a, settings *set, tasks *all)
{
    const char *asked = set->preprocess;
    words log = set->log;
    for (size_t t = 0; t < all->n; t++) {
        tasks one = {1, all->d, all->kept, &all->at[t], all->names};
        set->preprocess = asked;
        set->log = log;
        set->each = all->n > 1 ? one.at->file : NULL;
        prepare(a, set, &one);
        one.at->prepared = set->each != NULL ? set->prepared : NULL;
    }
    if (all->n > 1) {
        set->preprocess = asked;
        set->log = log;
        set->prepared = NULL;
        set->each = NULL;
    }
}

/* Prepares some rows of tasks, as they were read, as all rows were: each task by
 * itself, or together.  Nothing is said. */
void prepare_again(app *a, const settings *set, size_t n, task *rest)
{
    int deaf = a->deaf, each = set->prepared == NULL;
    a->deaf = 1;
    for (size_t t = 0; t < (each ? n : 1); t++) {
        const preparation *p = each ? rest[t].prepared : set->prepared;
        tasks some = {each ? 1 : n, rest[t].d, rest[t].d, &rest[t], p->names};
        settings own = *set;
        own.preprocess = p->asked;
        own.log = p->asked_log;
        prepare(a, &own, &some);
    }
    a->deaf = deaf;
}
