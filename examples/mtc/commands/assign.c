/* SPDX-License-Identifier: MIT
 *
 * assign.c - the command assign: labels for new samples by a saved model
 */
#include "../methods/job.h"
#include "../models/model.h"

#include <string.h>

/* What came out for one file. */
typedef struct answer {
    size_t task;                    /* of the model */
    int *labels;                    /* [n] clusters or classes */
    mtc_real *distance;             /* [n] from the center; or score */
    int *far;                       /* [n] 1: beyond all training samples of the
                                       cluster; NULL: there is no distance */
    size_t n_far, n_blank;          /* samples; those with the label -1 */
} answer;

typedef struct assigning {
    app *a;
    const model *m;
    const settings *set;
    tasks all;                      /* the files */
    answer *of;                     /* [all.n] */
    report r;
} assigning;

/* ---- which task? ---- */

/* The task of that name, or MTC_NONE. */
static size_t task_named(const model *m, const char *name)
{
    for (size_t t = 0; t < m->n; t++)
        if (strcmp(m->task[t].name, name) == 0)
            return t;
    return MTC_NONE;
}

/* The task that a file's name says; of several files of one name, which have
 * .2 and so on here, the name itself. */
static size_t task_of_file(app *a, const model *m, const task *t)
{
    size_t of = task_named(m, in_utf8(a, t->name));
    return of != MTC_NONE ? of
                          : task_named(m, in_utf8(a, bare_name(a, t->file)));
}

/* Has the model tasks NAME, NAME.2 and so on of a file's name, and are there
 * not as many files of that name, which then come in the same order? */
static int is_unclear(const assigning *g, const task *t)
{
    const char *bare = bare_name(g->a, t->file);
    for (size_t copy = 2;; copy++) {
        const char *name = formed(g->a, "%s.%zu", bare, copy);
        int given = 0;
        for (size_t i = 0; i < g->all.n; i++)
            given |= strcmp(g->all.at[i].name, name) == 0;
        if (task_named(g->m, in_utf8(g->a, name)) == MTC_NONE)
            return given && copy > 2;
        if (!given)
            return 1;
    }
}

/* --task as a name, else a number from 0. */
static size_t task_asked(app *a, const model *m, const char *word)
{
    text list = {NULL, 0, 0};
    uint64_t number;
    const char *end;
    size_t t = task_named(m, word);
    if (t != MTC_NONE)
        return t;
    if (whole_at(word, SIZE_MAX, &number, &end) && *end == '\0' &&
        number < m->n)
        return (size_t)number;
    for (t = 0; t < m->n; t++)
        put(a, &list, t == 0 ? " %s" : ", %s", m->task[t].name);
    fail(a, BAD_USAGE, "--task %s: %s has the tasks%s", word, m->file,
         list.at);
}

/* Missing values by the figures of the model's task. */
static void fill_by(app *a, const model *m, size_t of, task *t)
{
    const mtc_real *fill = m->task[of].fill;
    int holes = 0;
    mtc_data X = view_of(t);
    for (size_t p = 0; p < row_begin(&X, X.n); p++) {
        if (t->values[p] == t->values[p])
            continue;
        if (fill == NULL)
            fail(a, BAD_DATA, "%s: has missing values, and task %s of %s has "
                 "no means to put in; --missing drop leaves such rows out",
                 t->file, m->task[of].name, m->file);
        t->values[p] = fill[column_of(&X, p)];
        holes = 1;
    }
    if (holes)
        inform(a, "missing", NULL, "%s: missing values are the means of the "
               "training data", t->file);
}

/* blank [n]: 1 for samples that say nothing: all values are missing, or no word
 * is one of the model's; how many. */
static size_t find_blank(const task *t, int *blank)
{
    mtc_data X = view_of(t);
    size_t found = 0;
    for (size_t s = 0; s < t->n; s++) {
        blank[s] = X.row == NULL || t->bag != NULL;
        for (size_t p = row_begin(&X, s); p < row_begin(&X, s + 1); p++)
            blank[s] &= X.values[p] != X.values[p];
        found += (size_t)blank[s];
    }
    return found;
}

static void tell_blank(const assigning *g, const task *t, size_t n)
{
    if (n > 0)
        inform(g->a, "no-label", NULL, "%s: %zu %s%s no %s, and %s the label -1",
               t->file, n, t->bag != NULL ? "text" : "row",
               n == 1 ? " has" : "s have",
               t->bag != NULL ? "word that the model knows" : "value",
               n == 1 ? "gets" : "get");
}

/* The samples of file i by task `of`: filled, preprocessed, labeled.  Returns
 * the sum of the distances. */
static double label_file(assigning *g, size_t i, size_t of)
{
    const model_task *k = &g->m->task[of];
    task *t = &g->all.at[i];
    answer *w = &g->of[i];
    double sum = 0;
    int *blank = TAKE(g->a, t->n, int);
    w->n_blank = find_blank(t, blank);
    tell_blank(g, t, w->n_blank);
    fill_by(g->a, g->m, of, t);
    scale_task(g->a, t, &g->m->scaled);
    mtc_data X = view_of(t);
    w->task = of;
    w->labels = TAKE(g->a, t->n, int);
    w->distance = TAKE(g->a, t->n, mtc_real);
    w->far = has_distances(g->m) ? TAKE(g->a, t->n, int) : NULL;
    w->n_far = 0;
    model_label(g->a, g->m, of, &X, t->file, w->labels, w->distance);
    for (size_t s = 0; s < t->n; s++) {
        size_t z = (size_t)w->labels[s];
        if (blank[s]) {
            w->labels[s] = -1;
            continue;
        }
        if (w->far != NULL) {
            w->far[s] = w->distance[s] > k->radius[z];
            w->n_far += (size_t)w->far[s];
        }
        w->labels[s] = model_number(k, (int)z);
        sum += (double)w->distance[s];
    }
    pool_release(blank);
    return sum;
}

/* The task from whose centers the samples are nearest in the mean; the first
 * on a tie. */
static void label_by_nearest(assigning *g, size_t i)
{
    task *t = &g->all.at[i], raw = *t;
    mtc_data X = view_of(t);
    mtc_real *values = COPY(g->a, X.values, row_begin(&X, X.n), mtc_real);
    size_t best = 0;
    double least = 0;
    g->a->deaf = 1;                             /* notices come once */
    for (size_t of = 0; of < g->m->n; of++) {
        *t = raw;
        t->values = COPY(g->a, values, row_begin(&X, X.n), mtc_real);
        double sum = label_file(g, i, of);
        if (of == 0 || sum < least) {
            least = sum;
            best = of;
        }
        pool_release(g->of[i].labels);
        pool_release(g->of[i].distance);
        pool_release(g->of[i].far);
        pool_release(t->values);
    }
    g->a->deaf = 0;
    *t = raw;
    t->values = values;
    label_file(g, i, best);
}

/* By --task; else by the file's name; a model of one task needs neither. */
static void label_by_task(assigning *g, size_t i)
{
    const model *m = g->m;
    const task *t = &g->all.at[i];
    const char *asked = g->set->task;
    int nearest = is(asked, "nearest") && task_named(m, asked) == MTC_NONE;
    size_t named = task_of_file(g->a, m, t);
    int unclear = named != MTC_NONE && is_unclear(g, t);
    named = unclear ? MTC_NONE : named;
    if (nearest && !has_distances(m))
        fail(g->a, BAD_USAGE, "--task nearest: %s has scores, no distances",
             m->file);
    if (asked == NULL && named == MTC_NONE && m->n > 1)
        fail(g->a, BAD_USAGE, "%s: its name is %s of %s; --task NAME, N or "
             "nearest says which it belongs to", t->file,
             unclear ? "that of several tasks" : "that of no task", m->file);
    if (asked != NULL && !nearest)
        label_file(g, i, task_asked(g->a, m, asked));
    else if (named == MTC_NONE && m->n > 1)
        label_by_nearest(g, i);
    else
        label_file(g, i, named != MTC_NONE ? named : 0);
}

/* ---- reports ---- */

/* The classes' words and numbers, as those of a transfer's sources. */
static void take_model_classes(assigning *g)
{
    const model *m = g->m;
    int *classes = TAKE(g->a, m->n_classes, int);
    if (m->n_classes == 0)
        return;
    for (size_t c = 0; c < m->n_classes; c++)
        classes[c] = m->word != NULL ? class_number(g->a, m->word[c])
                                     : m->number[c];
    g->r.classes = classes;
    g->r.n_classes = m->n_classes;
    g->r.named = m->word != NULL;
}

/* Labels of the file only score, and only if they are of the model's kind. */
static void score_file(assigning *g, job *j, size_t i)
{
    task *t = &g->all.at[i];
    entry *e = &g->r.entry[i];
    const answer *w = &g->of[i];
    e->name = t->name;
    e->n = t->n;
    e->d = g->m->d;
    e->k = g->m->task[w->task].k;
    e->labels = w->labels;
    e->score = w->far == NULL ? w->distance : NULL;
    e->distance = w->far != NULL ? w->distance : NULL;
    e->far = w->far;
    if (t->truth != NULL && g->m->n_classes > 0 && t->named != g->r.named) {
        inform(g->a, "not-scored", NULL,
               "%s: its labels are %s, those of %s %s: not scored",
               t->file, t->named ? "words" : "numbers", g->m->file,
               g->r.named ? "words" : "numbers");
        t->truth = NULL;
    }
    if (g->m->n_classes == 0)
        doubt_equal(g->a, g->set, t, NOTE, "not-scored");
    if (t->truth != NULL && g->m->n_classes > 0) {
        tasks none = {0, 0, 0, NULL, NULL};
        task pool = {.n = 0};
        map_classes(g->a, &none, &pool, t, &g->r);
    }
    e->truth = t->truth;
    score_entry(j, e, g->m->n_classes > 0);
}

/* How many samples each cluster or class got. */
static void put_sizes(text *out, const assigning *g, size_t i)
{
    const entry *e = &g->r.entry[i];
    const model *m = g->m;
    text line = {NULL, 0, 0};
    size_t *size = TAKE(g->a, e->k, size_t);
    for (size_t s = 0; s < e->n; s++)
        if (e->labels[s] >= 0)
            size[e->labels[s]]++;
    put(g->a, &line, "%s: ", visible(g->a, e->name));
    for (size_t z = 0, told = 0; z < e->k; z++) {
        if (size[z] == 0)
            continue;
        put(g->a, &line, "%s", told++ == 0 ? "" : ", ");
        if (m->word != NULL)
            put(g->a, &line, "%s", visible(g->a, m->word[z]));
        else
            put(g->a, &line, "%s %d", m->n_classes > 0 ? "class" : "cluster",
                m->n_classes > 0 ? m->number[z] : (int)z);
        put(g->a, &line, ": %zu", size[z]);
    }
    if (g->of[i].n_blank > 0)
        put(g->a, &line, "%sno label: %zu", g->of[i].n_blank < e->n ? ", " : "",
            g->of[i].n_blank);
    put_wrapped(g->a, out, line.at);
    pool_release(size);
}

/* "150 samples are labeled; 3 lie farther from ..." */
static void put_answer(text *out, const assigning *g)
{
    size_t n = 0, far = 0;
    for (size_t i = 0; i < g->all.n; i++) {
        n += g->r.entry[i].n - g->of[i].n_blank;
        far += g->of[i].n_far;
    }
    put(g->a, out, "%zu sample%s labeled", n, n == 1 ? " is" : "s are");
    if (has_distances(g->m) && far == 0)
        put(g->a, out, "; none lies farther from its cluster than the training "
            "samples did");
    else if (has_distances(g->m))
        put(g->a, out, "; %zu %s farther from %s cluster than any training "
            "sample did", far, far == 1 ? "lies" : "lie",
            far == 1 ? "its" : "their");
    put(g->a, out, ".");
}

static void print_answers(const assigning *g)
{
    app *a = g->a;
    text t = {NULL, 0, 0}, opening = {NULL, 0, 0};
    int width = name_width(&g->all), scored = 0, other = 4;
    for (size_t i = 0; i < g->all.n; i++) {
        int length = (int)shown_length(g->m->task[g->of[i].task].name);
        other = length > other ? length : other;
        scored |= g->r.entry[i].truth != NULL;
    }
    put_answer(&opening, g);
    put_wrapped(a, &t, opening.at);
    put(a, &t, "\n%-*s %7s %8s %4s  %-*s", width, "file", "n", "d", "k", other,
        "task");
    if (has_distances(g->m))
        put(a, &t, " %7s", "far");
    if (scored)
        put(a, &t, " %8s %8s %8s", "acc", "nmi", "ari");
    put(a, &t, "\n");
    for (size_t i = 0; i < g->all.n; i++) {
        const entry *e = &g->r.entry[i];
        const char *learned = visible(a, g->m->task[g->of[i].task].name);
        const char *name = visible(a, e->name);
        put(a, &t, "%-*s %7zu %8zu %4zu  %-*s", padded(name, width), name, e->n,
            e->d, e->k, padded(learned, other), learned);
        if (e->far != NULL)
            put(a, &t, " %7zu", g->of[i].n_far);
        if (e->truth != NULL)
            put(a, &t, " %8.4f %8.4f %8.4f", e->acc, e->nmi, e->ari);
        put(a, &t, "\n");
    }
    for (size_t i = 0; i < g->all.n; i++)
        put_sizes(&t, g, i);
    save(a, "-", &t);
}

/* `"name": [...]` for each row of the file; null where it has no label. */
static void put_by_row(const assigning *g, text *t, size_t i, const char *name,
                       const mtc_real *x, const int *flag)
{
    const task *data = &g->all.at[i];
    put(g->a, t, ",\n     \"%s\": ", name);
    if (x == NULL && flag == NULL) {
        put(g->a, t, "null");
        return;
    }
    for (size_t row = 0; row < data->rows; row++) {
        size_t s = sample_of(data, row);
        put(g->a, t, row == 0 ? "[" : ", ");
        if (s == MTC_NONE || g->r.entry[i].labels[s] < 0)
            put(g->a, t, "null");
        else if (flag != NULL)
            put(g->a, t, flag[s] ? "true" : "false");
        else
            put_real(g->a, t, (double)x[s]);
    }
    put(g->a, t, "]");
}

static void write_answers(const assigning *g)
{
    app *a = g->a;
    text t = {NULL, 0, 0};
    json_begin(a, &t);
    put(a, &t, "\"method\": %s,\n  \"rule\": \"%s\",\n  \"tasks\": [",
        json_text(a, g->m->method), rule_name(g->m->rule));
    for (size_t i = 0; i < g->all.n; i++) {
        const entry *e = &g->r.entry[i];
        const task *data = &g->all.at[i];
        put(a, &t, "%s\n    {\"name\": %s, \"n\": %zu, \"task\": %s",
            i == 0 ? "" : ",", json_text(a, e->name), e->n,
            json_text(a, g->m->task[g->of[i].task].name));
        if (e->truth != NULL)
            put(a, &t, ", \"acc\": %.17g, \"nmi\": %.17g, \"ari\": %.17g",
                e->acc, e->nmi, e->ari);
        put(a, &t, ",\n     \"labels\": ");
        put_ints(a, &t, data->rows, row_labels(a, e, data));
        put_by_row(g, &t, i, "distance", e->distance, NULL);
        put_by_row(g, &t, i, "far", NULL, e->far);
        if (e->score != NULL)
            put_by_row(g, &t, i, "score", e->score, NULL);
        put(a, &t, "}");
    }
    put(a, &t, "]");
    if (g->r.classes != NULL)
        put_classes(a, &t, &g->r);
    put(a, &t, "\n}\n");
    save(a, g->set->json, &t);
}

/* mtc assign MODEL.json FILE... */
void run_assign(app *a, int argc, char **argv)
{
    settings set;
    words files = parse_args(a, "assign", ASSIGN_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 2, SIZE_MAX, "MODEL.json and at least one FILE");
    model m = model_read(a, files.at[0]);
    words fresh = {files.n - 1, 0, files.at + 1};
    settle_reading(a, &m, &set);
    assigning g = {.a = a, .m = &m, .set = &set};
    a->apart = 1;                   /* score_file leaves out what differs */
    g.all = load_new(a, &m, &fresh, &set);
    g.of = TAKE(a, g.all.n, answer);
    mtc_context ctx = context_of(a, 1);
    job j = new_job(a, &ctx, &set, g.all.n, m.d);
    g.r.job = &j;
    g.r.tasks = &g.all;
    g.r.entry = TAKE(a, g.all.n, entry);
    take_model_classes(&g);
    for (size_t i = 0; i < g.all.n; i++) {
        progress_part(a, i, g.all.n);
        label_by_task(&g, i);
    }
    for (size_t i = 0; i < g.all.n; i++)
        score_file(&g, &j, i);
    wipe_progress(a);
    if (set.out != NULL)
        write_labels(&g.r);
    if (set.json != NULL)
        write_answers(&g);
    if (!set.quiet && !is(set.json, "-"))
        print_answers(&g);
}
