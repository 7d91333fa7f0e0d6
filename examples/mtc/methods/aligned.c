/* SPDX-License-Identifier: MIT
 *
 * aligned.c - a transfer without a method: a vote on aligned columns
 *
 * mtc_align says how the target's columns are brought to the source's, and
 * whether the rows as they are vote, too.  Three methods vote on each.
 */
#include "../show/summary.h"

#include <math.h>
#include <string.h>

static const char *const maps[] = {"as-is", "units", "own", "shares"};

/* ---- the vote ---- */

/* Source or target in the frame of both, under a map; the source is under
 * that which leaves rows as they are. */
static mtc_data in_frame(app *a, const mtc_data *X, const mtc_align_result *r,
                         mtc_align_map map)
{
    size_t d = X->d;
    const mtc_real *scale = r->scale + (size_t)map * d;
    const mtc_real *shift = r->shift + (size_t)map * d;
    if (r->sparse) {
        mtc_data unit = *X;
        mtc_real *x = COPY(a, X->values, row_begin(X, X->n), mtc_real);
        unit_rows(X, 0, x);
        unit.values = x;
        return unit;
    }
    mtc_real *x = TAKE(a, X->n * d, mtc_real);
    for (size_t i = 0; i < X->n; i++) {
        mtc_data_axpy(X, i, 1, x + i * d);
        for (size_t f = 0; f < d; f++)
            x[i * d + f] = (x[i * d + f] - r->mean[f]) / r->deviation[f] *
                           scale[f] + shift[f];
    }
    return mtc_dense(X->n, d, x);
}

/* The root of the mean variance of the columns; 1 if all rows are equal. */
static double common_deviation(app *a, const mtc_data *X)
{
    double *sum = TAKE(a, X->d, double), all = 0, n = (double)X->n;
    for (size_t p = 0; p < row_begin(X, X->n); p++) {
        double x = (double)X->values[p];
        sum[column_of(X, p)] += x;
        all += x * x / n;
    }
    for (size_t f = 0; f < X->d; f++)
        all -= sum[f] / n * (sum[f] / n);
    pool_release(sum);
    return all > 0 ? sqrt(all / (double)X->d) : 1;
}

/* Divides all values, which are of a copy, by a factor. */
static void divide(const mtc_data *copy, double by)
{
    mtc_real *x = (mtc_real *)copy->values;
    for (size_t p = 0; p < row_begin(copy, copy->n); p++)
        x[p] = (mtc_real)((double)x[p] / by);
}

/* Are rows shown and saved in the frame?  Only if nothing else scaled them. */
static int is_framed(const job *j)
{
    return !j->voting->found.sparse && is(j->set->preprocess, "none");
}

/* A method labels B from A with its own defaults; rbf is svm by that kernel.
 * What it would say is not of the answer. */
static outcome ask(const job *j, const char *name, mtc_data *A, mtc_data *B,
                   struct model *model)
{
    static const text nothing = {NULL, 0, 0};
    app *a = j->a;
    int rbf = is(name, "rbf"), deaf = a->deaf;
    const method *m = find_method(a, "transfer", rbf ? "svm" : name);
    settings set;
    set_defaults(a, m->options, &set);
    set.source = j->set->source;
    set.target = j->set->target;
    set.kernel = rbf ? "rbf" : set.kernel;
    job own = *j;
    own.set = &set;
    own.data = B;
    own.out = TAKE(a, 1, outcome);
    own.n_sources = 1;
    own.source = A;
    own.source_labels = &own.all_labels;
    own.all_sources = *A;
    own.model = rbf ? model : NULL;
    own.members = own.sure = own.notes = nothing;
    a->deaf = 1;
    m->run(&own, 0);
    a->deaf = deaf;
    return own.out[0];
}

/* Three voters on the target under a map; labels [voters] of each. */
static void ask_three(job *j, size_t t, mtc_align_map map, int **labels)
{
    static const char *const near[] = {"rbf", "llgc", "svm"};
    static const char *const groups[] = {"lssttc", "cdsc", "cocc"};
    voting *v = j->voting;
    const mtc_align_result *r = &v->found;
    int strange = r->sparse && !(r->of[0].strange < (mtc_real).03);
    size_t all = r->together ? 6 : 3;
    mtc_data A = in_frame(j->a, &j->all_sources, r, MTC_ALIGN_AS_IS);
    mtc_data B = in_frame(j->a, &j->data[t], r, map);
    if (r->sparse && !strange) {
        double by = common_deviation(j->a, &A);
        divide(&A, by);
        divide(&B, by);
    }
    for (size_t m = 0; m < 3; m++) {
        size_t at = v->voters++;
        v->name[at] = strange ? groups[m] : near[m];
        v->map[at] = map;
        progress_part(j->a, at, all);
        outcome o = ask(j, v->name[at], &A, &B,
                        map == r->kept && is_framed(j) ? j->model : NULL);
        labels[at] = o.labels;
        if (j->out[t].iterations < o.iterations)
            j->out[t].iterations = o.iterations;
        j->out[t].converged &= o.converged;
    }
}

/* Each row gets the label with most votes, of several that of the earliest
 * voter; its score is the share of votes. */
static void count_votes(job *j, size_t t, int *const *labels)
{
    voting *v = j->voting;
    outcome *o = &j->out[t];
    for (size_t i = 0; i < j->data[t].n; i++) {
        size_t most = 0, best = 0;
        for (size_t u = 0; u < v->voters; u++) {
            size_t votes = 0;
            for (size_t w = 0; w < v->voters; w++)
                votes += labels[w][i] == labels[u][i];
            if (votes > most) {
                most = votes;
                best = u;
            }
        }
        o->labels[i] = labels[best][i];
        o->score[i] = (mtc_real)most / (mtc_real)v->voters;
        v->agreed += most == v->voters;
    }
    for (size_t u = 0; u < v->voters; u++)
        for (size_t i = 0; i < j->data[t].n; i++)
            v->same[u] += labels[u][i] == o->labels[i];
}

/* Looks how the target is to be brought to the sources, and who is far. */
static voting *look_at(job *j, size_t t)
{
    voting *v = j->voting = TAKE(j->a, 1, voting);
    mtc_align_options opt = mtc_align_defaults();
    opt.map = word_place("align", j->set->align) - 1;
    check(j->a, j->ctx,
          mtc_align(j->ctx, &j->all_sources, j->all_labels, j->k[t],
                    &j->data[t], &opt, &v->found), j->set->target);
    v->far = TAKE(j->a, j->data[t].n, int);
    for (size_t i = 0; i < j->data[t].n; i++) {
        v->far[i] = v->found.distance[i] > 1;
        v->n_far += (size_t)v->far[i];
    }
    return v;
}

/* The label of a source with one class needs no vote. */
void run_aligned(job *j, size_t t)
{
    size_t n = j->data[t].n;
    int *labels[MOST_VOTERS], *answer = TAKE(j->a, n, int);
    voting *v = look_at(j, t);
    v->votes = 1;
    keep_result(j, t, answer, NULL, 0, 1, 0);
    j->out[t].score = TAKE(j->a, n, mtc_real);
    for (size_t i = 0; i < n; i++)
        j->out[t].score[i] = 1;
    if (j->k[t] < 2)
        return;
    if (v->found.together)
        ask_three(j, t, MTC_ALIGN_AS_IS, labels);
    ask_three(j, t, v->found.kept, labels);
    count_votes(j, t, labels);
}

/* The target in the frame, under the map that was kept, as one scaling. */
static void show_in_frame(const report *r)
{
    job *j = r->job;
    const mtc_align_result *x = &j->voting->found;
    task *target = &r->tasks->at[0];
    scaling *s = TAKE(j->a, 1, scaling);
    size_t d = x->d, kept = (size_t)x->kept * d;
    s->how = "zscore";
    s->mean = TAKE(j->a, d, double);
    s->deviation = TAKE(j->a, d, double);
    for (size_t f = 0; f < d; f++) {
        s->deviation[f] = (double)(x->deviation[f] / x->scale[kept + f]);
        s->mean[f] = (double)x->mean[f] -
                     (double)x->shift[kept + f] * s->deviation[f];
    }
    target->raw = view_of(target);
    target->raw.values = COPY(j->a, target->raw.values,
                              row_begin(&target->raw, target->n), mtc_real);
    scale_task(j->a, target, s);
    j->data[0] = view_of(target);
    if (j->model != NULL && j->voting->voters > 0)
        inform(j->a, "model-vote", NULL, "%s: the model is that of one voter, "
               "svm with --kernel rbf", j->set->save);
}

/* A method of its own name, before it runs: it sees the frame. */
void align_job(const report *r)
{
    job *j = r->job;
    mtc_align_map kept = look_at(j, 0)->found.kept;
    const mtc_align_result *x = &j->voting->found;
    if (j->set->save != NULL && !is_framed(j))
        fail(j->a, BAD_USAGE, "--save: a model has --align only with "
             "--preprocess none, and not of sparse data");
    for (size_t s = 0; s < j->n_sources; s++)
        j->source[s] = in_frame(j->a, &j->source[s], x, MTC_ALIGN_AS_IS);
    j->all_sources = in_frame(j->a, &j->all_sources, x, MTC_ALIGN_AS_IS);
    if (is_framed(j))
        show_in_frame(r);
    else
        j->data[0] = in_frame(j->a, &j->data[0], x, kept);
}

/* Is the answer that of a vote? */
int is_voted(const job *j)
{
    return j->voting != NULL && j->voting->votes;
}

/* ---- words ---- */

/* "91 healthy, 80 ill": rows by classes. */
static void put_shares(text *out, const report *r, const profile *p)
{
    enum { CLASSES_SHOWN = 12 };
    app *a = r->job->a;
    size_t said = 0, left = 0;
    for (size_t c = 0; c < p->k; c++) {
        size_t rows = p->size[c];
        if (rows == 0)
            continue;
        if (said < CLASSES_SHOWN)
            put(a, out, r->named ? "%s%zu %s" : said == 0 ? "%s%zu of class %s"
                                 : "%s%zu of %s",
                said == 0 ? " " : ", ", rows, group_name(r, c));
        else
            left += rows;
        said++;
    }
    put(a, out, left > 0 ? ", %zu of other classes." : ".", left);
}

/* "220 rows labeled: 91 healthy, 129 ill.  All 6 votes agree on 203." */
void put_votes(text *out, const report *r, const struct profile *p)
{
    const voting *v = r->job->voting;
    app *a = r->job->a;
    size_t n = r->entry[0].n;
    put(a, out, "%zu row%s labeled:", n, n == 1 ? "" : "s");
    put_shares(out, r, p);
    if (v->voters == 0) {
        put(a, out, " The source has no other class.");
        return;
    }
    put(a, out, " All %zu votes agree on ", v->voters);
    if (v->agreed == n)
        put(a, out, n == 1 ? "it." : "all of them.");
    else
        put(a, out, "%zu of them.", v->agreed);
    if ((double)v->agreed < .6 * (double)n)
        put(a, out, " The votes contradict one another: look at the labels "
            "before you use them.");
}

/* What was done to the target's columns. */
static void tell_moved(const report *r)
{
    const mtc_align_result *x = &r->job->voting->found;
    app *a = r->job->a;
    text t = {NULL, 0, 0};
    double times = exp((double)x->of[0].strange);
    words of = {0, 0, NULL};
    for (size_t f = 0; f < x->d && x->kept == MTC_ALIGN_UNITS; f++)
        if (x->scale[(size_t)x->kept * x->d + f] < 1 ||
            x->scale[(size_t)x->kept * x->d + f] > 1) {
            const char *name = feature_name(a, r->tasks, r->tasks->at, f);
            put(a, &t, "%s%s", of.n > 0 ? ", " : "", visible(a, name));
            add_name(a, &of, name);
        }
    put(a, &t, "%s brought to the mean%s of the source's",
        x->kept != MTC_ALIGN_UNITS ? "the target's columns were"
        : of.n > 1 ? " of the target were" : " of the target was",
        of.n == 1 ? " and spread" : "s and spreads");
    for (size_t c = 0; c < r->n_classes && x->kept == MTC_ALIGN_SHARES; c++)
        put(a, &t, "%s%.2f", c == 0 ? ", with classes in the shares " : ", ",
            (double)x->share[c]);
    put(a, &t, "%s: as they are, its rows lie %.*f times as far from the source "
        "as the source's rows from one another%s",
        x->kept == MTC_ALIGN_SHARES ? " that the target seems to have" : "",
        times < 10, times,
        x->together ? "; the rows as they are vote too" : "");
    put(a, &t, "; --align none leaves %s", of.n == 1 ? "it" : "them");
    inform(a, "moved", &of, "%s", t.at);
}

/* Columns that seem to be in other units, and what becomes of them. */
static void tell_units(const report *r, const mtc_align_result *x,
                       const char *then)
{
    static const char *const scale[] = {"", "", "Fahrenheit", "Celsius"};
    app *a = r->job->a;
    for (size_t f = 0; f < x->d; f++) {
        const char *name = feature_name(a, r->tasks, r->tasks->at, f);
        words of = one_column(a, name);
        if (x->unit[f] == MTC_UNIT_FACTOR)
            inform(a, "units", &of, "%s: the target's values lie outside the "
                   "source's and spread %.*f times as much: other units? %s",
                   visible(a, name), x->factor[f] < 10 ? 3 : 0,
                   (double)x->factor[f], then);
        else if (x->unit[f] != MTC_UNIT_SAME)
            inform(a, "units", &of, "%s: the target seems to be in degrees %s, "
                   "the source in %s. %s", visible(a, name), scale[x->unit[f]],
                   scale[5 - (int)x->unit[f]], then);
    }
}

/* At most 200 rows of a table, evenly spaced: no method should wait for this. */
static mtc_data spaced_rows(mtc_data X, size_t *step)
{
    *step = (X.n + 199) / 200;
    X.n = (X.n + *step - 1) / *step;
    X.stride *= *step;
    return X;
}

/* A method of its own name leaves columns that seem to be in other units. */
void tell_other_units(const report *r, const task *sources)
{
    const job *j = r->job;
    mtc_align_options opt = mtc_align_defaults();
    mtc_align_result found;
    size_t step, own;
    mtc_data A = stacked_as_read(j->a, r->sources, sources);
    mtc_data B = stacked_as_read(j->a, r->tasks, r->tasks->at);
    A = spaced_rows(A, &step);
    B = spaced_rows(B, &own);
    if (A.n < r->n_classes)
        return;
    int *labels = TAKE(j->a, A.n, int);
    for (size_t i = 0; i < A.n; i++)
        labels[i] = j->all_labels[i * step];
    if (mtc_align(j->ctx, &A, labels, r->n_classes, &B, &opt, &found) != MTC_OK)
        return;                     /* the labels stand without it */
    tell_units(r, &found, "--align auto brings it to the source's");
    mtc_free(j->ctx, &found.block);
}

/* Behind the run: what the sentence does not say, and how rows are shown. */
void settle_aligned(const report *r)
{
    const voting *v = r->job->voting;
    const mtc_align_result *x = &v->found;
    app *a = r->job->a;
    size_t n = r->job->data[0].n;
    if (x->kept != MTC_ALIGN_AS_IS)
        tell_moved(r);
    tell_units(r, x, "The column was brought to the source's mean and spread");
    if (v->n_far > 0)
        inform(a, "far", NULL, "%zu of %zu row%s %s farther from the source than "
               "95 %% of the source's rows from one another: %s%s", v->n_far, n,
               n == 1 ? "" : "s", v->n_far == 1 ? "lies" : "lie",
               v->n_far == 1 ? "its label is a guess"
                             : "their labels are guesses",
               2 * v->n_far > n    ? "; the source tells little about this "
                                     "target"
               : 10 * v->n_far > n ? ", perhaps of a class that the source lacks"
                                   : "");
    if (x->scaled)
        inform(a, "scaled", NULL, "columns on different scales (the largest "
               "deviation is %s times the %s one): z-scored by the source",
               three_digits(a, (double)x->spread / (x->d > 2 ? 1 : .4)),
               x->d > 2 ? "median" : "other");
    if (v->votes && is_framed(r->job))
        show_in_frame(r);
}

/* ---- JSON ---- */

/* Of the target: votes if there were any, far rows and their distances. */
void put_row_votes(text *t, const report *r)
{
    const voting *v = r->job->voting;
    app *a = r->job->a;
    size_t n = r->entry[0].n;
    if (v->votes) {
        put(a, t, ",\n     \"votes\": ");
        put_reals(a, t, n, r->entry[0].score);
    }
    put(a, t, ",\n     \"far\": ");
    put_ints(a, t, n, v->far);
    put(a, t, ",\n     \"distance\": ");
    put_reals(a, t, n, v->found.distance);
}

static void put_voters(text *t, const report *r)
{
    const voting *v = r->job->voting;
    app *a = r->job->a;
    put(a, t, "],\n    \"voting_maps\": [");
    for (size_t u = 0; u < v->voters; u += 3)
        put(a, t, "%s\"%s\"", u == 0 ? "" : ", ", maps[v->map[u]]);
    put(a, t, "],\n    \"members\": [");
    for (size_t u = 0; u < v->voters; u++)
        put(a, t, "%s{\"map\": \"%s\", \"method\": \"%s\", "
            "\"agreement\": %.17g}", u == 0 ? "" : ",\n      ",
            maps[v->map[u]], v->name[u],
            (double)v->same[u] / (double)r->entry[0].n);
}

static void put_units(text *t, const report *r)
{
    static const char *const kinds[] = {"", "factor", "Fahrenheit", "Celsius"};
    const mtc_align_result *x = &r->job->voting->found;
    app *a = r->job->a;
    size_t said = 0;
    put(a, t, "],\n    \"units\": [");
    for (size_t f = 0; f < x->d; f++) {
        if (x->unit[f] == MTC_UNIT_SAME)
            continue;
        put(a, t, "%s{\"column\": %s, \"kind\": \"%s\", \"factor\": %.17g}",
            said++ == 0 ? "" : ", ",
            json_text(a, feature_name(a, r->tasks, r->tasks->at, f)),
            kinds[x->unit[f]], (double)x->factor[f]);
    }
}

/* `"auto"`: what the answer stands on. */
void put_aligned_members(text *t, const report *r)
{
    const voting *v = r->job->voting;
    const mtc_align_result *x = &v->found;
    const profile *p = r->seen->of;
    app *a = r->job->a;
    size_t said = 0;
    put(a, t, ",\n  \"auto\": {\"geometry\": \"%s\", \"spread\": %.17g, "
        "\"scaled\": %s, \"kept\": \"%s\",\n    \"maps\": [",
        x->sparse ? "directions" : "distances", (double)x->spread,
        x->scaled ? "true" : "false", maps[x->kept]);
    for (size_t m = 0; m < MTC_ALIGN_MAPS; m++)
        if (x->of[m].tried)
            put(a, t, "%s{\"name\": \"%s\", \"strange\": %.17g, "
                "\"thin\": %.17g, \"odd\": %.17g, \"margin\": %.17g}",
                said++ == 0 ? "" : ",\n      ", maps[m],
                (double)x->of[m].strange, (double)x->of[m].thin,
                (double)x->of[m].odd, (double)x->of[m].margin);
    put_voters(t, r);
    put_units(t, r);
    put(a, t, "],\n    \"far_share\": %.17g, \"shares\": [",
        (double)v->n_far / (double)p->n);
    for (size_t c = 0; c < p->k; c++)
        put(a, t, "%s%.17g", c == 0 ? "" : ", ",
            (double)p->size[c] / (double)p->n);
    put(a, t, "]}");
}
