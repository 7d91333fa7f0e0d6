/* SPDX-License-Identifier: MIT
 *
 * choose.c - how many clusters: the command, and --k auto of the others
 *
 * The library answers for the tasks that it is given.  Here it is asked for
 * all of them together and for each by itself; what it says is put in words.
 */
#include "job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHOOSE_FEW = 500 };              /* rows that `carry` looks at */

static const char *const verdicts[] = {"none", "clear", "unclear", "few rows"};

/* ---- the answer in words ---- */

/* .35, or 1 */
static void put_share(app *a, text *t, double x)
{
    char digits[16];
    sprintf(digits, "%.2f", x);
    put(a, t, "%s", x < 0.995 ? digits + 1 : "1");
}

static void put_clusters(app *a, text *t, size_t k)
{
    put(a, t, "%zu cluster%s", k, k == 1 ? "" : "s");
}

/* One line, without its end. */
static void put_words(app *a, text *t, const mtc_choose_result *r,
                      const settings *set)
{
    size_t least = set->k_min > 2 ? set->k_min : 2;
    switch (r->verdict) {
    case MTC_VERDICT_CLEAR:
        put_clusters(a, t, r->k);
        put(a, t, " (%zu of 20 subsamples agree)", r->votes[r->best - 1]);
        break;
    case MTC_VERDICT_UNCLEAR:
        put(a, t, "no clear number: %zu", r->k);
        if (r->second > 0)
            put(a, t, ", else %zu", r->second);
        break;
    case MTC_VERDICT_NONE:
        put(a, t, "no evidence of more than one cluster (p = ");
        put_share(a, t, (double)r->p);
        put(a, t, "); if there are groups, %zu is the best guess", r->best);
        break;
    case MTC_VERDICT_FEW:
        put(a, t, "too few rows to choose from (%zu are needed)", 6 * least);
        if (set->k_min > 1)
            put(a, t, ": %zu, the least asked for", r->k);
        break;
    }
    if (r->limit > least && r->best == r->limit)
        put(a, t, r->limit < set->k_max
            ? "; at the limit of the search, six rows a cluster"
            : "; at the limit of the search; raise --k-max");
}

/* What holds for all tasks, and where a task clearly differs from it. */
static void put_choice(app *a, text *t, const k_choice *c,
                       const settings *set, int all)
{
    int several = c->n > 1;
    put(a, t, "%s", several ? "all tasks: " : "");
    put_words(a, t, &c->common, set);
    put(a, t, "\n");
    for (size_t i = 0; i < c->n && several; i++) {
        int differs = c->own[i].verdict == MTC_VERDICT_CLEAR &&
                      c->own[i].k != c->common.k;
        if (!differs && !all)
            continue;
        put(a, t, "%s: ", c->name[i]);
        put_words(a, t, &c->own[i], set);
        put(a, t, "\n");
    }
}

/* ---- asking ---- */

/* What the library says; never fewer clusters than were asked for. */
static mtc_choose_result ask(app *a, mtc_context *ctx, const settings *set,
                             const mtc_data *data, size_t n, const char *name)
{
    mtc_choose_options opt = {set->k_min, set->k_max};
    mtc_choose_result r;
    check(a, ctx, mtc_choose(ctx, data, n, &opt, &r), name);
    if (r.k < set->k_min)                       /* too few rows: 1 */
        r.k = set->k_min;
    return r;
}

/* What answers are made of. */
typedef struct question {
    const settings *set;
    const mtc_data *data;
    k_choice *c;
} question;

/* Piece 0: all tasks together; i + 1: task i by itself. */
static void answer(app *a, void *of, size_t i)
{
    question *q = (question *)of;
    mtc_context ctx = context_of(a, q->set->seed);
    if (i == 0)
        q->c->common = ask(a, &ctx, q->set, q->data, q->c->n, "choose");
    else
        q->c->own[i - 1] = ask(a, &ctx, q->set, &q->data[i - 1], 1,
                               q->c->name[i - 1]);
}

/* Answers for n tasks together and for each by itself. */
static k_choice choose_clusters(app *a, settings *set, size_t jobs, size_t n,
                                const mtc_data *data, const char **name)
{
    k_choice c;
    memset(&c, 0, sizeof c);
    c.n = n;
    c.name = name;
    c.own = TAKE(a, n, mtc_choose_result);
    if (set->k_max == 0) {                      /* no option of this command */
        set->k_min = 1;
        set->k_max = 12;
    }
    for (size_t t = 0; t < n; t++)
        if (set->k_min > data[t].n)
            fail(a, BAD_USAGE, "%zu clusters or more: %s has only %zu samples",
                 set->k_min, name[t], data[t].n);
    question q = {set, data, &c};
    run_pieces(a, jobs, n > 1 ? n + 1 : 1, answer, &q);
    if (n == 1)
        c.own[0] = c.common;
    return c;
}

/* Fills the k of the job that are not known yet.  `one`: a number for all. */
void choose_for(job *j, int one)
{
    app *a = j->a;
    settings *set = j->set;
    size_t given = set->k_max;
    k_choice c = choose_clusters(a, set, 1, j->n, j->data, j->name);
    one |= is(set->k_word, "auto-common");
    for (size_t t = 0; t < j->n; t++)
        if (j->k[t] == 0)
            j->k[t] = !one && c.own[t].verdict == MTC_VERDICT_CLEAR
                          ? c.own[t].k : c.common.k;
    put(a, &j->remarks, j->n > 1 ? "k by choice, " : "k by choice: ");
    put_choice(a, &j->remarks, &c, set, 0);
    if (set->k_range && c.common.limit > 0 && c.common.limit < given)
        put(a, &j->remarks, "  (searched up to %zu: six rows a cluster)\n",
            c.common.limit);
    put(a, &j->members, ",\n  \"k_choice\": ");
    put_k_choice(a, &j->members, &c);
}

/* The k of all tasks, which is said as well. */
size_t choose_common(app *a, const settings *set, const tasks *all)
{
    settings own = *set;
    mtc_context ctx = context_of(a, set->seed);
    mtc_data *data = TAKE(a, all->n, mtc_data);
    text t = {NULL, 0, 0};
    own.k_min = set->k_max > 0 ? set->k_min : 1;
    own.k_max = set->k_max > 0 ? set->k_max : 12;
    for (size_t i = 0; i < all->n; i++)
        data[i] = view_of(&all->at[i]);
    mtc_choose_result r = ask(a, &ctx, &own, data, all->n, "choose");
    put_words(a, &t, &r, &own);
    warning(a, "k by choice: %s", t.at);
    return r.k;
}

/* ---- carry: does a task's clustering fit the others? ---- */

/* mean [d] of the rows. */
static mtc_real *mean_of(app *a, const mtc_data *X)
{
    mtc_real *mean = TAKE(a, X->d, mtc_real);
    for (size_t i = 0; i < X->n; i++)
        mtc_data_axpy(X, i, 1 / (mtc_real)X->n, mean);
    return mean;
}

/* ARI of the clusters of X with those by another task's centers U [k*d], which
 * are moved by the difference of the means. */
static double carried(app *a, mtc_context *ctx, const mtc_data *X,
                      const int *labels, const mtc_real *mean, size_t k,
                      const mtc_real *U, const mtc_real *from)
{
    mtc_real *moved = COPY(a, U, k * X->d, mtc_real);
    int *other = TAKE(a, X->n, int);
    mtc_kmeans_result model = {.clusters = k, .d = X->d, .centers = moved};
    mtc_scores s;
    for (size_t e = 0; e < k * X->d; e++)
        moved[e] += mean[e % X->d] - from[e % X->d];
    check(a, ctx, mtc_kmeans_assign(ctx, X, &model, other), "carry");
    check(a, ctx, mtc_score(ctx, X->n, labels, other, &s), "carry");
    pool_release(other);
    pool_release(moved);
    return (double)s.ari;
}

/* CHOOSE_FEW of the rows, drawn: every sixth might be of one class. */
static task drawn_rows(app *a, const task *t, mtc_random *rng)
{
    size_t *index = TAKE(a, t->n, size_t), m = 0;
    size_t most = t->n < CHOOSE_FEW ? t->n : CHOOSE_FEW;
    for (size_t i = 0; i < t->n; i++)
        if (mtc_random_below(rng, t->n - i) < most - m)
            index[m++] = i;
    task few = rows_at(a, t, index, m);
    pool_release(index);
    return few;
}

/* What carry is made of: rows of each task, and their means. */
typedef struct carriage {
    uint64_t seed;
    size_t n;
    mtc_data *X;                    /* [n] */
    mtc_real **mean, *carry;        /* [n], [K] */
} carriage;

/* Piece k - 1: the mean over ordered pairs of tasks, with k clusters. */
static void carry_by(app *a, void *of, size_t i)
{
    carriage *c = (carriage *)of;
    size_t n = c->n, k = i + 1;
    mtc_context ctx = context_of(a, c->seed);
    mtc_kmeans_result *km = TAKE(a, n, mtc_kmeans_result);
    mtc_kmeans_options opt = mtc_kmeans_defaults();
    opt.restarts = 3;
    opt.clusters = k;
    for (size_t t = 0; t < n; t++)
        check(a, &ctx, mtc_kmeans(&ctx, &c->X[t], &opt, &km[t]), "carry");
    for (size_t s = 0; s < n; s++)
        for (size_t t = 0; t < n; t++)
            if (s != t)
                c->carry[i] += (mtc_real)(
                    carried(a, &ctx, &c->X[t], km[t].labels, c->mean[t], k,
                            km[s].centers, c->mean[s]) /
                    ((double)n * (double)(n - 1)));
    for (size_t t = 0; t < n; t++)
        mtc_free(&ctx, &km[t].block);
    pool_release(km);
}

/* carry [K]: that for each number of clusters; 1 for k = 1. */
static mtc_real *carry_of(app *a, const settings *set, const tasks *all,
                          size_t K)
{
    size_t n = all->n;
    carriage c = {set->seed, n, TAKE(a, n, mtc_data), TAKE(a, n, mtc_real *),
                  TAKE(a, K, mtc_real)};
    mtc_random rng = mtc_random_seed(set->seed);
    for (size_t t = 0; t < n; t++) {
        task few = drawn_rows(a, &all->at[t], &rng);
        c.X[t] = view_of(&few);
        c.mean[t] = mean_of(a, &c.X[t]);
    }
    run_pieces(a, set->jobs, K, carry_by, &c);
    return c.carry;
}

/* ---- table ---- */

static void put_cell(app *a, text *t, int known, double x)
{
    if (known)
        put(a, t, " %8.4f", x);
    else
        put(a, t, " %8s", "");
}

/* A row for each k: of all tasks; behind it the gap of each by itself. */
static void print_curve(app *a, const k_choice *c, const settings *set)
{
    const mtc_choose_result *r = &c->common;
    text t = {NULL, 0, 0};
    size_t shown = c->n < 2 ? 0 : c->n < 5 ? c->n : 5;
    put_choice(a, &t, c, set, 1);
    if (r->limit > 0)
        put(a, &t, "\n%4s %8s %6s %8s %8s %8s%s", "k", "gap", "votes", "a",
            "a0", "gap*", c->carry != NULL ? "    carry" : "");
    for (size_t i = 0; i < shown && r->limit > 0; i++)
        put_heading(a, &t, c->name[i], 8);
    for (size_t k = 1; k <= r->limit; k++) {
        const mtc_candidate *q = NULL;
        for (size_t e = 0; e < r->candidates; e++)
            q = r->candidate[e].k == k ? &r->candidate[e] : q;
        put(a, &t, "\n%4zu %8.4f", k, (double)r->gap[k - 1]);
        if (r->votes[k - 1] > 0)
            put(a, &t, " %6zu", r->votes[k - 1]);
        else
            put(a, &t, " %6s", "");
        put_cell(a, &t, q != NULL, q != NULL ? (double)q->a : 0);
        put_cell(a, &t, q != NULL, q != NULL ? (double)q->a0 : 0);
        put_cell(a, &t, q != NULL, q != NULL ? (double)q->j : 0);
        if (c->carry != NULL)
            put_cell(a, &t, 1, (double)c->carry[k - 1]);
        for (size_t i = 0; i < shown; i++)
            put_cell(a, &t, k <= c->own[i].limit,
                     k <= c->own[i].limit ? (double)c->own[i].gap[k - 1] : 0);
    }
    put(a, &t, r->limit > 0 ? "\n" : "");
    save(a, "-", &t);
}

/* ---- JSON ---- */

static void put_answer(app *a, text *t, const mtc_choose_result *r)
{
    put(a, t, "{\"k\": %zu, \"best\": %zu, \"second\": ", r->k, r->best);
    if (r->second > 0)
        put(a, t, "%zu", r->second);
    else
        put(a, t, "null");
    put(a, t, ", \"verdict\": \"%s\", \"p\": ", verdicts[r->verdict]);
    put_real(a, t, (double)r->p);
    put(a, t, ", \"support\": ");
    put_real(a, t, (double)r->support);
    put(a, t, ",\n      \"gap\": ");
    put_reals(a, t, r->limit, r->gap);
    put(a, t, ",\n      \"candidates\": [");
    for (size_t e = 0; e < r->candidates; e++) {
        const mtc_candidate *q = &r->candidate[e];
        put(a, t, "%s{\"k\": %zu, \"a\": ", e == 0 ? "" : ", ", q->k);
        put_real(a, t, (double)q->a);
        put(a, t, ", \"a0\": ");
        put_real(a, t, (double)q->a0);
        put(a, t, ", \"j\": ");
        put_real(a, t, (double)q->j);
        put(a, t, "}");
    }
    put(a, t, "],\n      \"votes\": [");
    for (size_t k = 0; k < r->limit; k++)
        put(a, t, k == 0 ? "%zu" : ", %zu", r->votes[k]);
    put(a, t, "]}");
}

void put_k_choice(app *a, text *t, const k_choice *c)
{
    put(a, t, "{\n    \"common\": ");
    put_answer(a, t, &c->common);
    put(a, t, ",\n    \"tasks\": [");
    for (size_t i = 0; i < c->n; i++) {
        put(a, t, i == 0 ? "" : ",\n      ");
        put_answer(a, t, &c->own[i]);
    }
    put(a, t, "],\n    \"carry\": ");
    if (c->carry != NULL)
        put_reals(a, t, c->common.limit, c->carry);
    else
        put(a, t, "null");
    put(a, t, "}");
}

/* ---- picture ---- */

enum {
    PLOT_X = 60, PLOT_Y = SVG_TITLE + 34, PLOT_WIDE = 420, PLOT_HIGH = 220,
    KEY_HIGH = 20
};

static double plot_x(size_t k, size_t K)
{
    return PLOT_X + PLOT_WIDE * ((double)k - 0.5) / (double)K;
}

static double plot_y(mtc_real gap, double most)
{
    return PLOT_Y + PLOT_HIGH * (1 - (double)gap / most);
}

/* The largest gap of all curves. */
static double largest_gap(const k_choice *c)
{
    double most = 1e-9;                         /* they may all be 0 */
    for (size_t k = 0; k < c->common.limit; k++) {
        most = fmax(most, (double)c->common.gap[k]);
        for (size_t i = 0; i < c->n; i++)
            most = fmax(most, (double)c->own[i].gap[k]);
    }
    return most;
}

/* Bars: the common gaps, that of the answer filled. */
static void draw_bars(app *a, text *t, const mtc_choose_result *r, double most)
{
    double wide = 0.6 * PLOT_WIDE / (double)r->limit;
    for (size_t k = 1; k <= r->limit; k++) {
        char number[24];
        double x = plot_x(k, r->limit), y = plot_y(r->gap[k - 1], most);
        put(a, t, "<rect ");
        svg_put_color(a, t, "fill", 0);
        put(a, t, " fill-opacity=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
            "height=\"%.1f\"/>\n", k == r->k ? "1" : ".3", x - wide / 2, y,
            wide, PLOT_Y + PLOT_HIGH - y);
        sprintf(number, "%zu", k);
        svg_put_text(a, t, x, PLOT_Y + PLOT_HIGH + 18, "middle", number);
    }
}

/* What a color means, below the plot. */
static void draw_key(app *a, text *t, size_t color, const char *name, double y)
{
    put(a, t, "<rect ");
    svg_put_color(a, t, "fill", color);
    put(a, t, " x=\"%d\" y=\"%.1f\" width=\"18\" height=\"4\"/>\n", PLOT_X, y);
    svg_put_text(a, t, PLOT_X + 26, y + 7, "start", cut_name(a, name, 50));
}

/* And lines, one for each of several tasks. */
static void draw_choice(app *a, const k_choice *c, const settings *set)
{
    const mtc_choose_result *r = &c->common;
    text body = {NULL, 0, 0}, title = {NULL, 0, 0};
    char number[40];
    double most = largest_gap(c), height = PLOT_Y + PLOT_HIGH + 32;
    put_words(a, &title, r, set);
    svg_put_text(a, &body, 4, SVG_TITLE + 20, "start", "gap by number of "
                 "clusters; for 1 it is small where there are groups");
    put(a, &body, "<rect class=\"l\" x=\"%d\" y=\"%d\" width=\"%d\" "
        "height=\"%d\" fill=\"none\" stroke=\"#bbbbbb\"/>\n", PLOT_X, PLOT_Y,
        PLOT_WIDE, PLOT_HIGH);
    sprintf(number, "%.3g", most);
    svg_put_text(a, &body, PLOT_X - 5, PLOT_Y + 12, "end", number);
    draw_bars(a, &body, r, most);
    for (size_t i = 0; i < c->n && c->n > 1 && r->limit > 0; i++) {
        put(a, &body, "<polyline ");
        svg_put_color(a, &body, "stroke", i + 1);
        put(a, &body, " fill=\"none\" points=\"");
        for (size_t k = 1; k <= r->limit; k++)
            put(a, &body, "%.1f,%.1f ", plot_x(k, r->limit),
                plot_y(c->own[i].gap[k - 1], most));
        put(a, &body, "\"/>\n");
        draw_key(a, &body, i + 1, c->name[i], height);
        height += KEY_HIGH;
    }
    if (c->n > 1 && r->limit > 0) {
        draw_key(a, &body, 0, "all tasks (bars), the answer filled", height);
        height += KEY_HIGH;
    }
    double width = 8.5 * (double)strlen(title.at) + 12;
    svg_write(a, set->svg, title.at, fmax(width, PLOT_X + PLOT_WIDE + 20),
              height, &body);
}

/* mtc choose [options] TASK... */
void run_choose(app *a, int argc, char **argv)
{
    settings set;
    words files = parse_args(a, "choose", CHOOSE_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 1, SIZE_MAX, "at least one TASK file");
    settle_cluster(a, &set, files.n);
    tasks all = load_tasks(a, &files, &set, 0);
    if (is(set.preprocess, "none"))
        hint_at_preprocessing(a, &all);
    preprocess(a, &all, set.preprocess);
    mtc_context ctx = context_of(a, set.seed);
    job j = new_job(a, &ctx, &set, all.n, all.d);
    for (size_t t = 0; t < j.n; t++) {
        j.name[t] = all.at[t].name;
        j.data[t] = view_of(&all.at[t]);
    }
    double start = now();
    progress_outer(a, READING, 0.9);
    k_choice c = choose_clusters(a, &set, set.jobs, j.n, j.data, j.name);
    progress_outer(a, 0.9, 1);
    if (j.n > 1 && c.common.limit > 0)
        c.carry = carry_of(a, &set, &all, c.common.limit);
    double seconds = now() - start;
    wipe_progress(a);
    if (set.svg != NULL)
        draw_choice(a, &c, &set);
    if (set.json != NULL) {
        text t = {NULL, 0, 0};
        json_begin(a, &t);
        put(a, &t, "\"options\": ");
        put_options(a, &t, CHOOSE_OPTIONS, &set);
        put(a, &t, ",\n  \"k_choice\": ");
        put_k_choice(a, &t, &c);
        put(a, &t, ",\n  \"seconds\": %.17g\n}\n", seconds);
        save(a, set.json, &t);
    }
    if (!set.quiet && !is(set.json, "-") && !is(set.svg, "-"))
        print_curve(a, &c, &set);
}
