/* SPDX-License-Identifier: MIT
 *
 * report.c - reports: table, JSON, label files
 *
 * A job knows the data sets as the method saw them; a report has one entry
 * for each task as the user named them (with --pool, many for one).  Truth
 * meets labels here and nowhere else.
 */
#include "summary.h"

#include <math.h>

/* direct 1: labels are classes, so that they need no matching. */
void score_entry(job *j, entry *e, int direct)
{
    mtc_scores s;
    if (e->truth == NULL)
        return;
    check(j->a, j->ctx, mtc_score(j->ctx, e->n, e->truth, e->labels, &s),
          e->name);
    e->acc = (double)(direct ? s.direct : s.accuracy);
    e->nmi = (double)s.nmi;
    e->ari = (double)s.ari;
}

/* Mean of the scores over the tasks with truth. */
static void put_mean(app *a, text *t, const report *r, int width)
{
    double acc = 0, nmi = 0, ari = 0, known = 0;
    for (size_t i = 0; i < r->tasks->n; i++) {
        const entry *e = &r->entry[i];
        if (e->truth == NULL)
            continue;
        known++;
        acc += e->acc;
        nmi += e->nmi;
        ari += e->ari;
    }
    if (known > 1)
        put(a, t, "%-*s %7s %8s %4s %8.4f %8.4f %8.4f\n", width, "mean", "",
            "", "", acc / known, nmi / known, ari / known);
}

int name_width(const tasks *all)
{
    size_t width = 6;
    for (size_t i = 0; i < all->n; i++)
        if (width < shown_length(all->at[i].name))
            width = shown_length(all->at[i].name);
    return (int)width;
}

/* The groups of a task; with one numbering over all, those that it has. */
static size_t groups_of(const report *r, const entry *e)
{
    return r->job->numbers == NUMBERS_GIVEN ? e->k_effective : e->k;
}

/* One line of the table. */
static void put_line(app *a, text *t, const report *r, const entry *e,
                     int width, int scored)
{
    const char *name = visible(a, e->name);
    put(a, t, "%-*s %7zu %8zu %4zu", padded(name, width), name, e->n, e->d,
        groups_of(r, e));
    if (e->truth != NULL)
        put(a, t, " %8.4f %8.4f %8.4f", e->acc, e->nmi, e->ari);
    else if (scored)
        put(a, t, " %8s %8s %8s", "-", "-", "-");
    put(a, t, "\n");
}

/* The table of cluster and transfer, behind the answer in a sentence. */
void print_table(const report *r)
{
    app *a = r->job->a;
    const job *j = r->job;
    text t = {NULL, 0, 0};
    int width = name_width(r->tasks), scored = 0;
    size_t n = r->tasks->n;
    size_t shown = n > MANY_TASKS && !j->set->verbose ? FEW_SHOWN : n;
    for (size_t i = 0; i < n; i++)
        scored |= r->entry[i].truth != NULL;
    put_wrapped(a, &t, r->seen->sentence);
    put(a, &t, "\n");
    if (shown < n)
        put(a, &t, "The first %zu of %zu tasks (--verbose: all):\n", shown, n);
    put(a, &t, "%-*s %7s %8s %4s", width, "task", "n", "d", "k");
    if (scored)
        put(a, &t, " %8s %8s %8s", "acc", "nmi", "ari");
    put(a, &t, "\n");
    for (size_t i = 0; i < shown; i++)
        put_line(a, &t, r, &r->entry[i], width, scored);
    put_mean(a, &t, r, width);
    if (j->notes.at != NULL)
        put(a, &t, "%s", j->notes.at);
    for (size_t i = 0; i < shown; i++)
        put_profile(&t, r, i);
    save(a, "-", &t);
}

/* ---- JSON ---- */

/* One array, or one for each data set that the method saw. */
static void put_objectives(app *a, text *t, const report *r)
{
    const job *j = r->job;
    int traces = (r->method->flags & TRACES) != 0;
    size_t n = r->method->flags & JOINT && !traces ? 1 : j->n;
    int nested = n > 1 || traces;
    for (size_t i = 0; i < n; i++) {
        if (nested)
            put(a, t, i == 0 ? "[" : ",\n    ");
        put_reals(a, t, j->out[i].trace, j->out[i].objective);
    }
    put(a, t, nested ? "]" : "");
}

/* Of dense data the features, and the mean of each cluster in the file's
 * units; an empty one has none. */
static void put_centers(app *a, text *t, const report *r, size_t i)
{
    const profile *p = &r->seen->of[i];
    size_t d = r->entry[i].d;                   /* of its own features */
    if (p->as_read.row != NULL || p->as_read.d < d || p->mean == NULL)
        return;
    const char **name = TAKE(a, d, const char *);
    for (size_t f = 0; f < d; f++)
        name[f] = feature_name(a, r->tasks, p->t, f);
    put(a, t, ",\n     \"features\": ");
    put_texts(a, t, d, name);
    put(a, t, ",\n     \"centers\": ");
    for (size_t y = 0; y < p->n_own; y++) {
        put(a, t, y == 0 ? "[" : ",\n       ");
        if (p->size[p->own[y]] > 0)
            put_reals(a, t, d, p->mean + p->own[y] * p->d);
        else
            put(a, t, "null");
    }
    put(a, t, "]");
}

/* Names of the rows, and the classes of the file beside the clusters. */
static void put_names(app *a, text *t, const report *r, size_t i)
{
    const profile *p = &r->seen->of[i];
    const identities *id = &p->t->id;
    const char **row = TAKE(a, id->n, const char *);
    const char **class = TAKE(a, p->n_classes, const char *);
    for (size_t s = 0; s < id->n; s++)
        row[s] = id->text + id->at[s];
    if (id->name != NULL) {
        put(a, t, ",\n     \"rows\": ");
        put_texts(a, t, id->n, row);
    }
    if (p->table == NULL)
        return;
    for (size_t c = 0; c < p->n_classes; c++)
        class[c] = class_name(r, i, p->classes[c]);
    put(a, t, ",\n     \"classes\": ");
    put_texts(a, t, p->n_classes, class);
    put(a, t, ",\n     \"table\": [");
    for (size_t y = 0; y < p->n_own; y++) {
        put(a, t, y == 0 ? "" : ", ");
        put_wholes(a, t, p->n_classes, p->table + p->own[y] * p->n_classes);
    }
    put(a, t, "]");
}

/* A label for each row of the file: -1 where it is no sample. */
const int *row_labels(app *a, const entry *e, const task *data)
{
    if (data->place == NULL)
        return e->labels;
    int *labels = TAKE(a, data->rows, int);
    for (size_t i = 0; i < data->rows; i++)
        labels[i] = -1;
    for (size_t i = 0; i < data->n; i++)
        labels[data->place[i]] = e->labels[i];
    return labels;
}

/* How far deviations are apart, as `name`, and logs.  p NULL: tasks have their
 * own. */
void put_preparation(app *a, text *t, const char *name, const preparation *p)
{
    if (p == NULL) {
        put(a, t, "\"%s\": null, \"logs\": null", name);
        return;
    }
    put(a, t, "\"%s\": %s, \"logs\": ", name, json_real(a, p->apart));
    put_texts(a, t, p->logs.n, p->logs.at);
}

/* How many rows each cluster has; with one numbering over all tasks, first the
 * numbers that this one has. */
static void put_own_sizes(app *a, text *t, const report *r, size_t i)
{
    const profile *p = &r->seen->of[i];
    size_t *size = TAKE(a, p->n_own, size_t);
    for (size_t y = 0; y < p->n_own; y++)
        size[y] = p->size[p->own[y]];
    if (r->job->numbers == NUMBERS_GIVEN) {
        put(a, t, ",\n     \"numbers\": ");
        put_wholes(a, t, p->n_own, p->own);
    }
    put(a, t, ",\n     \"sizes\": ");
    put_wholes(a, t, p->n_own, size);
}

/* One object of `tasks`. */
static void put_entry(app *a, text *t, const report *r, size_t i)
{
    const entry *e = &r->entry[i];
    const task *data = &r->tasks->at[i];
    const profile *p = &r->seen->of[i];
    put(a, t, "{\"name\": %s, \"n\": %zu, \"d\": %zu, \"k\": %zu, "
        "\"k_effective\": %zu", json_text(a, e->name), e->n, e->d,
        groups_of(r, e), e->k_effective);
    if (e->truth != NULL)
        put(a, t, ", \"acc\": %.17g, \"nmi\": %.17g, \"ari\": %.17g", e->acc,
            e->nmi, e->ari);
    if (is(r->job->set->missing, "drop"))
        put(a, t, ", \"dropped\": %zu", data->rows - data->n);
    if (data->prepared != NULL) {
        put(a, t, ",\n     \"preprocess\": \"%s\", ", data->scaled->how);
        put_preparation(a, t, "deviations", data->prepared);
    }
    put(a, t, ",\n     \"labels\": ");
    put_ints(a, t, data->rows, row_labels(a, e, data));
    if (r->job->voting != NULL)
        put_row_votes(t, r);
    put_own_sizes(a, t, r, i);
    put(a, t, ",\n     \"silhouette\": %s",
        json_real(a, p->used > 1 ? p->silhouette[p->k] : HUGE_VAL));
    put_apart(a, t, p->borders);
    put_centers(a, t, r, i);
    put_names(a, t, r, i);
    if (data->bag != NULL)
        put_topics(t, r, i);
    put(a, t, "}");
}

/* The labels that 0, 1, ... stand for, as the files have them. */
void put_classes(app *a, text *t, const report *r)
{
    const char **word = TAKE(a, r->n_classes, const char *);
    for (size_t c = 0; c < r->n_classes && r->named; c++)
        word[c] = a->classes.word[r->classes[c]];
    put(a, t, ",\n  \"classes\": ");
    if (r->named)
        put_texts(a, t, r->n_classes, word);
    else
        put_ints(a, t, r->n_classes, r->classes);
}

/* The method's own members: a figure for each task of `cluster`, one figure
 * and the classes for `transfer`. */
static void put_own(app *a, text *t, const report *r)
{
    const job *j = r->job;
    if (r->classes != NULL)
        put_classes(a, t, r);
    if (is_voted(j))
        put_aligned_members(t, r);
    if (j->members.at != NULL)
        put(a, t, "%s", j->members.at);
    if (r->method->own == NULL)
        return;
    put(a, t, ",\n  \"%s\": %s", r->method->own, r->classes ? "" : "[");
    for (size_t i = 0; i < j->n; i++)
        put(a, t, "%s%s", i == 0 ? "" : ", ", json_real(a, j->out[i].own));
    put(a, t, r->classes ? "" : "]");
}

/* For every ordered pair of tasks how their clusters correspond; or null. */
static void put_correspondence(app *a, text *t, const job *j, size_t n_tasks)
{
    if ((j->weights == NULL && j->across == NULL) || j->n != n_tasks) {
        put(a, t, "null");
        return;
    }
    put(a, t, "[");
    for (size_t q = 0, said = 0; q < j->n * j->n; q++) {
        size_t from = q / j->n, to = q % j->n;
        if (from == to)
            continue;
        put(a, t, "%s{\"from\": %zu, \"to\": %zu",
            said++ == 0 ? "\n    " : ",\n    ", from, to);
        if (j->weights != NULL) {
            put(a, t, ", \"weights\": ");
            put_matrix(a, t, j->k[from], j->k[to], j->weights[q]);
        }
        if (j->across != NULL)
            put_sure_pairs(t, j, from, to);
        put(a, t, "}");
    }
    put(a, t, "]");
}

/* Iterations are the most that a task needed; converged means all. */
void write_json(const report *r)
{
    const job *j = r->job;
    app *a = j->a;
    text t = {NULL, 0, 0};
    size_t iterations = 0;
    int converged = 1;
    for (size_t i = 0; i < j->n; i++) {
        if (iterations < j->out[i].iterations)
            iterations = j->out[i].iterations;
        converged &= j->out[i].converged;
    }
    json_begin(a, &t);
    put(a, &t, "\"sentence\": %s,\n  \"apart\": %s,\n  \"method\": \"%s\",\n"
        "  \"options\": ", json_text(a, r->seen->sentence),
        json_text(a, worst_border(r, r->seen)), r->method->name);
    put_options(a, &t, r->method->options, j->set, 1);
    put(a, &t, ",\n  \"iterations\": %zu,\n  \"converged\": %s,\n"
        "  \"objective\": ", iterations, converged ? "true" : "false");
    put_objectives(a, &t, r);
    put(a, &t, ",\n  \"tasks\": [");
    for (size_t i = 0; i < r->tasks->n; i++) {
        put(a, &t, i == 0 ? "\n    " : ",\n    ");
        put_entry(a, &t, r, i);
    }
    put(a, &t, "],\n  \"relatedness\": ");
    if (j->relatedness != NULL && j->n == r->tasks->n)  /* no pool of them */
        put_matrix(a, &t, j->n, j->n, j->relatedness);
    else
        put(a, &t, "null");
    put(a, &t, ",\n  \"correspondence\": ");
    put_correspondence(a, &t, j, r->tasks->n);
    if (j->across != NULL)
        put_across_members(&t, r);
    put_own(a, &t, r);
    put(a, &t, ",\n  \"seconds\": %.17g\n}\n", r->seconds);
    save(a, j->set->json, &t);
}

/* Behind the label of sample s, or of none: its distance or the score of a
 * class, and whether it is far. */
static void put_extent(app *a, text *t, const entry *e, size_t s, int classes)
{
    const mtc_real *x = e->distance != NULL ? e->distance : e->score;
    if (e->distance == NULL && !classes)
        return;
    put(a, t, ",");
    if (x != NULL && s != MTC_NONE)
        put_real(a, t, (double)x[s]);
    if (e->far != NULL)
        put(a, t, s == MTC_NONE ? "," : e->far[s] ? ",1" : ",0");
}

/* A line for each row: its name or number, its cluster or class, a score. */
static void put_rows(app *a, text *t, const report *r, size_t i)
{
    const task *data = &r->tasks->at[i];
    const entry *e = &r->entry[i];
    const int *labels = row_labels(a, e, data);
    int classes = finds_classes(r);
    put_csv(a, t, data->id.name != NULL ? data->id.name : "row");
    put(a, t, classes ? ",class" : ",cluster");
    put(a, t, e->distance != NULL ? ",distance,far\n"
              : e->far != NULL    ? ",votes,far\n"
              : classes           ? ",score\n" : "\n");
    for (size_t row = 0; row < data->rows; row++) {
        if (data->id.name != NULL)
            put_csv(a, t, data->id.text + data->id.at[row]);
        else
            put(a, t, "%zu", row + 1);
        put(a, t, ",");
        if (labels[row] >= 0)
            put_csv(a, t, label_name(r, classes, (size_t)labels[row]));
        else if (!classes)
            put(a, t, "%d", labels[row]);
        put_extent(a, t, e, labels[row] < 0 ? MTC_NONE : sample_of(data, row),
                   classes);
        put(a, t, "\n");
    }
}

/* DIR/NAME.labels and DIR/NAME.csv for each task. */
void write_labels(const report *r)
{
    app *a = r->job->a;
    const char *out = r->job->set->out;
    save_directory(a, out);
    for (size_t i = 0; i < r->tasks->n; i++) {
        text t = {NULL, 0, 0}, table = {NULL, 0, 0};
        const task *data = &r->tasks->at[i];
        const int *labels = row_labels(a, &r->entry[i], data);
        for (size_t s = 0; s < data->rows; s++)
            put(a, &t, "%d\n", labels[s]);
        save(a, join_path(a, out, data->name, ".labels"), &t);
        put_rows(a, &table, r, i);
        const char *path = join_path(a, out, data->name, ".csv");
        if (is_input(a, path)) {
            inform(a, "output-name", NULL,
                   "%s is an input: %s.out.csv has the clusters", path,
                   data->name);
            path = join_path(a, out, data->name, ".out.csv");
        }
        save(a, path, &table);
    }
}
