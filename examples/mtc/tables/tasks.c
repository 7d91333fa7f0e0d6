/* SPDX-License-Identifier: MIT
 *
 * tasks.c - tasks: names, one feature space, preprocessing, stacking
 *
 * The tasks of a run lie in one space: the largest index of any file is d,
 * and dense rows are padded with 0 up to it.  Preprocessing looks at all
 * tasks together, so that a feature means the same in each; it sees the
 * target of a transfer too, but never a label.
 */
#include "../texts/texts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

mtc_data view_of(const task *t)
{
    return t->row != NULL ? mtc_csr(t->n, t->d, t->row, t->column, t->values)
                          : mtc_dense(t->n, t->d, t->values);
}

/* The same in the task's own features, without those of other files. */
mtc_data own_view(const task *t)
{
    mtc_data X = view_of(t);
    X.d = t->own;
    return X;
}

/* The values of a view are numbered 0, 1, ... over all rows; those of row i
 * begin here, and value p stands in this column. */
size_t row_begin(const mtc_data *X, size_t i)
{
    return X->row != NULL ? X->row[i] : i * X->stride;
}

size_t column_of(const mtc_data *X, size_t p)
{
    return X->row != NULL ? X->column[p] : p % X->stride;
}

/* The file's name without directory and ending. */
const char *bare_name(app *a, const char *file)
{
    size_t n = strlen(file);
    while (n > 1 && (file[n - 1] == '/' ||
                     (file[n - 1] == '\\' && APP_BACKSLASH)))
        n--;
    char *path = COPY(a, file, n + 1, char), *dot;
    path[n] = '\0';
    const char *base = is(file, "-") ? "stdin" : base_name(path);
    if (is(base, ".") || is(base, "..") || *base == '\0')
        base = "texts";
    char *name = COPY(a, base, strlen(base) + 1, char);
    dot = strrchr(name, '.');
    if (dot != NULL && dot > name && !is_folder(file))
        *dot = '\0';
    return name;
}

/* Its bare name; one that is taken gets .2, .3 and so on, since it will name
 * files. */
void name_task(app *a, tasks *all, size_t i)
{
    const char *bare = bare_name(a, all->at[i].file);
    for (size_t copies = 1, taken = 1; taken; copies++) {
        const char *name = copies > 1 ? formed(a, "%s.%zu", bare, copies)
                                      : bare;
        taken = 0;
        for (size_t j = 0; j < i; j++)
            taken |= strcmp(all->at[j].name, name) == 0;
        all->at[i].name = name;
    }
}

/* Gives a dense task d features: place [t->d] says which each of its own is,
 * MTC_NONE: none; NULL: the same.  Others are 0. */
void lay_out(app *a, task *t, size_t d, const size_t *place)
{
    if (d > SIZE_MAX / t->n)
        fail(a, BAD_DATA, "%s: %zu features are too many for dense data",
             t->file, d);
    mtc_real *to = TAKE(a, t->n * d, mtc_real);
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = 0; j < t->d; j++) {
            size_t at = place != NULL ? place[j] : j;
            if (at != MTC_NONE)
                to[i * d + at] = t->values[i * t->d + j];
        }
    pool_release(t->values);
    t->values = to;
}

static int compare_columns(const void *x, const void *y)
{
    uint32_t p = *(const uint32_t *)x, q = *(const uint32_t *)y;
    return (p > q) - (p < q);
}

/* The columns that occur in any task, ascending; *count of them.  The first
 * is always among them, so that there is one; those of a dense task all are,
 * so that they keep their places. */
static uint32_t *columns_in_use(app *a, const tasks *all, size_t *count)
{
    size_t n = 1, room = 1;
    uint32_t *used = TAKE(a, room, uint32_t);
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        size_t stored = t->row != NULL ? t->row[t->n] : t->d;
        for (size_t p = 0; p < stored; p++) {
            GROW(a, used, n, room);
            used[n++] = t->row != NULL ? t->column[p] : (uint32_t)p;
        }
    }
    qsort(used, n, sizeof *used, compare_columns);
    *count = 0;
    for (size_t p = 0; p < n; p++)
        if (p == 0 || used[p] != used[p - 1])
            used[(*count)++] = used[p];
    return used;
}

/* Above this many features, columns that never occur are left out: a hashed
 * index of a few billions must not cost a center of a few billion zeros. */
#define APP_WIDE ((size_t)1 << 16)

/* Returns those that are left [kept]. */
static uint32_t *leave_out_unused(app *a, tasks *all)
{
    uint32_t *used = columns_in_use(a, all, &all->kept);
    for (size_t i = 0; i < all->n; i++) {
        task *t = &all->at[i];
        for (size_t p = 0; t->row != NULL && p < t->row[t->n]; p++) {
            const uint32_t *at = (const uint32_t *)bsearch(
                &t->column[p], used, all->kept, sizeof *used,
                compare_columns);
            t->column[p] = (uint32_t)(at - used);
            if (p == 0 || t->column[p] >= t->own)
                t->own = t->column[p] + (size_t)1;
        }
    }
    return used;
}

/* Names of features by --names, a line for each; or NULL. */
words read_names(app *a, const char *path)
{
    words w = {0, 0, NULL};
    if (path == NULL)
        return w;
    char *all = read_file(a, path);
    for (const char *s = all; *s != '\0'; s += *s == '\n') {
        add_word(a, &w, s, strcspn(s, "\r\n"));
        s += strcspn(s, "\n");
    }
    pool_release(all);
    return w;
}

/* The task whose columns name the features, or NULL; `listed` 1: there must
 * not be one. */
static const task *naming_task(app *a, const tasks *all, const settings *set,
                               int listed)
{
    const task *first = NULL;
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        if (listed && t->header)
            fail(a, BAD_USAGE, "%s: has names in its header; --names is for "
                 "files without", t->file);
        if (first == NULL && t->table && (t->header || set->onehot.n > 0))
            first = t;
    }
    return first;
}

/* The names of the features kept, which are those of `used` (NULL: all): by
 * --names, by the tables' headers, else NULL, or where some were left out their
 * numbers in the file. */
static const char **feature_names(app *a, const tasks *all,
                                  const settings *set, const uint32_t *used)
{
    if (all->at[0].word != NULL)
        return (const char **)COPY(a, all->at[0].word, all->kept, const char *);
    words listed = read_names(a, set->names);
    const task *first = naming_task(a, all, set, set->names != NULL);
    if (set->names != NULL && (listed.n < all->d ||
                               (all->at[0].table && listed.n > all->d)))
        fail(a, BAD_DATA, "%s: %zu names for %zu features", set->names,
             listed.n, all->d);
    if (first == NULL && set->names == NULL && used == NULL)
        return NULL;
    const char **names = TAKE(a, all->kept, const char *);
    for (size_t j = 0; j < all->kept; j++) {
        size_t of = used != NULL ? used[j] : j;
        names[j] = listed.n > 0          ? listed.at[of]
                   : first == NULL       ? formed(a, "column %zu", of + 1)
                   : of >= first->own    ? formed(a, "%zu", of + 1)
                                         : first->feature[of].name;
    }
    return names;
}

/* All files, as they are. */
tasks read_tasks(app *a, const words *files, reading *run)
{
    tasks all = {files->n, 0, 0, TAKE(a, files->n, task), NULL};
    for (size_t i = 0; i < all.n; i++) {
        progress_part(a, i, all.n);
        all.at[i] = read_task(a, files->at[i], run);
        name_task(a, &all, i);
    }
    end_reading(a, run, &all);
    return all;
}

/* Reads all files; the largest index wins.  `separate` 1: each has features
 * of its own. */
tasks load_tasks(app *a, const words *files, const settings *set,
                 int separate)
{
    reading run = new_reading(a, set);
    run.files = files;
    run.separate = separate;
    tasks all = read_tasks(a, files, &run);
    if (set->split != NULL)
        all = split_tasks(a, &run, &all);
    join_columns(a, &run, &all);
    settle_holes(a, set, &all);
    settle_texts(a, &run, &all, separate);
    for (size_t i = 0; i < all.n; i++) {
        all.at[i].own = all.at[i].d > 0 ? all.at[i].d : 1;
        if (all.d < all.at[i].d)
            all.d = all.at[i].d;
    }
    if (all.d == 0)
        fail(a, BAD_DATA, "%s:1: no features", files->at[0]);
    all.kept = all.d;
    uint32_t *used = all.d > APP_WIDE ? leave_out_unused(a, &all) : NULL;
    if (!separate || all.n == 1)
        all.names = feature_names(a, &all, set, used);
    else if (set->names != NULL)
        warn(a, "no-effect", NULL, "--names has no effect on several files "
             "with features of their own");
    for (size_t i = 0; i < all.n; i++) {
        task *t = &all.at[i];
        t->used = used;
        if (t->row == NULL && t->d < all.kept)
            lay_out(a, t, all.kept, NULL);
        t->d = all.kept;
    }
    doubt_words(a, NULL, &a->classes);
    refuse_guesses(a);
    progress_outer(a, READING, 1);
    return all;
}

/* Are the labels what is learned from, or asked for?  Else they only score. */
int teaches(const reading *run, const char *file)
{
    const settings *set = run->set;
    for (size_t i = 0; i < set->source.n; i++)
        if (strcmp(set->source.at[i], file) == 0)
            return 1;
    return run->labels_only || set->origin != NULL;
}

/* Does --missing drop leave out a row whose label is missing?  A target, a
 * model and whoever looks for clusters, up to k_max, need none. */
int drops_unlabeled(const reading *run, const char *file)
{
    const settings *set = run->set;
    int needs_none = set->target != NULL || set->k_max > 0 || run->widest > 0;
    return is(set->missing, "drop") && (teaches(run, file) || !needs_none);
}

/* Labels of a file that are one class do not count, unless they were asked for:
 * that is said under the code. */
void doubt_equal(app *a, const settings *set, task *t, saying how,
                 const char *code)
{
    if (t->truth == NULL || t->n < 2 || !is(set->labels, "auto") ||
        count_distinct(a, t->n, t->truth) > 1)
        return;
    say(a, how, code, NULL, "%s: all labels are equal, so they do not count; "
         "--labels says that they do", t->file);
    t->truth = NULL;
}

/* Labels that are one class in all files, or in one beside others, as unlabeled
 * LIBSVM text has them, or nearly as many as rows, tell nothing of clusters:
 * they do not count, unless they, or --k beside many, were asked for. */
void doubt_labels(app *a, const settings *set, tasks *all)
{
    size_t n = 0, labeled = 0, classes;
    for (size_t i = 0; i < all->n; i++)
        n += all->at[i].truth != NULL ? all->at[i].n : 0;
    if (n < 2 || !is(set->labels, "auto"))
        return;
    int *labels = TAKE(a, n, int);
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        if (t->truth == NULL)
            continue;
        memcpy(labels + labeled, t->truth, t->n * sizeof *labels);
        labeled += t->n;
    }
    classes = count_distinct(a, n, labels);
    pool_release(labels);
    int many = n >= LABELED_ROWS && classes > n / 3 && set->k.n == 0 &&
               set->k_word == NULL;
    if (classes == 1)
        guess(a, "labels", NULL, "all labels are equal, so they do not count; "
              "--k says how many clusters there are");
    else if (many)
        guess(a, "labels", NULL, "%zu different labels of %zu samples are no "
              "classes, so they do not count; --k says how many clusters "
              "there are", classes, n);
    for (size_t i = 0; i < all->n; i++) {
        if (many || classes == 1)
            all->at[i].truth = NULL;
        else if (!set->pool)
            doubt_equal(a, set, &all->at[i], GUESS, "labels");
    }
    refuse_guesses(a);
}

int compare_reals(const void *x, const void *y)
{
    double p = *(const double *)x, q = *(const double *)y;
    return (p > q) - (p < q);
}

static int compare_ints(const void *x, const void *y)
{
    int p = *(const int *)x, q = *(const int *)y;
    return (p > q) - (p < q);
}

/* The distinct labels among x [n], ascending; *count of them. */
int *distinct(app *a, size_t n, const int *x, size_t *count)
{
    int *sorted = COPY(a, x, n, int);
    qsort(sorted, n, sizeof *sorted, compare_ints);
    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || sorted[i] != sorted[i - 1])
            sorted[(*count)++] = sorted[i];
    return sorted;
}

/* How many different labels there are. */
size_t count_distinct(app *a, size_t n, const int *x)
{
    size_t count;
    pool_release(distinct(a, n, x, &count));
    return count;
}

/* The value, or its logarithm. */
mtc_real log_or_self(mtc_real x, int log)
{
    return log ? mtc_log(x) : x;
}

/* The part of one view in a pass of what follows. */
static void add_spread(const mtc_data *X, const int *logs, int pass,
                       double *mean, double *deviation, double *seen)
{
    for (size_t i = 0; i < X->n; i++) {
        size_t begin = row_begin(X, i), end = row_begin(X, i + 1);
        for (size_t p = begin; p < end; p++) {
            size_t f = X->row != NULL ? X->column[p] : p - begin;
            double x = (double)log_or_self(X->values[p],
                                           logs != NULL && logs[f]);
            mean[f] += pass == 0 ? x : 0;
            deviation[f] += pass == 1 ? (x - mean[f]) * (x - mean[f]) : 0;
            seen[f] += pass;
        }
    }
}

/* mean, deviation [d] of the features over all rows of n views, with logs where
 * they are marked (NULL: nowhere); what is not stored is 0, and so is the
 * deviation of what is constant.  In two passes: values may be far from 0. */
void feature_spread(app *a, const mtc_data *X, size_t n, const int *logs,
                    double *mean, double *deviation)
{
    size_t d = X[0].d;
    double rows = 0, *seen = TAKE(a, d, double);
    memset(mean, 0, d * sizeof *mean);
    memset(deviation, 0, d * sizeof *deviation);
    for (size_t i = 0; i < n; i++)
        rows += (double)X[i].n;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n; i++)
            add_spread(&X[i], logs, pass, mean, deviation, seen);
        for (size_t f = 0; f < d && pass == 0; f++)
            mean[f] /= rows;
    }
    for (size_t f = 0; f < d; f++) {
        double zeros = (rows - seen[f]) * mean[f] * mean[f];
        deviation[f] = sqrt((deviation[f] + zeros) / rows);
        if (deviation[f] <= 1e-12 * fabs(mean[f]))
            deviation[f] = 0;
    }
    pool_release(seen);
}

/* The same of tasks. */
void tasks_spread(app *a, const tasks *all, const int *logs, double *mean,
                  double *deviation)
{
    mtc_data *X = TAKE(a, all->n, mtc_data);
    for (size_t i = 0; i < all->n; i++)
        X[i] = view_of(&all->at[i]);
    feature_spread(a, X, all->n, logs, mean, deviation);
    pool_release(X);
}

/* ---- preprocessing, in place ---- */

/* The rows of X, whose values are x, to length 1, but for `before` values at
 * their beginning; a zero row stays, and so does one whose length is beyond the
 * reals: the method will refuse it. */
void unit_rows(const mtc_data *X, size_t before, mtc_real *x)
{
    for (size_t i = 0; i < X->n; i++) {
        double square = 0;
        size_t begin = row_begin(X, i) + before, end = row_begin(X, i + 1);
        for (size_t p = begin; p < end; p++)
            square += (double)x[p] * (double)x[p];
        if (!(square > 0 && square - square == 0))
            continue;
        for (size_t p = begin; p < end; p++)
            x[p] = (mtc_real)((double)x[p] / sqrt(square));
    }
}

/* df [d]: in how many samples of all tasks a feature occurs. */
static size_t *frequencies(app *a, const tasks *all)
{
    size_t *df = TAKE(a, all->kept, size_t);
    for (size_t i = 0; i < all->n; i++) {
        mtc_data X = view_of(&all->at[i]);
        for (size_t p = 0; p < row_begin(&X, X.n); p++)
            df[column_of(&X, p)] += X.values[p] != 0;
    }
    return df;
}

/* ln(n/df) with n samples of all tasks, of which df have the feature; what no
 * sample has weighs as if one had it. */
static void find_idf(app *a, const tasks *all, scaling *kept)
{
    size_t *df = frequencies(a, all), n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += all->at[i].n;
    kept->idf = TAKE(a, all->kept, mtc_real);
    for (size_t j = 0; j < all->kept; j++)
        kept->idf[j] = mtc_log((mtc_real)n /
                               (mtc_real)(df[j] > 0 ? df[j] : 1));
    pool_release(df);
}

/* The most values that zscore will write out for sparse data: 400 MB. */
#define APP_DENSE_LIMIT 50000000.0

/* CSR becomes dense, if that is not too much. */
static void densify(app *a, task *t)
{
    if (t->row == NULL)
        return;
    if ((double)t->n * (double)t->d > APP_DENSE_LIMIT)
        fail(a, BAD_DATA, "%s: --preprocess zscore would make %zu x %zu "
             "sparse data dense; try l2 or tfidf", t->file, t->n, t->d);
    mtc_real *dense = TAKE(a, t->n * t->d, mtc_real);
    for (size_t i = 0; i < t->n; i++)
        for (size_t p = t->row[i]; p < t->row[i + 1]; p++)
            dense[i * t->d + t->column[p]] = t->values[p];
    t->values = dense;
    t->row = NULL;
}

/* Ends the program where a value is larger than data may be. */
static void refuse_large(app *a, const tasks *all)
{
    mtc_context ctx = context_of(a, 1);
    for (size_t i = 0; i < all->n; i++) {
        mtc_data X = view_of(&all->at[i]);
        check(a, &ctx, mtc_data_check(&ctx, &X, MTC_NONE), all->at[i].file);
    }
}

/* The figures of zscore, of all tasks together. */
static void find_spread(app *a, const tasks *all, scaling *kept)
{
    kept->mean = TAKE(a, all->kept, double);
    kept->deviation = TAKE(a, all->kept, double);
    tasks_spread(a, all, NULL, kept->mean, kept->deviation);
    for (size_t j = 0; j < all->kept; j++)
        if (!(kept->deviation[j] - kept->deviation[j] == 0))
            refuse_large(a, all);
}

/* The values of a task by figures that are known: tfidf, x idf and rows to
 * length 1; zscore, features to mean 0 and deviation 1, constant ones to 0. */
static void scale_values(app *a, task *t, const scaling *s)
{
    mtc_data X = view_of(t);
    t->scaled = s;
    scale_numbers(t, s);
    if (is(s->how, "tfidf"))
        for (size_t p = 0; p < row_begin(&X, X.n); p++)
            if (column_of(&X, p) >= s->numbers)
                t->values[p] *= s->idf[column_of(&X, p)];
    if (is(s->how, "tfidf") || is(s->how, "l2"))
        unit_rows(&X, s->numbers, t->values);
    if (is(s->how, "zscore")) {
        densify(a, t);
        for (size_t p = 0; p < t->n * t->d; p++) {
            double off = (double)t->values[p] - s->mean[p % t->d];
            double deviation = s->deviation[p % t->d];
            t->values[p] = (mtc_real)(deviation > 0 ? off / deviation : 0);
        }
    }
}

/* The same of new samples: where the data had their logs taken, they too. */
void scale_task(app *a, task *t, const scaling *s)
{
    take_logs(a, t, s->logs);
    scale_values(a, t, s);
}

/* By the word of --preprocess. */
void preprocess_in_place(app *a, tasks *all, const char *how, const int *logs)
{
    int mixed = all->at[0].numbers > 0 && !is(how, "zscore");
    scaling *kept = TAKE(a, 1, scaling);
    kept->how = how != NULL ? how : "none";
    kept->logs = logs;
    for (size_t i = 0; i < all->n; i++)
        take_logs(a, &all->at[i], logs);
    if (is(how, "tfidf"))
        find_idf(a, all, kept);
    for (size_t i = 0; i < all->n && is(how, "zscore"); i++)
        densify(a, &all->at[i]);
    if (mixed || is(how, "zscore"))
        find_spread(a, all, kept);
    if (mixed)
        find_balance(a, all, kept);
    for (size_t i = 0; i < all->n; i++)
        scale_values(a, &all->at[i], kept);
}

/* The same.  What was read is kept, for whoever tells of it in the file's own
 * units. */
void preprocess_logs(app *a, tasks *all, const char *how, const int *logs)
{
    int mixed = all->at[0].numbers > 0 && !is(how, "zscore");
    int changes = logs != NULL || mixed || (how != NULL && !is(how, "none"));
    for (size_t i = 0; i < all->n && changes; i++) {
        mtc_data *raw = &all->at[i].raw;
        *raw = view_of(&all->at[i]);
        raw->values = COPY(a, raw->values, row_begin(raw, raw->n), mtc_real);
    }
    preprocess_in_place(a, all, how, logs);
}

void preprocess(app *a, tasks *all, const char *how)
{
    preprocess_logs(a, all, how, NULL);
}

/* ---- stacking ---- */

/* Memory for all tasks below one another, as CSR if any of them is.  Labels
 * come along if every task has them. */
static task empty_stack(app *a, const tasks *all)
{
    task s = {.file = "pool", .name = "pool", .d = all->kept};
    size_t values = 0;
    int sparse = 0, labeled = 1;
    for (size_t i = 0; i < all->n; i++) {
        mtc_data X = view_of(&all->at[i]);
        s.n += X.n;
        values += row_begin(&X, X.n);
        sparse |= X.row != NULL;
        labeled &= all->at[i].truth != NULL;
        s.own = s.own < all->at[i].own ? all->at[i].own : s.own;
    }
    s.values = TAKE(a, values, mtc_real);
    s.row = sparse ? TAKE(a, s.n + 1, size_t) : NULL;
    s.column = sparse ? TAKE(a, values, uint32_t) : NULL;
    s.truth = labeled ? TAKE(a, s.n, int) : NULL;
    return s;
}

/* All tasks below one another. */
task stack_tasks(app *a, const tasks *all)
{
    task s = empty_stack(a, all);
    for (size_t i = 0, q = 0, r = 0; i < all->n; i++) {
        mtc_data X = view_of(&all->at[i]);
        if (s.truth != NULL)
            memcpy(s.truth + r, all->at[i].truth, X.n * sizeof *s.truth);
        for (size_t j = 0; s.row != NULL && j < X.n; j++)
            s.row[r + j + 1] = q + row_begin(&X, j + 1);
        for (size_t p = 0; p < row_begin(&X, X.n); p++, q++) {
            s.values[q] = X.values[p];
            if (s.column != NULL)
                s.column[q] = (uint32_t)column_of(&X, p);
        }
        r += X.n;
    }
    return s;
}

/* ---- some of the rows ---- */

/* The rows index [m] of t, in this order; no labels. */
task rows_at(app *a, const task *t, const size_t *index, size_t m)
{
    mtc_data X = view_of(t);
    task s = {.file = t->file, .name = t->name, .n = m, .d = t->d,
              .own = t->own};
    size_t used = 0, values = 0;
    for (size_t i = 0; i < m; i++)
        values += row_begin(&X, index[i] + 1) - row_begin(&X, index[i]);
    s.values = TAKE(a, values, mtc_real);
    s.row = t->row != NULL ? TAKE(a, m + 1, size_t) : NULL;
    s.column = t->row != NULL ? TAKE(a, values, uint32_t) : NULL;
    for (size_t i = 0; i < m; i++) {
        size_t begin = row_begin(&X, index[i]);
        size_t count = row_begin(&X, index[i] + 1) - begin;
        memcpy(s.values + used, t->values + begin, count * sizeof *s.values);
        if (s.row != NULL)
            memcpy(s.column + used, t->column + begin,
                   count * sizeof *s.column);
        used += count;
        if (s.row != NULL)
            s.row[i + 1] = used;
    }
    return s;
}

/* `most` of the rows, drawn, or all: every sixth might be of one class. */
task drawn_rows(app *a, const task *t, size_t most, mtc_random *rng)
{
    size_t *index = TAKE(a, t->n, size_t), m = 0;
    most = most < t->n ? most : t->n;
    for (size_t i = 0; i < t->n; i++)
        if (mtc_random_below(rng, t->n - i) < most - m)
            index[m++] = i;
    task s = rows_at(a, t, index, m);
    pool_release(index);
    return s;
}

void release_rows(task *t)
{
    pool_release(t->values);
    pool_release(t->row);
    pool_release(t->column);
}
