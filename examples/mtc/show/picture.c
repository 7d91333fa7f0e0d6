/* SPDX-License-Identifier: MIT
 *
 * picture.c - pictures: one SVG that explains a run
 *
 * From top to bottom: a title; a frame for each task (of a transfer, for the
 * sources and the target), all in the same two principal components, so that
 * what corresponds lies at the same place; the legend, the relatedness of the
 * tasks, the objective of a run that has one.  What a method does not have takes
 * no room.  A cluster has a color and a shape, its `kind`: matched clusters have
 * the same in every task.  Kinds beyond the seventh have a ring, too.  Many tasks
 * are a grid of small frames.  Every point says which row it is.  Colors come as
 * attributes, for viewers without style sheets, and again as variables that
 * follow the reader's light or dark setting.
 */
#include "summary.h"
#include "../texts/texts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    SVG_SIDE = 260, SVG_MARGIN = 24,    /* a task's frame */
    SVG_HEAD = 20,                      /* a line of text above something */
    SVG_IN_ROW = 4,                     /* tasks; more begin a new row */
    SVG_SMALL = 96, SVG_SMALL_IN_ROW = 10,      /* frames of many tasks */
    SVG_PLOT = 300, SVG_PLOT_HIGH = 150, SVG_AXIS = 70,
    SVG_SAMPLE = 1000,                  /* rows that the components need */
    SVG_POINTS = 5000,                  /* drawn of a task; else thinned; */
    SVG_FEW_POINTS = 200,               /* of a small frame */
    SVG_COLORS = 7, SVG_SHAPES = 6     /* coprime: 42 kinds differ */
};

#define SVG_LOWEST 0.3              /* a frame, by its width */

/* Colors that differ also for color-blind eyes (after Okabe and Ito), on
 * light ground and on dark. */
static const char *const svg_light[SVG_COLORS] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
    "#882255"};
static const char *const svg_dark[SVG_COLORS] = {
    "#4a90e2", "#ff7f3f", "#1fc796", "#e6a3c8", "#ffc33c", "#9ad9ff",
    "#d0608f"};

/* Corners of the shapes after the circle, within a radius of about 1. */
static const struct { size_t n; double xy[24]; } svg_shape[SVG_SHAPES - 1] = {
    {4, {-.88, -.88, .88, -.88, .88, .88, -.88, .88}},
    {3, {0, -1.15, 1.05, .8, -1.05, .8}},
    {4, {0, -1.25, 1, 0, 0, 1.25, -1, 0}},
    {3, {0, 1.15, -1.05, -.8, 1.05, -.8}},
    {12, {-.42, -1.15, .42, -1.15, .42, -.42, 1.15, -.42, 1.15, .42, .42, .42,
          .42, 1.15, -.42, 1.15, -.42, .42, -1.15, .42, -1.15, -.42, -.42,
          -.42}}};

/* What one frame shows: a task, or a source of a transfer. */
typedef struct panel {
    const char *name;
    const task *data;
    size_t number;                  /* stands before the name; 0: none */
    size_t k;
    const int *labels;              /* [n] */
    const int *truth;               /* [n] errors are ringed; or NULL */
    const int *far;                 /* [n] 1: drawn hollow; or NULL */
    const size_t *kind;             /* [k] */
    double *xy;                     /* [n*2] in the unit square */
    double side, margin;            /* its width; around the points */
    double spread;                  /* of the points: height by width */
} panel;

/* A picture while it is drawn.  Blocks flow: from left to right, then on. */
typedef struct picture {
    app *a;
    const report *r;
    const job *job;
    text body;
    size_t **kind;                  /* [tasks] of [k]: look of a cluster */
    size_t kinds;
    int matched;                    /* kinds mean the same in every task */
    int small;                      /* 1: many tasks */
    panel *panel;                   /* [panels] sources first */
    size_t panels, sources;
    int common;                     /* 1: all lie on the same axes */
    double share[2];                /* of the variance, on common axes */
    size_t wrong;                   /* samples ringed */
    double width, x, y, row;        /* of all; where the next block goes */
    double high;                    /* of a task's frame */
} picture;

/* Room for a block of that size: moves on to where it fits. */
static void svg_place(picture *p, double width, double height)
{
    if (p->x > 0 && p->x + width > p->width) {
        p->x = 0;
        p->y += p->row;
        p->row = 0;
    }
    if (p->row < height)
        p->row = height;
}

/* Ends a line of blocks. */
static void svg_break(picture *p)
{
    p->x = 0;
    p->y += p->row;
    p->row = 0;
}

/* What makes an outline of the kind around the current point. */
static const char *svg_mark(picture *p, size_t kind, double radius)
{
    text t = {NULL, 0, 0};
    size_t s = kind % SVG_SHAPES;
    if (s == 0) {
        put(p->a, &t, "m%.2f,0a%.2f,%.2f 0 1,0 %.2f,0a%.2f,%.2f 0 1,0 %.2f,0z",
            -radius, radius, radius, 2 * radius, radius, radius, -2 * radius);
        return t.at;
    }
    for (size_t i = 0; i < svg_shape[s - 1].n; i++) {
        const double *xy = svg_shape[s - 1].xy + 2 * i;
        double x = xy[0] - (i > 0 ? xy[-2] : 0);
        double y = xy[1] - (i > 0 ? xy[-1] : 0);
        put(p->a, &t, "%c%.2f,%.2f", i == 0 ? 'm' : 'l', radius * x,
            radius * y);
    }
    put(p->a, &t, "z");
    return t.at;
}

/* class and fill of a mark: kinds 7 to 13, 21 to 27, ... have a ring. */
static void svg_fill_mark(picture *p, size_t kind)
{
    int ring = kind / SVG_COLORS % 2 == 1;
    put(p->a, &p->body, "class=\"c%d%s\" fill=\"%s\"%s",
        (int)(kind % SVG_COLORS), ring ? " r" : "",
        svg_light[kind % SVG_COLORS],
        ring ? " stroke=\"#222222\" stroke-width=\"1\"" : "");
}

static void svg_name(picture *p, const char *name, size_t most)
{
    put_escaped(p->a, &p->body, cut_name(p->a, name, most), 1);
}

/* A number, if it is not 0, and a name, cut off after `width`. */
static void svg_label(picture *p, size_t number, const char *name, double x,
                      double y, double width)
{
    put(p->a, &p->body, "<svg x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" "
        "height=\"18\"><text class=\"t\" x=\"0\" y=\"13\">", x, y, width);
    if (number > 0)
        put(p->a, &p->body, "%zu ", number);
    svg_name(p, name, (size_t)(width / 7.5));
    put(p->a, &p->body, "</text></svg>\n");
}

void svg_put_text(app *a, text *t, double x, double y, const char *anchor,
                  const char *shown)
{
    put(a, t, "<text class=\"t\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">",
        x, y, anchor);
    put_escaped(a, t, shown, 1);
    put(a, t, "</text>\n");
}

static void svg_text(picture *p, double x, double y, const char *anchor,
                     const char *shown)
{
    svg_put_text(p->a, &p->body, x, y, anchor, shown);
}

/* Color i, for inside a tag: as `paint`, fill or stroke. */
static void svg_put_color(app *a, text *t, const char *paint, size_t i)
{
    put(a, t, "class=\"%c%d\" %s=\"%s\"", *paint == 'f' ? 'c' : 's',
        (int)(i % SVG_COLORS), paint, svg_light[i % SVG_COLORS]);
}

/* ---- kinds ---- */

/* Clusters of one group have one kind in every task: equal numbers, unless they
 * do not fit the groups of mtc_across. */
static void svg_kinds(picture *p)
{
    const report *r = p->r;
    const mtc_across_result *x = p->job->across;
    int grouped = x != NULL && !p->job->set->pool &&
                  p->job->numbers == NUMBERS_DIFFER;
    p->matched = r->tasks->n > 1 && x != NULL;
    p->kinds = grouped ? x->groups : 0;
    p->kind = TAKE(p->a, r->tasks->n, size_t *);
    for (size_t i = 0; i < r->tasks->n; i++) {
        size_t k = r->entry[i].k;
        p->kind[i] = TAKE(p->a, k, size_t);
        for (size_t z = 0; z < k; z++)
            p->kind[i][z] = !grouped ? z
                            : z < x->clusters[i] && x->group[i][z] >= 0
                                ? (size_t)x->group[i][z] : p->kinds++;
        p->kinds = !grouped && k > p->kinds ? k : p->kinds;
    }
}

/* ---- the tasks ---- */

/* The frames: of a transfer the sources' first, in their classes, unless they
 * have none that mean something here. */
static void svg_panels(picture *p)
{
    const report *r = p->r;
    const tasks *from = r->sources;
    size_t *same = TAKE(p->a, r->n_classes + 1, size_t);
    for (size_t z = 0; z < r->n_classes; z++)
        same[z] = z;
    p->sources = from != NULL && p->job->all_labels != NULL ? from->n : 0;
    p->panels = p->sources + r->tasks->n;
    p->panel = TAKE(p->a, p->panels, panel);
    for (size_t i = 0; i < p->sources; i++) {
        panel source = {formed(p->a, "source %s", from->at[i].name),
                        &from->at[i], 0, r->n_classes, from->at[i].truth,
                        NULL, NULL, same, NULL, 0, 0, 0};
        p->panel[i] = source;
    }
    for (size_t i = 0; i < r->tasks->n; i++) {
        const entry *e = &r->entry[i];
        panel shown = {p->sources > 0 ? formed(p->a, "target %s", e->name)
                                      : e->name,
                       &r->tasks->at[i],
                       r->tasks->n > 1 && !p->small ? i + 1 : 0, e->k,
                       e->labels, finds_classes(r) ? e->truth : NULL,
                       e->far, p->kind[i], NULL, 0, 0, 0};
        p->panel[p->sources + i] = shown;
    }
    for (size_t i = 0; i < p->panels; i++) {
        p->panel[i].side = p->small ? SVG_SMALL : SVG_SIDE;
        p->panel[i].margin = p->small ? 8 : SVG_MARGIN;
    }
    p->common = p->panels > 1 && !p->job->separate;
    for (size_t i = 1; i < p->panels; i++)
        p->common &= p->panel[i].data->d == p->panel[0].data->d &&
                     p->job->set->view1 == NULL;
}

/* The first two principal components of the panels first.. together, from
 * 1000 samples of each that are drawn. */
static mtc_pca_result svg_components(picture *p, size_t first, size_t count)
{
    app *a = p->a;
    mtc_pca_options opt = mtc_pca_defaults();
    mtc_pca_result pca;
    tasks few = {count, p->panel[first].data->d, p->panel[first].data->d,
                 TAKE(a, count, task), NULL};
    mtc_random rng = mtc_random_seed(1);
    for (size_t i = 0; i < count; i++)
        few.at[i] = drawn_rows(a, p->panel[first + i].data, SVG_SAMPLE, &rng);
    task all = stack_tasks(a, &few);
    mtc_data X = view_of(&all);
    opt.dimension = X.d < 2 ? X.d : 2;
    check(a, p->job->ctx, mtc_pca(p->job->ctx, &X, 1, &opt, &pca), "picture");
    for (size_t c = 0; c < 2; c++)
        p->share[c] = c < pca.dimension && pca.total > 0
                          ? (double)(pca.variance[c] / pca.total) : 0;
    release_rows(&all);
    for (size_t i = 0; i < count; i++)
        release_rows(&few.at[i]);
    return pca;
}

/* xy of the panels first..: their components, scaled alike into the unit
 * square.  A direction that does not exist is all 0.5. */
static void svg_project(picture *p, size_t first, size_t count)
{
    app *a = p->a;
    mtc_pca_result pca = svg_components(p, first, count);
    size_t r = pca.dimension < 2 ? pca.dimension : 2;
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (panel *q = p->panel + first; q < p->panel + first + count; q++) {
        size_t n = q->data->n;
        mtc_data X = view_of(q->data);
        mtc_real *scores = TAKE(a, n * (r + 1), mtc_real);
        if (r > 0)
            check(a, p->job->ctx,
                  mtc_pca_assign(p->job->ctx, &X, 0, &pca, scores), q->name);
        q->xy = TAKE(a, 2 * n, double);
        for (size_t i = 0; i < 2 * n; i++) {
            size_t c = i % 2;
            double x = q->xy[i] = c < r ? (double)scores[i / 2 * r + c] : 0;
            low[c] = x < low[c] ? x : low[c];
            high[c] = x > high[c] ? x : high[c];
        }
        pool_release(scores);
    }
    double span = high[0] - low[0] > high[1] - low[1] ? high[0] - low[0]
                                                      : high[1] - low[1];
    for (panel *q = p->panel + first; q < p->panel + first + count; q++) {
        q->spread = span > 0 ? (high[1] - low[1]) / span : 0;
        for (size_t i = 0; i < 2 * q->data->n; i++)
            q->xy[i] = span > 0 ? 0.5 + (q->xy[i] - (low[i % 2] +
                                                     high[i % 2]) / 2) / span
                                : 0.5;
    }
    mtc_free(p->job->ctx, &pca.block);
}

/* Where all points lie, and frames no higher than these need. */
static void svg_frames(picture *p)
{
    size_t step = p->common ? p->panels : 1;
    for (size_t i = 0; i < p->panels; i += step)
        svg_project(p, i, step);
    for (size_t i = 0; i < p->panels; i++) {
        const panel *q = &p->panel[i];
        double inner = fmax(q->spread, SVG_LOWEST) * (q->side - 2 * q->margin);
        p->high = fmax(p->high, inner + 2 * q->margin);
    }
}

/* Every so many samples of a panel are drawn. */
static size_t svg_step(const panel *q)
{
    size_t most = q->side < SVG_SIDE ? SVG_FEW_POINTS : SVG_POINTS;
    return (q->data->n + most - 1) / most;
}

/* Where sample s lies in its frame. */
static double svg_x(const panel *q, size_t s)
{
    return q->margin + (q->side - 2 * q->margin) * q->xy[2 * s];
}

static double svg_y(const picture *p, const panel *q, size_t s)
{
    return p->high / 2 - (q->side - 2 * q->margin) * (q->xy[2 * s + 1] - 0.5);
}

/* "row 7, cluster 2", or the sample's own name: what a reader sees who points
 * at it. */
static void svg_sample_name(picture *p, const panel *q, size_t s,
                            const char *cluster)
{
    const task *t = q->data;
    size_t row = sample_row(t, s);
    if (t->id.name != NULL) {
        put(p->a, &p->body, "<title>");
        svg_name(p, t->id.text + t->id.at[row], 60);
        put(p->a, &p->body, "%s", cluster);
    } else
        put(p->a, &p->body, "<title>row %zu%s", row + 1, cluster);
    if (t->bag != NULL) {
        const identities *opening = &t->bag->opening;
        put(p->a, &p->body, ": ");
        put_escaped(p->a, &p->body, opening->text + opening->at[row], 1);
    }
    put(p->a, &p->body, "</title></path>\n");
}

/* One group holds all samples of a cluster. */
static void svg_samples(picture *p, panel *q)
{
    size_t n = q->data->n;
    int class = finds_classes(p->r) || q < p->panel + p->sources;
    for (size_t z = 0; z < q->k; z++) {
        size_t seen = 0;
        const char *mark = svg_mark(p, q->kind[z], p->small || n > 2000 ? 1.8
                                                   : n > 400 ? 2.4 : 3);
        text name = {NULL, 0, 0};
        put(p->a, &name, class ? ", class " : ", cluster ");
        put_escaped(p->a, &name, cut_name(p->a, label_name(p->r, class, z), 30),
                    1);
        for (size_t s = 0; s < n; s += svg_step(q)) {
            if ((size_t)q->labels[s] != z)
                continue;
            if (seen++ == 0) {
                put(p->a, &p->body, "<g ");
                svg_fill_mark(p, q->kind[z]);
                put(p->a, &p->body, " fill-opacity=\"0.8\">\n");
            }
            put(p->a, &p->body, "<path ");
            if (q->far != NULL && q->far[s]) {
                svg_put_color(p->a, &p->body, "stroke", q->kind[z]);
                put(p->a, &p->body, " fill=\"none\" ");
            }
            put(p->a, &p->body, "d=\"M%.2f,%.2f%s\">", svg_x(q, s),
                svg_y(p, q, s), mark);
            svg_sample_name(p, q, s, name.at);
        }
        if (seen > 0)
            put(p->a, &p->body, "</g>\n");
    }
}

/* A circle around each sample that has the wrong class; returns how many. */
static size_t svg_errors(picture *p, const panel *q)
{
    size_t wrong = 0;
    for (size_t s = 0; s < q->data->n && q->truth != NULL; s += svg_step(q)) {
        if (q->labels[s] == q->truth[s])
            continue;
        put(p->a, &p->body, wrong++ == 0
            ? "<path class=\"e\" fill=\"none\" stroke=\"#222222\" d=\"" : "");
        put(p->a, &p->body, "M%.2f,%.2fm-6,0a6,6 0 1,0 12,0a6,6 0 1,0 "
            "-12,0z\n", svg_x(q, s), svg_y(p, q, s));
    }
    put(p->a, &p->body, wrong > 0 ? "\"/>\n" : "");
    return wrong;
}

/* One task: name, frame, samples. */
static void svg_panel(picture *p, panel *q)
{
    svg_label(p, q->number, q->name, p->x + 4, p->y, q->side - 8);
    put(p->a, &p->body, "<g transform=\"translate(%.0f,%.0f)\">\n"
        "<rect class=\"l\" x=\"4\" y=\"4\" width=\"%.0f\" height=\"%.0f\" "
        "fill=\"none\" stroke=\"#bbbbbb\"/>\n", p->x, p->y + SVG_HEAD - 4,
        q->side - 8, p->high - 8);
    svg_samples(p, q);
    p->wrong += svg_errors(p, q);
    put(p->a, &p->body, "</g>\n");
}

static void svg_tasks(picture *p)
{
    svg_frames(p);
    for (size_t i = 0; i < p->panels; i++) {
        svg_place(p, p->panel[i].side, p->high + SVG_HEAD + 4);
        svg_panel(p, &p->panel[i]);
        p->x += p->panel[i].side;
    }
    svg_break(p);
}

/* ---- legend ---- */

/* The task whose own kind it is, and which cluster there. */
static void svg_kind_name(picture *p, size_t kind)
{
    const report *r = p->r;
    for (size_t i = 0; i < r->tasks->n; i++)
        for (size_t z = 0; z < r->entry[i].k; z++) {
            if (p->kind[i][z] != kind)
                continue;
            svg_name(p, label_name(r, finds_classes(r), z), 11);
            if (!finds_classes(r) && i > 0 && p->matched)
                put(p->a, &p->body, " of task %zu", i + 1);
            return;
        }
}

/* A line of its own below the frames. */
static void svg_note(picture *p, const char *note)
{
    svg_text(p, 4, p->y + 13, "start", note);
    p->y += SVG_HEAD;
}

/* What the axes are, what was left out, what the rings mean. */
static void svg_notes(picture *p)
{
    text t = {NULL, 0, 0};
    if (p->common || p->panels == 1)
        put(p->a, &t, "Axes: principal components%s, %.0f %% and %.0f %% of "
            "variance.", p->panels > 1 ? " of all together" : "",
            100 * p->share[0], 100 * p->share[1]);
    else
        put(p->a, &t, "Axes: principal components of each by itself.");
    svg_note(p, t.at);
    size_t step = 1;
    for (size_t i = 0; i < p->panels; i++)
        step = svg_step(&p->panel[i]) > step ? svg_step(&p->panel[i]) : step;
    if (step > 1)
        svg_note(p, "Of large tasks only some samples are drawn.");
    if (p->wrong > 0)
        svg_note(p, "Ringed: not the class that the file has.");
    if (p->job->voting != NULL && p->job->voting->n_far > 0)
        svg_note(p, "Hollow: far from the source.");
}

static void svg_legend(picture *p)
{
    const report *r = p->r;
    double step = finds_classes(r) || p->kinds > r->entry[0].k ? 104 : 44;
    p->y += 2;
    svg_place(p, 60, SVG_HEAD);
    svg_text(p, 4, p->y + 13, "start", finds_classes(r) ? "class" : "cluster");
    p->x = 60;
    for (size_t kind = 0; kind < p->kinds; kind++) {
        svg_place(p, step, SVG_HEAD);
        p->x = p->x > 60 ? p->x : 60;           /* lines begin alike */
        put(p->a, &p->body, "<path ");
        svg_fill_mark(p, kind);
        put(p->a, &p->body, " d=\"M%.2f,%.2f%s\"/>\n<text class=\"t\" x=\"%.0f\" "
            "y=\"%.0f\">", p->x + 10, p->y + 9, svg_mark(p, kind, 4.5),
            p->x + 20, p->y + 13);
        svg_kind_name(p, kind);
        put(p->a, &p->body, "</text>\n");
        p->x += step;
    }
    svg_break(p);
    if (r->tasks->n > 1)
        svg_note(p, p->matched
                 ? p->kinds > r->entry[0].k
                   ? "Matched clusters have the same color and shape; others "
                     "have their own."
                   : "Matched clusters have the same color and shape."
                 : "Each task by itself: equal marks do not mean equal "
                   "clusters.");
    else if (p->sources > 0 && !finds_classes(r))
        svg_note(p, "Source in its classes, target in clusters of its own.");
    svg_notes(p);
}

/* ---- relatedness ---- */

static void svg_relatedness(picture *p)
{
    size_t n = p->job->n;
    if (p->job->relatedness == NULL || n < 2 || n != p->r->tasks->n)
        return;
    svg_place(p, heat_width(n), heat_height(n));
    heat_map(p->a, &p->body, p->x, p->y, "relatedness", n, p->job->name,
             p->job->relatedness);
    p->x += heat_width(n);
}

/* ---- objective ---- */

/* The outcome whose objective is drawn; NULL: there are several, or it never
 * moved. */
static const outcome *svg_traced(const picture *p)
{
    const outcome *o = p->job->out;
    int several = p->job->n > 1 && (!(p->r->method->flags & JOINT) ||
                                    (p->r->method->flags & TRACES) != 0);
    return several || o->trace < 2 ? NULL : o;
}

/* The objective after each step, in a frame with its largest, its least and
 * its last number. */
static void svg_objective(picture *p)
{
    char number[40];
    const outcome *o = svg_traced(p);
    if (o == NULL)
        return;
    double low = (double)o->objective[0], high = low;
    for (size_t s = 0; s < o->trace; s++) {
        low = fmin(low, (double)o->objective[s]);
        high = fmax(high, (double)o->objective[s]);
    }
    svg_place(p, SVG_PLOT + SVG_AXIS + 20, SVG_PLOT_HIGH + 58);
    double x = p->x + SVG_AXIS, y = p->y + 32;
    double bottom = y + SVG_PLOT_HIGH;
    svg_text(p, p->x + 4, p->y + 24, "start", "objective");
    put(p->a, &p->body, "<rect class=\"l\" x=\"%.1f\" y=\"%.1f\" "
        "width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#bbbbbb\"/>\n"
        "<polyline ", x, y, SVG_PLOT, SVG_PLOT_HIGH);
    svg_put_color(p->a, &p->body, "stroke", 0);
    put(p->a, &p->body, " fill=\"none\" stroke-width=\"2\" points=\"");
    for (size_t s = 0; s < o->trace; s++) {
        double up = high > low ? ((double)o->objective[s] - low) / (high - low)
                               : 0.5;
        put(p->a, &p->body, "%.1f,%.1f ", x + 6 + (SVG_PLOT - 12) * (double)s /
            (double)(o->trace - 1), bottom - 6 - (SVG_PLOT_HIGH - 12) * up);
    }
    put(p->a, &p->body, "\"/>\n");
    svg_text(p, x, bottom + 16, "start", "0");
    sprintf(number, "%zu iterations", o->trace - 1);
    svg_text(p, x + SVG_PLOT, bottom + 16, "end", number);
    sprintf(number, "%.4g", high);
    svg_text(p, x - 5, y + 12, "end", number);
    sprintf(number, "%.4g", low);
    svg_text(p, x - 5, bottom - 2, "end", number);
}

/* ---- the whole ---- */

/* Method, number of clusters, and how good: by truth where it is known, else
 * whether they lie apart. */
static const char *svg_title(picture *p)
{
    const report *r = p->r;
    size_t n = r->tasks->n, known = 0, least = r->entry[0].k, most = least;
    double score = 0;
    text t = {NULL, 0, 0};
    for (size_t i = 0; i < n; i++) {
        const entry *e = &r->entry[i];
        least = e->k < least ? e->k : least;
        most = e->k > most ? e->k : most;
        known += e->truth != NULL;
        score += e->truth == NULL ? 0 : finds_classes(r) ? e->acc : e->nmi;
    }
    put(p->a, &t, "mtc %s %s, %zu", r->method->kind, r->method->name, least);
    if (most > least)
        put(p->a, &t, " to %zu", most);
    put(p->a, &t, finds_classes(r) ? " classes" : " cluster%s",
        most == 1 ? "" : "s");
    if (known > 0)
        put(p->a, &t, ", %s %.2f", finds_classes(r) ? "accuracy" : "NMI",
            score / (double)known);
    else if (worst_border(r, r->seen) != NULL)
        put(p->a, &t, ", %s", is(worst_border(r, r->seen), "apart") ? "clearly apart"
                              : is(worst_border(r, r->seen), "touch") ? "touching"
                                                             : "overlapping");
    return t.at;
}

/* Ground, text, lines and colors for one setting of the reader's. */
static void svg_variables(app *a, text *t, const char *ground,
                          const char *ink, const char *line,
                          const char *const *color)
{
    put(a, t, ".mtc{--g:%s;--t:%s;--l:%s", ground, ink, line);
    for (int c = 0; c < SVG_COLORS; c++)
        put(a, t, ";--c%d:%s", c, color[c]);
    put(a, t, "}");
}

static void svg_style(app *a, text *t)
{
    put(a, t, "<style>\n");
    svg_variables(a, t, "#ffffff", "#222222", "#bbbbbb", svg_light);
    put(a, t, "\n@media (prefers-color-scheme:dark){");
    svg_variables(a, t, "#15181d", "#e2e4e8", "#565b63", svg_dark);
    put(a, t, "}\n.b{fill:var(--g)}.t{fill:var(--t)}.l{stroke:var(--l)}"
        "\n.r,.e{stroke:var(--t)}");
    for (int c = 0; c < SVG_COLORS; c++)
        put(a, t, "\n.c%d{fill:var(--c%d)}.s%d{stroke:var(--c%d)}", c, c,
            c, c);
    put(a, t, "\n</style>\n");
}

/* A page with its title, colors and ground; the body begins below SVG_TITLE. */
void svg_write(app *a, const char *path, const char *title, double width,
               double height, const text *body)
{
    text t = {NULL, 0, 0};
    put(a, &t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"mtc\" role=\"img\""
        " width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
        "font-family=\"sans-serif\" font-size=\"13\" fill=\"#222222\">\n"
        "<title>%s</title>\n", width, height, width, height, title);
    svg_style(a, &t);
    put(a, &t, "<rect class=\"b\" width=\"%.0f\" height=\"%.0f\" "
        "fill=\"#ffffff\"/>\n<text class=\"t\" x=\"4\" y=\"18\" "
        "font-size=\"15\" font-weight=\"bold\">%s</text>\n", width, height,
        title);
    add_bytes(a, &t, body->at, body->length);
    put(a, &t, "</svg>\n");
    save(a, path, &t);
}

/* The widest of what will be drawn decides where lines are broken. */
static double svg_width(const picture *p)
{
    size_t n = p->r->tasks->n;
    size_t most = p->small ? SVG_SMALL_IN_ROW : SVG_IN_ROW;
    size_t in_row = p->panels < most ? p->panels : most;
    double width = (double)in_row * p->panel[0].side;
    double least = SVG_PLOT + SVG_AXIS + 50;    /* and the title */
    if (p->job->relatedness != NULL && p->job->n == n &&
        least < heat_width(n) + 4)
        least = heat_width(n) + 4;
    return width > least ? width : least;
}

void write_svg(const report *r)
{
    picture p = {.a = r->job->a, .r = r, .job = r->job,
                 .small = r->tasks->n > MANY_TASKS};
    svg_kinds(&p);
    svg_panels(&p);
    p.width = svg_width(&p);
    p.y = SVG_TITLE;
    svg_tasks(&p);
    svg_legend(&p);
    svg_relatedness(&p);
    svg_objective(&p);
    svg_break(&p);
    svg_write(p.a, r->job->set->svg, svg_title(&p), p.width, p.y + 4, &p.body);
}
