/* SPDX-License-Identifier: MIT
 *
 * commands.c - commands: cluster, transfer, emd, score
 *
 * Each takes the arguments behind its name: parse, load, work, report.
 */
#include "../models/model.h"
#include "../show/summary.h"
#include "../texts/texts.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* All that a command line of a method came to. */
typedef struct solution {
    settings set;
    tasks all, second;              /* second: in the target's features */
    tasks sources, shown;           /* of a transfer */
    task pool;
    mtc_context ctx;
    job j;
    report r;
} solution;

/* Says what a user would want to know but might not look for. */
static void warn_of(const report *r)
{
    const job *j = r->job;
    for (size_t i = 0; i < j->n; i++) {
        const outcome *o = &j->out[i];
        size_t k = j->numbers == NUMBERS_GIVEN ? j->set->k.at[i]
                                               : j->k[i];
        if (o->k_effective < k && j->n_sources == 0)
            warn(j->a, "empty-clusters", NULL,
                 "%s: only %zu of %zu clusters %s in use", j->name[i],
                 o->k_effective, k, o->k_effective == 1 ? "is" : "are");
        if (!o->converged && !(r->method->flags & FIXED_STEPS))
            warn(j->a, "not-converged", NULL,
                 "%s: not converged after %zu iteration%s", j->name[i],
                 o->iterations, o->iterations == 1 ? "" : "s");
    }
}

/* Everything that was asked for, from one look at the result. */
static void deliver(report *r)
{
    app *a = r->job->a;
    const settings *set = r->job->set;
    wipe_progress(a);
    warn_of(r);
    int tells = !set->quiet && !is(set->json, "-") && !is(set->svg, "-") &&
                !is(set->save, "-");
    if (tells || set->svg != NULL || set->json != NULL)
        r->seen = look_over(r);
    if (set->out != NULL)
        write_labels(r);
    if (set->svg != NULL)
        write_svg(r);
    if (set->save != NULL)
        save_model(r);
    if (set->json != NULL)
        write_json(r);                          /* it has what was said */
    if (tells)
        print_table(r);
}

/* ---- cluster ---- */

/* Was a bound on the number of clusters given? */
static int is_bounded(const settings *set)
{
    return set->k_max > 0 && (set->k_min > 1 || set->k_max != mtc_choose_defaults().max);
}

/* Rules between options that the table cannot tell. */
void settle_cluster(app *a, settings *set, size_t n_tasks)
{
    size_t jobs = set->pool ? 1 : n_tasks;
    if (set->k_min > set->k_max)
        fail(a, BAD_USAGE, "--k-min %zu is above --k-max %zu", set->k_min,
             set->k_max);
    if (set->k.n > 0 && is_bounded(set))
        fail(a, BAD_USAGE, "--k-min and --k-max are for --k auto");
    if (set->k.n > 1 && set->k.n != jobs)
        fail(a, BAD_USAGE, "--k has %zu numbers for %zu task%s", set->k.n,
             jobs, jobs == 1 ? "" : "s");
    if (set->share.n > 1 && set->share.n != jobs)
        fail(a, BAD_USAGE, "--neighbors has %zu numbers for %zu task%s",
             set->share.n, jobs, jobs == 1 ? "" : "s");
    if (set->init.n > 0 && set->init.n != n_tasks)
        fail(a, BAD_USAGE, "--init has %zu files for %zu tasks", set->init.n,
             n_tasks);
    if (set->init.n > 0)
        set->restarts = 1;          /* a start was given: one run */
    if (set->sigma > 0 && set->similarity != NULL &&
        !is(set->similarity, "gaussian"))
        fail(a, BAD_USAGE, "--sigma is for --similarity gaussian");
    if (set->sigma > 0)
        set->similarity = "gaussian";
}

/* k of the t-th data set: as given, or its number of classes; 0: unknown. */
size_t clusters_of(app *a, const settings *set, size_t t, const task *data)
{
    size_t k = 0;
    if (set->k.n > 0)
        k = set->k.at[set->k.n > 1 ? t : 0];
    else if (data->truth != NULL && set->k_word == NULL) {
        if (is_bounded(set))
            fail(a, BAD_USAGE, "%s has labels, which say how many clusters "
                 "there are: --k-min and --k-max need --k auto", data->name);
        k = count_distinct(a, data->n, data->truth);
    }
    if (k > data->n)
        fail(a, BAD_USAGE, "--k %zu: %s has only %zu sample%s", k, data->name,
             data->n, data->n == 1 ? "" : "s");
    return k;
}

/* The start of task t from its file: a label for each row, of which those
 * that are no samples do not count. */
static int *read_start(app *a, const settings *set, size_t t, const task *data,
                       size_t k)
{
    size_t n;
    int top = k > INT_MAX ? INT_MAX : (int)k - 1;
    int *labels = read_labels(a, set->init.at[t], data->place ? -1 : 0, top,
                              &n);
    if (n != data->rows)
        fail(a, BAD_DATA, "%s: %zu labels, but %s has %zu samples",
             set->init.at[t], n, data->file, data->rows);
    for (size_t i = 0; i < data->n; i++) {
        labels[i] = labels[sample_row(data, i)];
        if (labels[i] < 0)
            fail(a, BAD_DATA, "%s:%zu: -1 is out of range: the row is a "
                 "sample", set->init.at[t], sample_row(data, i) + 1);
    }
    return labels;
}

/* The data sets as the method sees them: each task, or all as one. */
job cluster_job(app *a, mtc_context *ctx, settings *set, const tasks *all,
                const task *pool)
{
    job j = new_job(a, ctx, set, set->pool ? 1 : all->n, all->d);
    const task **at = TAKE(a, j.n, const task *);
    task whole;
    size_t unknown = 0;
    for (size_t t = 0; t < j.n; t++) {
        const task *data = at[t] = set->pool ? pool : &all->at[t];
        j.name[t] = data->name;
        j.data[t] = view_of(data);
        j.k[t] = clusters_of(a, set, t, data);
        j.by_classes += set->k.n == 0 && j.k[t] > 0;
        unknown += j.k[t] == 0;
    }
    if (set->pool && unknown > 0) {
        whole = *pool;
        whole.table = all->at[0].table;
        whole.header = all->at[0].header;
        whole.feature = all->at[0].feature;
        whole.fill = all->at[0].fill;
        for (size_t t = 0; t < all->n; t++)
            whole.holes += all->at[t].holes;
        whole.parts = all;
        if (whole.row == NULL)
            whole.raw = stacked_as_read(a, all, &whole);
        at[0] = &whole;
    }
    if (unknown > 0)
        choose_for(&j, at, set->one_k);
    for (size_t t = 0, r = 0; t < all->n && set->init.n > 0; t++) {
        size_t to = set->pool ? 0 : t;
        int *start = read_start(a, set, t, &all->at[t], j.k[to]);
        if (j.start[to] == NULL)
            j.start[to] = TAKE(a, j.data[to].n, int);
        memcpy(j.start[to] + r, start, all->at[t].n * sizeof *start);
        r += set->pool ? all->at[t].n : 0;
    }
    set->k.n = j.n;                             /* as used */
    set->k.at = j.k;
    return j;
}

/* Each task in features of its own, without those of the other files. */
void see_apart(job *j, const tasks *all)
{
    j->separate = 1;
    for (size_t t = 0; t < j->n; t++)
        j->data[t] = own_view(&all->at[t]);
}

/* A line of the table, but for its scores. */
static entry entry_of(const job *j, const task *t, size_t k, const int *labels)
{
    return (entry){.name = t->name, .n = t->n, .k = k, .labels = labels,
                   .d = j->separate ? t->own : j->d, .truth = t->truth};
}

/* One line for each task; pooled labels are cut apart again. */
static void cluster_entries(report *r, job *j)
{
    tasks *all = r->tasks;
    r->entry = TAKE(j->a, all->n, entry);
    for (size_t i = 0, begin = 0; i < all->n; i++) {
        const task *t = &all->at[i];
        const outcome *o = &j->out[j->set->pool ? 0 : i];
        entry *e = &r->entry[i];
        *e = entry_of(j, t, j->k[j->set->pool ? 0 : i], o->labels + begin);
        e->k_effective = j->set->pool
                             ? count_distinct(j->a, t->n, e->labels)
                             : o->k_effective;
        score_entry(j, e, 0);
        begin += j->set->pool ? t->n : 0;
    }
}

/* Tasks for a command that looks at all of them together. */
tasks load_together(app *a, settings *set, const words *files)
{
    settle_cluster(a, set, files->n);
    tasks all = load_tasks(a, files, set, 0);
    weigh_texts(a, set, &all, 0);
    if (is(set->preprocess, "auto"))
        hint_at_preprocessing(a, &all);
    prepare(a, set, &all);
    return all;
}

/* The first argument, unless it is an option. */
const char *method_name(int argc, char **argv)
{
    return argc > 0 && !looks_like_option(argv[0]) ? argv[0] : NULL;
}

/* Reads, clusters and scores; the arguments are those behind the method. */
static void solve_cluster(app *a, const method *m, int argc, char **argv,
                          solution *w)
{
    settings *set = &w->set;
    words files = parse_args(a, m->name, m->options, argc, argv, set);
    need_operands(a, &files, 1, SIZE_MAX, "at least one TASK file");
    settle_cluster(a, set, files.n);
    settle_save(a, set, m, files.n);
    set->by_labels = set->k.n == 0 && set->k_word == NULL;
    int separate = m->flags & SEPARATE && !set->pool;
    w->all = load_tasks(a, &files, set, separate);
    doubt_labels(a, set, &w->all);
    weigh_texts(a, set, &w->all, wants_counts(m, set));
    if (is(set->preprocess, "auto") && m->run != run_auto && !separate)
        hint_at_preprocessing(a, &w->all);
    (separate ? prepare_each : prepare)(a, set, &w->all);
    if (set->pool)
        w->pool = stack_tasks(a, &w->all);
    w->ctx = context_of(a, set->seed);
    set->one_k = (m->flags & ONE_K) != 0;
    w->j = cluster_job(a, &w->ctx, set, &w->all, &w->pool);
    if (separate)
        see_apart(&w->j, &w->all);
    w->r.tasks = &w->all;
    run_job(m, &w->j, &w->r.seconds);
    find_groups(m, &w->j, &w->all);
    cluster_entries(&w->r, &w->j);
}

/* ---- transfer ---- */

/* The place of `label` among the classes, or -1. */
static int class_index(const int *classes, size_t n, int label)
{
    for (size_t c = 0; c < n; c++)
        if (classes[c] == label)
            return (int)c;
    return -1;
}

/* A label as people see it: 'yes', or 7. */
static const char *shown_class(app *a, int label, int named)
{
    return named ? formed(a, "'%s'", visible(a, a->classes.word[label]))
                 : formed(a, "%d", label);
}

/* The first source of which no other has a class, as No beside no. */
static void tell_apart(app *a, const tasks *sources)
{
    for (size_t i = 0; i < sources->n && sources->n > 1; i++) {
        const task *t = &sources->at[i], *other = &sources->at[i == 0];
        size_t n, shared = 0;
        int *own = distinct(a, t->n, t->truth, &n);
        for (size_t s = 0; s < sources->n; s++)
            for (size_t c = 0; c < n && s != i; c++)
                shared += class_index(sources->at[s].truth, sources->at[s].n,
                                      own[c]) >= 0;
        pool_release(own);
        if (shared > 0)
            continue;
        inform(a, "no-shared-class", NULL, "%s: shares no class with another "
               "source: it has %s, %s has %s", t->file,
               shown_class(a, t->truth[0], t->named), other->file,
               shown_class(a, other->truth[0], other->named));
        return;
    }
}

/* Labels that no source has, such as TRUE beside True, are never right. */
static void tell_strangers(app *a, const task *target, const report *r)
{
    size_t n = 0;
    int first = 0;
    for (size_t p = target->n; p-- > 0;) {
        int label = target->truth[p];
        if (class_index(r->classes, r->n_classes, label) < 0) {
            first = label;
            n++;
        }
    }
    if (n == 0)
        return;
    inform(a, "unknown-class", NULL, "%s: %zu of %zu labels, such as %s, %s "
           "not among the classes and count%s as wrong", target->file, n,
           target->n, shown_class(a, first, target->named),
           n == 1 ? "is" : "are", n == 1 ? "s" : "");
}

/* The sources' classes, ascending, become 0, 1, ... (or those in r, if there
 * are any); the target's truth goes through the same map, in which labels that
 * are no class have numbers beyond them, so that no prediction can equal them.
 * `pool` is the sources stacked. */
void map_classes(app *a, tasks *sources, task *pool, task *target, report *r)
{
    size_t n_strangers = 0;
    if (r->classes == NULL)
        r->classes = distinct(a, pool->n, pool->truth, &r->n_classes);
    for (size_t i = 0, q = 0; i < sources->n && pool->truth != NULL; i++)
        for (size_t p = 0; p < sources->at[i].n; p++, q++) {
            int label = pool->truth[q];
            label = class_index(r->classes, r->n_classes, label);
            sources->at[i].truth[p] = pool->truth[q] = label;
        }
    if (target->truth == NULL)
        return;
    int *strangers = distinct(a, target->n, target->truth, &n_strangers);
    r->strangers = strangers;
    if (n_strangers == 1 && target->n >= LABELED_ROWS)
        inform(a, "one-label", NULL, "%s: all its labels are %s; if that stands "
               "for none, the accuracy says nothing", target->file,
               shown_class(a, target->truth[0], target->named));
    if (r->method == NULL || !(r->method->flags & SEPARATE))
        tell_strangers(a, target, r);
    for (size_t p = 0; p < target->n; p++) {
        int c = class_index(r->classes, r->n_classes, target->truth[p]);
        target->truth[p] = c >= 0 ? c : (int)r->n_classes +
            class_index(strangers, n_strangers, target->truth[p]);
    }
}

/* The target is the job's one task. */
static job transfer_job(app *a, mtc_context *ctx, settings *set,
                        const tasks *sources, const task *pool,
                        const task *target, size_t classes)
{
    job j = new_job(a, ctx, set, 1, sources->d);
    j.name[0] = target->name;
    j.data[0] = view_of(target);
    j.k[0] = classes;
    j.n_sources = sources->n;
    j.source = TAKE(a, sources->n, mtc_data);
    const int **labels = TAKE(a, sources->n, const int *);
    for (size_t i = 0; i < sources->n; i++) {
        j.source[i] = view_of(&sources->at[i]);
        labels[i] = sources->at[i].truth;
    }
    j.source_labels = (const int *const *)labels;
    j.all_sources = view_of(pool);
    j.all_labels = pool->truth;
    if (set->init.n > 1)
        fail(a, BAD_USAGE, "--init takes one file: the target's start");
    if (set->init.n == 1)
        j.start[0] = read_start(a, set, 0, target, classes);
    return j;
}

/* One line: the target's. */
static void transfer_entry(report *r, job *j, const task *target)
{
    entry *e = r->entry = TAKE(j->a, 1, entry);
    *e = entry_of(j, target, j->k[0], j->out[0].labels);
    e->score = j->out[0].score;
    e->far = is_voted(j) ? j->voting->far : NULL;
    e->k_effective = count_distinct(j->a, e->n, e->labels);
    score_entry(j, e, !j->separate);    /* there they are clusters */
}

/* Files in one feature space, preprocessed together, or the last of them by
 * itself.  With `scales`, columns of tables are brought to one scale. */
tasks load_space(app *a, settings *set, const words *files, int last_apart,
                 int counted, int scales)
{
    tasks all = load_tasks(a, files, set, last_apart);
    weigh_texts(a, set, &all, counted);
    tasks first = {all.n - 1, all.d, all.kept, all.at, NULL};
    tasks last = {1, all.d, all.kept, &all.at[all.n - 1], NULL};
    if (!counted && hint_at_scales(a, set, last_apart ? &first : &all, scales))
        set->preprocess = "zscore";
    if (!counted && last_apart)
        (void)hint_at_scales(a, set, &last, 0);
    preprocess(a, last_apart ? &first : &all, set->preprocess);
    if (last_apart)
        preprocess(a, &last, set->preprocess);
    return all;
}

/* A target that is a source, too, is no test of what was learned. */
static void doubt_target(app *a, const settings *set)
{
    for (size_t i = 0; i < set->source.n; i++)
        if (is(set->source.at[i], set->target) ||
            same_file(set->source.at[i], set->target)) {
            warn(a, "source-is-target", NULL, "%s is source and target: its "
                 "labels teach, and the accuracy is that of the training data",
                 set->target);
            return;
        }
}

/* Sources and the first views of bridges, and the target with the second
 * views: one list if all have the same features, the target last. */
static tasks load_transfer(app *a, settings *set, const method *m,
                           tasks *second)
{
    int counted = wants_counts(m, set);
    words files = {0, 0, NULL}, others = {0, 0, NULL};
    if (set->source.n == 0)
        fail(a, BAD_USAGE, "--source FILE... is missing");
    if (set->target == NULL)
        fail(a, BAD_USAGE, "--target FILE is missing");
    for (size_t i = 0; i < set->source.n; i++)
        add_name(a, &files, set->source.at[i]);
    for (size_t i = 0; i < set->bridge.n; i++)
        add_name(a, &files, set->bridge.at[i]);
    if (set->view1 != NULL) {
        add_name(a, &files, set->view1);
        add_name(a, &others, set->view2);
    }
    add_name(a, set->view1 != NULL ? &others : &files, set->target);
    int apart = (m->flags & SEPARATE) != 0;
    tasks all = load_space(a, set, &files, apart, counted,
                           (m->flags & SCALES) != 0);
    *second = set->view1 != NULL ? load_space(a, set, &others, 0, counted, 0)
                                 : all;
    tasks alone = {1, second->d, second->kept, &second->at[second->n - 1],
                   NULL};
    name_task(a, &alone, 0);        /* a source of its name does not matter */
    if (!(m->flags & KNOWN))                    /* no source teaches it */
        doubt_target(a, set);
    return all;
}

/* A method that goes by way of bridges has them, in one form; one that knows
 * classes only by --known has that. */
static void settle_bridges(app *a, const settings *set, const method *m)
{
    int one = (m->flags & ONE_BRIDGE) != 0;
    if (!(m->flags & VIEWS))
        return;
    if ((set->view1 == NULL) != (set->view2 == NULL))
        fail(a, BAD_USAGE, "--view1 and --view2 go together");
    if (set->view1 != NULL && is(set->missing, "drop"))
        fail(a, BAD_USAGE, "--missing drop would part the pairs of --view1 and "
             "--view2; use mean");
    if ((set->bridge.n > 0) == (set->view1 != NULL))
        fail(a, BAD_USAGE, "%s needs %s--view1 FILE --view2 FILE", m->name,
             m->flags & BRIDGES ? "--bridge FILE..., or "
             : one              ? "--bridge FILE, or " : "");
    if (one && set->bridge.n > 1)
        fail(a, BAD_USAGE, "--bridge has %zu files; %s takes one",
             set->bridge.n, m->name);
    if (m->flags & KNOWN && set->known == NULL)
        fail(a, BAD_USAGE, "%s needs --known FILE: it learns from labels "
             "of the target, not of the source", m->name);
}

static const char *sample_name(const task *t, size_t i)
{
    return t->id.text + t->id.at[sample_row(t, i)];
}

/* Views are paired by rows.  Where both name their samples, other names at some
 * row may be a mistake, or names of the views. */
static void compare_views(app *a, const task *x, const task *y)
{
    size_t at = 0;
    if (x->id.name == NULL || y->id.name == NULL)
        return;
    while (at < x->n && strcmp(sample_name(x, at), sample_name(y, at)) == 0)
        at++;
    if (at == x->n)
        return;
    warn(a, "views-differ", NULL, "%s, %s: rows of the views are taken for the "
         "same samples, but sample %zu is '%s' in one and '%s' in the other",
         x->file, y->file, at + 1, sample_name(x, at), sample_name(y, at));
}

/* The bridges stand behind the sources; a second view is first in `second`. */
static void take_bridges(job *j, const tasks *all, const tasks *second)
{
    const settings *set = j->set;
    j->n_bridges = set->bridge.n + (set->view1 != NULL);
    j->bridge = TAKE(j->a, j->n_bridges + 1, mtc_data);
    for (size_t b = 0; b < j->n_bridges; b++)
        j->bridge[b] = view_of(&all->at[set->source.n + b]);
    if (set->view1 == NULL)
        return;
    j->view = TAKE(j->a, 1, mtc_data);
    j->view[0] = view_of(&second->at[0]);
    if (j->view[0].n != j->bridge[0].n)
        fail(j->a, BAD_DATA, "%s has %zu samples, %s %zu: views are of the "
             "same samples", set->view1, j->bridge[0].n, set->view2,
             j->view[0].n);
    compare_views(j->a, &all->at[set->source.n], &second->at[0]);
}

/* Are the labels of the sources words?  In all of them, or in none. */
static int labels_are_words(app *a, const tasks *sources)
{
    int named = sources->at[0].named;
    for (size_t i = 0; i < sources->n; i++)
        if (sources->at[i].truth == NULL)
            fail(a, BAD_DATA, sources->at[i].bag != NULL
                 ? "%s: a source needs labels; texts have them from the folders "
                   "that they lie in"
                 : "%s: a source needs labels; --labels says which column has "
                   "them", sources->at[i].file);
    for (size_t i = 1; i < sources->n; i++)
        if (sources->at[i].named != named)
            fail(a, BAD_DATA, "%s: labels are words, but in %s they are "
                 "numbers", sources->at[named ? 0 : i].file,
                 sources->at[named ? i : 0].file);
    return named;
}

/* The classes with --known: its own, and those that the sources teach. */
static void add_known_classes(app *a, const known_rows *k, const task *pool,
                              report *r)
{
    size_t n = pool->truth != NULL ? pool->n : 0;
    int *labels = TAKE(a, n + k->n, int);
    memcpy(labels, k->label, k->n * sizeof *labels);
    if (n > 0)
        memcpy(labels + k->n, pool->truth, n * sizeof *labels);
    r->classes = distinct(a, n + k->n, labels, &r->n_classes);
    r->named = k->named;
}

/* Of --known, classes that no source has. */
static void tell_unknown(app *a, const char *file, const known_rows *k,
                         const task *pool)
{
    for (size_t i = 0; i < k->n && pool->truth != NULL; i++)
        if (class_index(pool->truth, pool->n, k->label[i]) < 0)
            warn(a, "unknown-label", NULL, "%s:%zu: no source has the label "
                 "%s", file, k->line[i], k->word.at[i]);
}

/* The classes, by the sources' labels and --known, and labels mapped to them.
 * Returns those of --known, -1 for all other samples of the target, or NULL. */
static const int *settle_classes(app *a, const settings *set, tasks *sources,
                                 task *pool, task *target, report *r)
{
    known_rows k = {0, NULL, NULL, {0, 0, NULL}, NULL, 0};
    int taught = !(r->method->flags & KNOWN);
    if (taught) {
        r->named = labels_are_words(a, sources);
        tell_apart(a, sources);
    } else
        pool->truth = NULL;                     /* labels teach nothing */
    if (set->known != NULL)
        k = read_known(a, set->known, target->rows,
                       taught ? r->named
                       : target->truth != NULL ? target->named : -1);
    if (k.n > 0) {
        tell_unknown(a, set->known, &k, pool);
        add_known_classes(a, &k, pool, r);
    }
    map_classes(a, sources, pool, target, r);
    int *known = k.n > 0 ? TAKE(a, target->n, int) : NULL;
    for (size_t i = 0; i < target->n && known != NULL; i++)
        known[i] = -1;
    for (size_t i = 0; i < k.n; i++) {
        size_t row = sample_of(target, k.row[i]);
        if (row == MTC_NONE)
            fail(a, BAD_DATA, "%s:%zu: row %zu has missing values and is no "
                 "sample", set->known, k.line[i], k.row[i]);
        known[row] = class_index(r->classes, r->n_classes, k.label[i]);
    }
    return known;
}

/* The same of a transfer. */
static void solve_transfer(app *a, const method *m, int argc, char **argv,
                           solution *w)
{
    settings *set = &w->set;
    words rest = parse_args(a, m->name, m->options, argc, argv, set);
    need_operands(a, &rest, 0, 0, "its files behind --source and --target");
    int separate = (m->flags & SEPARATE) != 0;
    settle_bridges(a, set, m);
    settle_save(a, set, m, 1);
    if (separate && set->k.n > 1)
        fail(a, BAD_USAGE, "--k has %zu numbers for one target", set->k.n);
    /* The target's classes are its own. */
    a->apart = separate || m->flags & KNOWN;
    w->all = load_transfer(a, set, m, &w->second);
    task *target = &w->second.at[w->second.n - 1];
    tasks sources = {set->source.n, w->all.d, w->all.kept, w->all.at,
                     w->all.names};
    tasks one = {1, w->second.d, w->second.kept, target, w->second.names};
    w->sources = sources;
    w->shown = one;
    w->pool = stack_tasks(a, &sources);
    size_t k = separate ? clusters_of(a, set, 0, target) : 0;
    const int *known = settle_classes(a, set, &w->sources, &w->pool, target,
                                      &w->r);
    if (!separate && set->k.n > 0 &&
        (set->k.n > 1 || set->k.at[0] != w->r.n_classes))
        fail(a, BAD_USAGE, "--k: the source%s %zu classes",
             sources.n == 1 ? " has" : "s have", w->r.n_classes);
    w->ctx = context_of(a, set->seed);
    w->j = transfer_job(a, &w->ctx, set, &w->sources, &w->pool, target,
                        k > 0 ? k : w->r.n_classes);
    w->j.separate = separate;
    w->j.known = known;
    w->j.d = w->second.d;
    take_bridges(&w->j, &w->all, &w->second);
    if (separate) {
        w->j.data[0] = own_view(target);
        w->j.all_sources = own_view(&w->pool);
    }
    set->k.n = 1;                               /* as used */
    set->k.at = w->j.k;
    w->r.tasks = &w->shown;
    w->r.sources = &w->sources;
    if (set->align != NULL && m->run != run_aligned)
        align_job(&w->r);
    run_job(m, &w->j, &w->r.seconds);
    transfer_entry(&w->r, &w->j, target);
    if (w->j.voting != NULL)
        settle_aligned(&w->r);
    else if (m->flags & SCALES && w->pool.row == NULL && target->row == NULL)
        tell_other_units(&w->r, &w->pool);
}

/* Without a name it is auto. */
static void run_method(app *a, const char *kind, int named, int argc,
                       char **argv)
{
    const method *m = find_method(a, kind, named ? method_name(argc, argv)
                                                 : "auto");
    solution *w = TAKE(a, 1, solution);
    w->r.method = m;
    w->r.job = &w->j;
    (is(m->kind, "cluster") ? solve_cluster
                            : solve_transfer)(a, m, argc - named, argv + named,
                                              w);
    deliver(&w->r);
}

/* Is the word, which is no method, a file, or named as one?  Then the method is
 * auto. */
int is_data_file(const char *name)
{
    FILE *f = NULL;
    for (size_t i = 0; i < n_methods; i++)
        if (is(name, methods[i].name))
            return 0;
    if (is(name, "-") || strpbrk(name, "./") != NULL || is_folder(name) ||
        (f = fopen(name, "rb")) != NULL) {
        if (f != NULL)
            fclose(f);
        return 1;
    }
    return 0;
}

/* mtc cluster [METHOD] [options] TASK... */
void run_cluster(app *a, int argc, char **argv)
{
    const char *name = method_name(argc, argv);
    int named = argc == 0 || (name != NULL && !is_data_file(name));
    run_method(a, "cluster", named, argc, argv);
}

/* mtc transfer [METHOD] [options] --source FILE... --target FILE */
void run_transfer(app *a, int argc, char **argv)
{
    int named = argc == 0 || method_name(argc, argv) != NULL;
    run_method(a, "transfer", named, argc, argv);
}

/* ---- emd ---- */

typedef struct transport {
    size_t m, n;
    const mtc_real *cost;                       /* [m*n] */
    mtc_real *supply, *demand;                  /* [m], [n] */
    mtc_real *plan, *row_dual, *column_dual;    /* [m*n], [m], [n] */
    mtc_emd_info info;
} transport;

/* A marginal of `n` numbers from its file, or 1/n each. */
static mtc_real *marginal(app *a, const char *path, size_t n,
                          const char *what)
{
    mtc_real *x = TAKE(a, n, mtc_real);
    size_t found = n;
    double *read = path != NULL
        ? read_column(a, path, 0, APP_REAL_MAX, 0, &found) : NULL;
    if (found != n)
        fail(a, BAD_DATA, "%s: %zu numbers for %zu %s of the costs", path,
             found, n, what);
    for (size_t i = 0; i < n; i++)
        x[i] = (mtc_real)(read != NULL ? read[i] : 1 / (double)n);
    return x;
}

static void json_transport(app *a, const transport *p, const char *path)
{
    text t = {NULL, 0, 0};
    json_begin(a, &t);
    put(a, &t, "\"cost\": %s,\n  \"plan\": ",
        json_real(a, (double)p->info.cost));
    put_matrix(a, &t, p->m, p->n, p->plan);
    put(a, &t, ",\n  \"row_dual\": ");
    put_reals(a, &t, p->m, p->row_dual);
    put(a, &t, ",\n  \"column_dual\": ");
    put_reals(a, &t, p->n, p->column_dual);
    put(a, &t, ",\n  \"gap\": %s,\n  \"pivots\": %zu\n}\n",
        json_real(a, (double)p->info.gap), p->info.pivots);
    save(a, path, &t);
}

/* The cost, its certificate, and what goes where (0-based). */
static void print_transport(app *a, const transport *p)
{
    text t = {NULL, 0, 0};
    put(a, &t, "cost   %.10g\ngap    %.3g\npivots %zu\n\n",
        (double)p->info.cost, (double)p->info.gap, p->info.pivots);
    put(a, &t, "%6s %6s %14s %14s\n", "row", "column", "amount", "cost");
    for (size_t q = 0; q < p->m * p->n; q++)
        if (p->plan[q] > 0)
            put(a, &t, "%6zu %6zu %14.8g %14.8g\n", q / p->n, q % p->n,
                (double)p->plan[q], (double)p->cost[q]);
    save(a, "-", &t);
}

/* mtc emd [options] COST.csv */
void run_emd(app *a, int argc, char **argv)
{
    settings set;
    words files = parse_args(a, "emd", EMD_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 1, 1, "one file of costs");
    task costs = read_matrix(a, files.at[0]);
    if (costs.n == 0)
        fail(a, BAD_DATA, "%s: no costs", costs.file);
    transport p = {.m = costs.n, .n = costs.d, .cost = costs.values};
    p.supply = marginal(a, set.supply, p.m, "rows");
    p.demand = marginal(a, set.demand, p.n, "columns");
    mtc_context ctx = context_of(a, 1);
    p.plan = TAKE(a, p.m * p.n, mtc_real);
    p.row_dual = TAKE(a, p.m, mtc_real);
    p.column_dual = TAKE(a, p.n, mtc_real);
    check(a, &ctx, mtc_emd(&ctx, p.m, p.n, p.cost, p.n, p.supply, p.demand,
                           NULL, p.plan, p.row_dual, p.column_dual, &p.info),
          costs.file);
    wipe_progress(a);
    if (set.json != NULL)
        json_transport(a, &p, set.json);
    if (!set.quiet && !is(set.json, "-"))
        print_transport(a, &p);
}

/* ---- score ---- */

/* True labels from a data file by its ending, else one a line; named 1: they
 * stand for words. */
static int *read_truth(app *a, const char *path, const settings *set,
                       size_t *n, int *named)
{
    *named = 0;
    if (!is_table(path) && !is_libsvm(path) && !is_jsonl(path) &&
        !is_folder(path))
        return read_labels(a, path, INT_MIN, INT_MAX, n);
    reading run = new_reading(a, set);
    run.labels_only = 1;
    task t = read_task(a, path, &run);
    if (t.table && run.first.width == 1 &&
        run.first.column[0].role != AS_LABEL)
        return read_labels(a, path, INT_MIN, INT_MAX, n);
    tasks one = {1, 0, 0, &t, NULL};
    end_reading(a, &run, &one);
    if (t.truth == NULL && is_folder(path))
        fail(a, BAD_DATA, "%s: no labels; its texts do not lie in a "
             "subdirectory for each class", path);
    if (t.truth == NULL)
        fail(a, BAD_DATA, "%s: no labels; --labels names their column", path);
    *n = t.n;
    *named = t.named;
    return t.truth;
}

/* Is every label of x [n] one of y [n], too?  Then they may mean the same. */
static int are_among(app *a, size_t n, const int *x, const int *y)
{
    size_t m, k, found = 0;
    int *own = distinct(a, n, x, &m), *other = distinct(a, n, y, &k);
    for (size_t i = 0; i < m; i++)
        found += class_index(other, k, own[i]) >= 0;
    pool_release(own);
    pool_release(other);
    return found == m;
}

static void json_scores(app *a, const mtc_scores *s, int same, const char *path)
{
    text t = {NULL, 0, 0};
    json_begin(a, &t);
    put(a, &t, "\"acc\": %.17g, \"nmi\": %.17g, \"ari\": %.17g, "
        "\"purity\": %.17g, \"direct\": %s\n}\n", (double)s->accuracy,
        (double)s->nmi, (double)s->ari, (double)s->purity,
        json_real(a, same ? (double)s->direct : HUGE_VAL));
    save(a, path, &t);
}

static void print_scores(app *a, size_t n, const mtc_scores *s, int same)
{
    text t = {NULL, 0, 0};
    put(a, &t, "%8s %8s %8s %8s %8s %8s\n%8zu %8.4f %8.4f %8.4f %8.4f %8s\n",
        "n", "acc", "nmi", "ari", "purity", "direct", n, (double)s->accuracy,
        (double)s->nmi, (double)s->ari, (double)s->purity,
        same ? formed(a, "%.4f", (double)s->direct) : "-");
    save(a, "-", &t);
}

/* Rows that are no samples have the label -1, as --missing drop writes it;
 * but where the truth has it, too, it is a class.  Returns how many rows are
 * left. */
static size_t leave_out_unlabeled(app *a, const char *path, size_t n,
                                  int *predicted, int *truth)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++)
        if (truth[i] == -1)
            return n;
    for (size_t i = 0; i < n; i++)
        if (predicted[i] != -1) {
            predicted[left] = predicted[i];
            truth[left++] = truth[i];
        }
    if (left == 0)
        fail(a, BAD_DATA, "%s: all labels are -1, which means none", path);
    if (left < n)
        inform(a, "unlabeled", NULL,
               "%s: %zu of %zu rows %s no label (-1) and %s left out",
               path, n - left, n, n - left == 1 ? "has" : "have",
               n - left == 1 ? "is" : "are");
    return left;
}

/* mtc score [options] PREDICTED TRUTH */
void run_score(app *a, int argc, char **argv)
{
    settings set;
    size_t n, m;
    int named;
    mtc_scores s;
    words files = parse_args(a, "score", SCORE_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 2, 2, "two files, PREDICTED and TRUTH");
    int *predicted = read_labels(a, files.at[0], INT_MIN, INT_MAX, &n);
    int *truth = read_truth(a, files.at[1], &set, &m, &named);
    if (n != m)
        fail(a, BAD_DATA, "%s has %zu labels, %s has %zu", files.at[0], n,
             files.at[1], m);
    n = leave_out_unlabeled(a, files.at[0], n, predicted, truth);
    mtc_context ctx = context_of(a, 1);
    check(a, &ctx, mtc_score(&ctx, n, truth, predicted, &s), files.at[0]);
    int same = !named && are_among(a, n, predicted, truth);
    if (set.json != NULL)
        json_scores(a, &s, same, set.json);
    if (!set.quiet && !is(set.json, "-"))
        print_scores(a, n, &s, same);
}
