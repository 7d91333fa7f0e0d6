/* SPDX-License-Identifier: MIT
 *
 * save.c - --save: the model of a run, from what its method leaves
 *
 * A method that can label new samples hands its tables over while it runs
 * (keep_...); of all others the means of the answer stand in.  Then the
 * training samples go through the model itself: that gives the radius of each
 * cluster, and tells how many samples the model would label otherwise.
 */
#include "../models/model.h"
#include "job.h"

#include <string.h>

/* ---- what methods hand over; nothing happens without --save ---- */

/* Task t of the model under the rule; NULL: none is wanted. */
static model_task *kept(job *j, size_t t, model_rule rule)
{
    if (j->model == NULL)
        return NULL;
    j->model->rule = rule;
    j->model->task[t].rows = j->model->task[t].k = j->k[t];
    return &j->model->task[t];
}

/* Centers of k clusters, `width` numbers each. */
void keep_centers(job *j, size_t t, size_t width, const mtc_real *centers)
{
    model_task *k = kept(j, t, RULE_NEAREST);
    if (k != NULL)
        k->centers = COPY(j->a, centers, j->k[t] * width, mtc_real);
}

/* The divergence of the centers, and what belongs to it. */
void keep_divergence(job *j, const file_metric *metric)
{
    model *m = j->model;
    if (m == NULL)
        return;
    m->divergence = j->set->divergence;
    if (!is(m->divergence, "sqeuclidean"))
        m->smooth = (mtc_real)j->set->smooth;
    if (j->set->metric != NULL)
        m->metric = *metric;
}

/* Distances go by directions. */
void keep_angles(job *j)
{
    if (j->model != NULL)
        j->model->angles = 1;
}

/* The centers of task t are of these scores: in the space of all features they
 * are as far from a sample, but for what is the same of all. */
void keep_components(job *j, size_t t, const mtc_pca_result *pca)
{
    model_task *k = kept(j, t, RULE_NEAREST);
    size_t d = pca->d, w = pca->dimension;
    if (k == NULL || w == 0)
        return;
    mtc_real *U = TAKE(j->a, k->k * d, mtc_real);
    for (size_t z = 0; z < k->k; z++) {
        memcpy(U + z * d, pca->mean, d * sizeof *U);
        for (size_t c = 0; c < w; c++)
            mtc_axpy(d, k->centers[z * w + c], pca->components + c * d,
                     U + z * d);
    }
    k->centers = U;
}

/* weights [problems*d], bias [problems]. */
void keep_linear(job *j, size_t t, size_t problems, const mtc_real *weights,
                 const mtc_real *bias)
{
    model_task *k = kept(j, t, RULE_LINEAR);
    if (k == NULL)
        return;
    k->problems = problems;
    k->weights = COPY(j->a, weights, problems * j->data[t].d, mtc_real);
    k->bias = COPY(j->a, bias, problems, mtc_real);
}

/* The n rows of `train`, the rows of all sets of the machine, that support a
 * problem: their places, *m of them. */
static size_t *support_of(app *a, const machine *v, size_t n, size_t *m)
{
    size_t *list = TAKE(a, n, size_t);
    *m = 0;
    for (size_t i = 0; i < n; i++) {
        int used = 0;
        for (size_t p = 0; p < v->problems; p++)
            used |= v->coefficients[p * n + i] != 0;
        list[*m] = i;
        *m += (size_t)used;
    }
    return list;
}

/* The support of a machine, of n rows with d features; of a linear one only
 * what it comes to. */
void keep_machine(job *j, size_t t, const machine *v)
{
    size_t n = 0, d = j->data[t].d, m;
    if (j->model == NULL)
        return;
    for (size_t s = 0; s < v->n_sets; s++)
        n += v->sets[s].n;
    size_t *list = support_of(j->a, v, n, &m);
    mtc_real *x = TAKE(j->a, d, mtc_real);
    mtc_real *W = TAKE(j->a, v->problems * d, mtc_real);
    mtc_real *support = TAKE(j->a, v->gamma > 0 ? m * d : 0, mtc_real);
    for (size_t q = 0, s = 0, before = 0; q < m; q++) {
        for (; list[q] - before >= v->sets[s].n; s++)
            before += v->sets[s].n;
        memset(x, 0, d * sizeof *x);
        mtc_data_axpy(&v->sets[s], list[q] - before, 1, x);
        if (v->gamma > 0)
            memcpy(support + q * d, x, d * sizeof *x);
        for (size_t p = 0; p < v->problems && !(v->gamma > 0); p++)
            mtc_axpy(d, v->coefficients[p * n + list[q]] / v->scale / v->scale,
                     x, W + p * d);
    }
    keep_linear(j, t, v->problems, W, v->bias);
    if (v->gamma > 0) {
        model_task *k = kept(j, t, RULE_KERNEL);
        k->weights = NULL;
        k->n_support = m;
        k->support = support;
        k->gamma = v->gamma;
        k->coefficients = TAKE(j->a, v->problems * m, mtc_real);
        for (size_t q = 0; q < v->problems * m; q++)
            k->coefficients[q] = v->coefficients[q / m * n + list[q % m]];
    }
    pool_release(list);
    pool_release(x);
    pool_release(W);
}

/* ---- the model of a finished job ---- */

/* Before any work: can there be a model at all? */
void settle_save(app *a, const settings *set, const method *m, size_t n)
{
    if (set->save != NULL && m->flags & SEPARATE && n > 1 && !set->pool)
        fail(a, BAD_USAGE, "--save: tasks of %s have features of their own; "
             "save one task at a time, or --pool them", m->name);
}

/* A model for the methods of j to fill. */
void begin_model(job *j, const method *m)
{
    if (j->set->save == NULL)
        return;
    j->model = TAKE(j->a, 1, model);
    j->model->method = m->name;
    j->model->kind = m->kind;
    j->model->divergence = "sqeuclidean";
    j->model->n = j->n;
    j->model->task = TAKE(j->a, j->n, model_task);
}

/* Means of the answer, for a task that has no table of its own; by directions
 * means of unit rows, of length 1. */
static void take_means(job *j, size_t t)
{
    mtc_data rows = j->data[t];
    model_task *k = kept(j, t, RULE_NEAREST);
    mtc_real *share = TAKE(j->a, k->k, mtc_real);
    mtc_real *unit = COPY(j->a, rows.values, row_begin(&rows, rows.n), mtc_real);
    k->centers = TAKE(j->a, k->k * rows.d, mtc_real);
    if (j->model->angles) {
        unit_rows(&rows, 0, unit);
        rows.values = unit;
    }
    mtc_data_means(&rows, j->out[t].labels, k->k, k->centers, share);
    mtc_data means = mtc_dense(k->k, rows.d, k->centers);
    if (j->model->angles)
        unit_rows(&means, 0, k->centers);
    pool_release(share);
    pool_release(unit);
}

/* Centers [rows*d] that are directions: of length 1, but for the one to which
 * a row of zeros goes.  That is a little shorter, the center that the answer
 * has made so, or the first. */
static void settle_lengths(size_t rows, size_t d, mtc_real *centers)
{
    const mtc_real shorter = (mtc_real)1e-5;    /* in float, too */
    size_t zeros = 0;
    for (size_t z = 0; z < rows; z++) {
        mtc_data one = mtc_dense(1, d, centers + z * d);
        if ((double)mtc_dot(d, one.values, one.values) < 1 - 1e-4)
            zeros = z;
        unit_rows(&one, 0, centers + z * d);
    }
    for (size_t e = 0; e < d; e++)
        centers[zeros * d + e] -= shorter * centers[zeros * d + e];
}

/* A cluster without samples has no mean that could draw new ones. */
static void leave_out_empty(job *j, size_t t)
{
    model_task *k = &j->model->task[t];
    size_t d = j->data[t].d, rows = 0;
    int *number = TAKE(j->a, k->k, int);
    int *size = TAKE(j->a, k->k, int);
    for (size_t i = 0; i < j->data[t].n; i++)
        size[j->out[t].labels[i]]++;
    for (size_t z = 0; z < k->k; z++)
        if (size[z] > 0) {
            memmove(k->centers + rows * d, k->centers + z * d,
                    d * sizeof *k->centers);
            number[rows++] = (int)z;
        }
    if (j->model->angles)
        settle_lengths(rows, d, k->centers);
    k->number = rows < k->k ? number : NULL;
    k->rows = rows;
    pool_release(size);
}

/* Radii, by the samples that the model itself puts into each cluster.  Returns
 * how many it puts elsewhere than the answer has them. */
static size_t take_radii(job *j, size_t t)
{
    model *m = j->model;
    model_task *k = &m->task[t];
    size_t n = j->data[t].n, others = 0;
    int *winner = TAKE(j->a, n, int);
    mtc_real *distance = TAKE(j->a, n, mtc_real);
    model_label(j->a, m, t, &j->data[t], j->name[t], winner, distance);
    if (has_distances(m))
        k->radius = TAKE(j->a, k->rows, mtc_real);
    for (size_t i = 0; i < n; i++) {
        others += model_number(k, winner[i]) != j->out[t].labels[i];
        if (has_distances(m) && k->radius[winner[i]] < distance[i])
            k->radius[winner[i]] = distance[i];
    }
    pool_release(winner);
    pool_release(distance);
    return others;
}

/* Means under the one geometry or the other.  Returns how many samples they
 * put elsewhere than the answer has them. */
static size_t try_means(job *j, int angles)
{
    size_t others = 0;
    j->model->angles = angles;
    for (size_t t = 0; t < j->n; t++) {
        take_means(j, t);
        leave_out_empty(j, t);
        others += take_radii(j, t);
    }
    return others;
}

/* ---- features ---- */

/* A table of the run, those that are labeled first; or NULL. */
static const task *some_table(const report *r)
{
    for (size_t i = 0; i < r->tasks->n; i++)
        if (r->tasks->at[i].table)
            return &r->tasks->at[i];
    for (size_t i = 0; r->sources != NULL && !r->job->separate &&
                       i < r->sources->n; i++)
        if (r->sources->at[i].table)
            return &r->sources->at[i];
    return NULL;
}

/* How texts became words; the model's features are these. */
static void take_texts(const report *r)
{
    const task *t = &r->tasks->at[0];
    model *m = r->job->model;
    if (t->bag == NULL)
        return;
    m->texts = TAKE(r->job->a, 1, model_texts);
    m->texts->rules = t->bag->book->rules;
    m->texts->columns = r->job->set->text;
    m->texts->numbers = t->numbers;
    m->names = COPY(r->job->a, t->word, m->d, const char *);
    for (size_t f = 0; f < t->numbers; f++)
        m->names[f] = in_utf8(r->job->a, m->names[f]);
}

/* Names, unless there are none, or they are only places in the file. */
static void take_names(const report *r, const task *table)
{
    app *a = r->job->a;
    model *m = r->job->model;
    const uint32_t *used = r->tasks->at[0].used;
    const char *const *names = r->tasks->names;
    int named = r->job->set->names != NULL ||
                (table != NULL && (table->header || m->n_hot > 0));
    if (m->texts != NULL)
        return;
    if (used != NULL) {
        m->columns = TAKE(a, m->d, size_t);
        for (size_t f = 0; f < m->d; f++)
            m->columns[f] = used[f] + (size_t)1;
    }
    if (!named || (names == NULL && table == NULL))
        return;
    m->names = TAKE(a, m->d, const char *);
    for (size_t f = 0; f < m->d; f++)
        m->names[f] = in_utf8(a, names != NULL ? names[f]
                                               : table->feature[f].name);
}

/* The decimal sign of the files, as given, shown or guessed; ?: they differ, or
 * have whole numbers alone, so that a new file has to tell. */
static const char *usual_sign(const settings *set, const tasks *all,
                              const task *table)
{
    int has[2] = {0, 0};                        /* a point, a comma */
    int told = set->decimal != NULL;
    for (size_t i = 0; i < all->n; i++) {
        told |= all->at[i].guessed;
        if (all->at[i].shown)
            has[all->at[i].decimal == ','] = 1;
    }
    if (has[0] == has[1])
        return has[0] || !told ? "?" : table->decimal == ',' ? "," : ".";
    return has[0] ? "." : ",";
}

/* How columns were read: signs, days, a decimal sign, what was left out. */
static void take_reading(const report *r, const task *table)
{
    app *a = r->job->a;
    model *m = r->job->model;
    const tasks *all = r->tasks;
    size_t signs = 0, days = 0, n = columns_of(m);
    if (table == NULL || table->own != n)
        return;
    m->decimal = usual_sign(r->job->set, all, table);
    const char **sign = TAKE(a, m->d, const char *);
    double *first = TAKE(a, m->d, double);
    for (size_t f = n; f < m->d; f++)
        sign[f] = "";
    for (size_t f = 0; f < n; f++) {
        sign[f] = table->feature[f].sign;
        for (size_t i = 0; i < all->n && sign[f] == NULL; i++)
            if (all->at[i].table && f < all->at[i].own)
                sign[f] = all->at[i].feature[f].sign;
        signs += sign[f] != NULL;
        sign[f] = sign[f] != NULL ? in_utf8(a, sign[f]) : "";
        first[f] = table->feature[f].first_day;
        days += first[f] > 0;
    }
    m->signs = signs > 0 ? sign : NULL;
    m->first_day = days > 0 ? first : NULL;
    m->left = TAKE(a, table->n_left, const char *);
    m->left_place = TAKE(a, table->n_left, size_t);
    for (size_t j = 0; j < table->n_left; j++) {
        m->left[j] = in_utf8(a, table->left[j].name);
        m->left_place[j] = column_place(table, table->left[j].number);
    }
    m->n_left = table->n_left;
}

/* Features that are words of one column stand together. */
static void take_words(const report *r, const task *table)
{
    app *a = r->job->a;
    model *m = r->job->model;
    size_t room = 0;
    for (size_t f = 0; table != NULL && f < table->d && f < m->d;) {
        const attribute *k = &table->feature[f];
        size_t n = 1;
        if (f >= table->own || k->word == NULL) {
            f++;
            continue;
        }
        while (f + n < table->own && k[n].word != NULL &&
               k[n].number == k->number)
            n++;
        GROW(a, m->hot, m->n_hot, room);
        model_words *to = &m->hot[m->n_hot++];
        size_t length = strlen(k->name) - strlen(k->word) - 1;
        char *column = COPY(a, k->name, length + 1, char);
        column[length] = '\0';
        to->column = column;
        to->first = f;
        to->n = n;
        to->word = TAKE(a, n, const char *);
        for (size_t z = 0; z < n; z++)
            to->word[z] = k[z].word;
        f += n;
    }
}

/* What stands for missing values: a task's own means; all tables of a pool have
 * the same. */
static void take_fill(const report *r)
{
    model *m = r->job->model;
    const tasks *all = r->tasks;
    for (size_t i = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        model_task *k = &m->task[r->job->set->pool ? 0 : i];
        if (t->fill == NULL || k->fill != NULL)
            continue;
        k->fill = TAKE(r->job->a, m->d, mtc_real);
        for (size_t f = 0; f < t->filled && f < m->d; f++)
            k->fill[f] = (mtc_real)t->fill[f];
    }
}

static void take_classes(const report *r)
{
    app *a = r->job->a;
    model *m = r->job->model;
    if (!finds_classes(r))
        return;
    m->n_classes = r->n_classes;
    if (!r->named) {
        m->number = COPY(a, r->classes, r->n_classes, int);
        return;
    }
    m->word = TAKE(a, r->n_classes, const char *);
    for (size_t c = 0; c < r->n_classes; c++)
        m->word[c] = a->classes.word[r->classes[c]];
}

/* Has the method a rule for new samples, or do means stand in for one?  Those
 * by distance or those by direction, whichever is nearer to the answer. */
static void settle_rule(const report *r)
{
    job *j = r->job;
    model *m = j->model;
    int own = (r->method->flags & BY_MEANS) != 0;
    int means = j->set->guard || r->method->flags & MEANS ||
                j->numbers == NUMBERS_GIVEN;
    if (m->task[0].centers != NULL || !has_distances(m)) {
        for (size_t t = 0; t < j->n && means; t++)
            leave_out_empty(j, t);
        return;
    }
    size_t plain = try_means(j, 0);
    if (plain > 0 && !own && try_means(j, 1) >= plain)
        try_means(j, 0);
    m->stand_in = !own;
    if (m->stand_in)
        inform(j->a, "model-means", NULL,
               "%s: %s has no rule for new samples; they go to the nearest "
               "mean of its answer%s", j->set->save, m->method,
               m->angles ? " by angle" : "");
}

/* The radii of all tasks; and how many samples the model labels otherwise. */
static void settle_radii(job *j)
{
    for (size_t t = 0; t < j->n; t++) {
        size_t others = take_radii(j, t);
        j->model->task[t].name = in_utf8(j->a, j->name[t]);
        for (size_t s = 0; s < t; s++)
            if (is(j->model->task[s].name, j->model->task[t].name))
                fail(j->a, BAD_DATA, "%s: tasks %zu and %zu would both be %s: "
                     "names of files have to be UTF-8", j->set->save, s, t,
                     j->model->task[t].name);
        if (others > 0)
            inform(j->a, "model-differs", NULL,
                   "%s: the model gives %zu of %zu samples of %s another "
                   "label than %s itself", j->set->save, others, j->data[t].n,
                   j->name[t], j->model->method);
    }
}

/* Writes the model of the run. */
void save_model(const report *r)
{
    job *j = r->job;
    model *m = j->model;
    const task *table = some_table(r);
    task columns = r->tasks->at[0];
    m->d = j->data[0].d;
    take_texts(r);
    if (columns.numbers > 0) {                  /* a table of these */
        columns.table = 1;
        columns.d = columns.own = columns.numbers;
        table = &columns;
    }
    if (r->tasks->at[0].scaled != NULL)
        m->scaled = *r->tasks->at[0].scaled;
    else
        m->scaled.how = "none";
    settle_rule(r);
    take_words(r, table);
    take_names(r, table);
    take_reading(r, table);
    take_fill(r);
    take_classes(r);
    settle_radii(j);
    m->guarded = j->set->guard;
    put_options(j->a, &m->options, r->method->options, j->set, 0);
    model_write(j->a, j->set->save, m);
}
