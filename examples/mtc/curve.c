/* SPDX-License-Identifier: MIT
 *
 * curve.c - figures over iterations, or over the values of an option
 */
#include "summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDE = 420, HIGH = 140, LEFT = 80, PANEL = HIGH + 60, MOST_RUNS = 40 };

/* The least and the largest of x [n]; 0: there is none. */
static int range_of(size_t n, const double *x, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        *low = x[i] < *low ? x[i] : *low;
        *high = x[i] > *high ? x[i] : *high;
    }
    return *low <= *high;
}

static double share_of(double x, double low, double high)
{
    return high > low ? (x - low) / (high - low) : 0.5;
}

/* Frame, name, numbers at the corners. */
static void put_frame(app *a, text *t, const course *c, const char *below,
                      double y, const double *corner)
{
    char number[40];
    svg_put_text(a, t, LEFT, y + 14, "start", c->name);
    put(a, t, "<rect class=\"l\" x=\"%d\" y=\"%.0f\" width=\"%d\" "
        "height=\"%d\" fill=\"none\" stroke=\"#bbbbbb\"/>\n", LEFT, y + 20,
        WIDE, HIGH);
    sprintf(number, "%.4g", corner[0]);
    svg_put_text(a, t, LEFT, y + HIGH + 36, "start", number);
    sprintf(number, "%.4g", corner[1]);
    svg_put_text(a, t, LEFT + WIDE, y + HIGH + 36, "end", number);
    svg_put_text(a, t, LEFT + WIDE / 2, y + HIGH + 36, "middle", below);
    sprintf(number, "%.4g", corner[2]);
    svg_put_text(a, t, LEFT - 5, y + HIGH + 18, "end", number);
    sprintf(number, "%.4g", corner[3]);
    svg_put_text(a, t, LEFT - 5, y + 32, "end", number);
}

static void put_panel(app *a, text *t, const course *c, const char *below,
                      double y)
{
    double corner[4];
    if (!range_of(c->n, c->y, &corner[2], &corner[3]))
        return;
    range_of(c->n, c->x, &corner[0], &corner[1]);
    put_frame(a, t, c, below, y, corner);
    put(a, t, "<polyline fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"2\" "
        "points=\"");
    for (size_t i = 0; i < c->n; i++)
        if (c->y[i] - c->y[i] == 0)
            put(a, t, "%.1f,%.1f ",
                LEFT + 6 + (WIDE - 12) * share_of(c->x[i], corner[0],
                                                  corner[1]),
                y + 26 + (HIGH - 12) * (1 - share_of(c->y[i], corner[2],
                                                     corner[3])));
    put(a, t, "\"/>\n");
}

/* A page of curves, one below the other, each on its own scale. */
void draw_curves(app *a, const char *path, const char *title,
                 const char *below, size_t n, const course *c)
{
    text body = {NULL, 0, 0};
    for (size_t i = 0; i < n; i++)
        put_panel(a, &body, &c[i], below,
                  SVG_TITLE + 4 + (double)(i * PANEL));
    svg_write(a, path, title, LEFT + WIDE + 40,
              SVG_TITLE + 8 + (double)(n * PANEL), &body);
}

/* ---- convergence ---- */

/* 0, 1, ..., n - 1. */
static double *steps(app *a, size_t n)
{
    double *x = TAKE(a, n, double);
    for (size_t i = 0; i < n; i++)
        x[i] = (double)i;
    return x;
}

static course objective_curve(app *a, const solution *w, size_t t)
{
    const outcome *o = &w->j.out[t];
    text name = {NULL, 0, 0};
    double *y = TAKE(a, o->trace, double);
    put(a, &name, "objective");
    if (w->j.n > 1 && !w->r.method->joint)
        put(a, &name, " of %s", cut_name(a, w->j.name[t], 30));
    for (size_t i = 0; i < o->trace; i++)
        y[i] = (double)o->objective[i];
    course c = {name.at, o->trace, steps(a, o->trace), y};
    return c;
}

/* The mean accuracy over the tasks; NaN where one has no labels. */
static double mean_accuracy(const report *r)
{
    double sum = 0;
    for (size_t i = 0; i < r->tasks->n; i++) {
        if (r->entry[i].truth == NULL)
            return (double)NAN;
        sum += r->entry[i].acc;
    }
    return sum / (double)r->tasks->n;
}

/* The accuracy if the method ends after so many iterations. */
static double accuracy_after(app *a, const method *m, size_t iterations,
                             int argc, char **argv)
{
    char number[24], name[] = "--iterations";
    void *mark = take(a, 1, 1);
    char **more = TAKE(a, (size_t)argc + 2, char *);
    size_t inputs = a->n_inputs;
    sprintf(number, "%zu", iterations);
    memcpy(more, argv, (size_t)argc * sizeof *more);
    more[argc] = name;                  /* the last one counts */
    more[argc + 1] = number;
    a->deaf = 1;
    double accuracy = mean_accuracy(&solve(a, m, argc + 2, more)->r);
    a->deaf = 0;
    a->n_inputs = inputs;
    pool_rewind(a, mark);
    return accuracy;
}

/* Runs again with 1, 2, ... iterations; of many only some. */
static course accuracy_curve(app *a, const solution *w, size_t last, int argc,
                            char **argv)
{
    size_t n = last < MOST_RUNS ? last : MOST_RUNS;
    double *x = TAKE(a, n, double), *y = TAKE(a, n, double);
    for (size_t i = 0; i < n; i++) {
        size_t iterations = n < 2 ? last : 1 + i * (last - 1) / (n - 1);
        x[i] = (double)iterations;
        y[i] = accuracy_after(a, w->r.method, iterations, argc, argv);
    }
    course c = {"accuracy, ended after so many iterations", n, x, y};
    return c;
}

/* May the files be read again, and can the method end sooner?  In a vote
 * --iterations are those of its runs. */
static int runs_again(const app *a, const solution *w, int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (is(argv[i], "--"))
            return 0;
    if (a->standard_input)
        return 0;
    double accuracy = mean_accuracy(&w->r);
    const char *name = w->r.method->name;
    if (is(name, "ec") || is(name, "trec") || is(name, "vote"))
        return 0;
    return strstr(w->r.method->options, "iterations=") != NULL &&
           accuracy - accuracy == 0;
}

/* --svg-curve: how the objective falls and, with labels, the accuracy rises. */
void draw_convergence(app *a, solution *w, int argc, char **argv)
{
    const method *m = w->r.method;
    course c[MANY_TASKS + 1];
    size_t n = 0, last = 0;
    text title = {NULL, 0, 0};
    for (size_t t = 0; t < w->j.n; t++) {
        const outcome *o = &w->j.out[t];
        last = o->iterations > last ? o->iterations : last;
        if (o->trace > 0 && n < (m->joint && !m->traces ? 1 : MANY_TASKS))
            c[n++] = objective_curve(a, w, t);
    }
    if (n == 0)
        fail(a, BAD_USAGE, "--svg-curve: %s has no objective by iteration",
             m->name);
    if (last > 0 && runs_again(a, w, argc, argv))
        c[n++] = accuracy_curve(a, w, last, argc, argv);
    put(a, &title, "mtc %s: convergence", m->name);
    draw_curves(a, w->set.svg_curve, title.at, "iterations", n, c);
}
