/* SPDX-License-Identifier: MIT
 *
 * chart.c - the picture of compare: methods with error bars
 *
 * A line for each row of the table: its mean over the repeats as a dot, one
 * standard error to either side as a bar.  Colors and shapes tell whether a
 * row shares between tasks; dashed lines show the best of either sort.
 */
#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    CHART_NAMES = 190, CHART_PLOT = 380, CHART_VALUES = 70,
    CHART_LINE = 20, CHART_FOOT = 64
};

/* The sorts of rows, in the order of their colors. */
static const char *const chart_sort[] = {"single", "shared", "pooled"};

static size_t sort_of(const contender *r)
{
    return r->pooled ? 2 : shares(r) ? 1 : 0;
}

static int has_figure(const contender *r)
{
    double x = r->result[0].mean;
    return r->reason == NULL && x - x == 0;
}

/* Ends of the axis: all bars are between them, and it does not go beyond what
 * the measure can be. */
static void chart_range(const comparison *c, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < c->rows; i++) {
        estimate e = c->row[i].result[0];
        if (!has_figure(&c->row[i]))
            continue;
        *low = e.mean - e.error < *low ? e.mean - e.error : *low;
        *high = e.mean + e.error > *high ? e.mean + e.error : *high;
    }
    if (!(*high > *low)) {              /* one value, or none */
        *low = *low - *low == 0 ? *low - 0.5 : 0;
        *high = *low + 1;
    }
    double margin = 0.03 * (*high - *low), least = c->truth ? 0 : -1;
    *low = *low - margin > least ? *low - margin : least;
    *high = *high + margin < 1 ? *high + margin : 1;
}

/* The mark of a sort around (x,y): circle, square, diamond. */
static void chart_mark(app *a, text *t, size_t sort, double x, double y)
{
    static const char *const outline[] = {
        "m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", "m-4,-4h8v8h-8z",
        "m0,-5l5,5l-5,5l-5,-5z"};
    put(a, t, "<path ");
    svg_put_color(a, t, "fill", sort);
    put(a, t, " d=\"M%.1f,%.1f%s\"/>\n", x, y, outline[sort]);
}

/* One row: name and kind, bar, mark, value. */
static void chart_row(const comparison *c, text *t, const contender *r,
                      double y, double low, double high)
{
    app *a = c->a;
    char shown[80];
    size_t sort = sort_of(r);
    double unit = CHART_PLOT / (high - low), x = CHART_NAMES;
    snprintf(shown, sizeof shown, "%s %s", name_of(r), kind_of(r));
    svg_put_text(a, t, CHART_NAMES - 10, y + 4, "end", shown);
    x += (r->result[0].mean - low) * unit;
    double off = r->result[0].error * unit;
    double left = x - off > CHART_NAMES ? x - off : CHART_NAMES;
    double right = x + off < CHART_NAMES + CHART_PLOT
                       ? x + off : CHART_NAMES + CHART_PLOT;
    put(a, t, "<path ");
    svg_put_color(a, t, "stroke", sort);
    put(a, t, " stroke-width=\"%d\" d=\"M%.1f,%.1fh%.1fm0,-4v8M%.1f,%.1f"
        "v8\"/>\n", off > 1 ? 2 : 0, left, y, right - left, left, y - 4);
    chart_mark(a, t, sort, x, y);
    snprintf(shown, sizeof shown, "%.3f", r->result[0].mean);
    svg_put_text(a, t, CHART_NAMES + CHART_PLOT + CHART_VALUES - 8, y + 4,
                 "end", shown);
}

/* Where the best row of a sort lies, from top to bottom. */
static void chart_best(const comparison *c, text *t, int shared, double low,
                       double high, double height)
{
    const contender *best = best_of(c, shared);
    if (best == NULL)
        return;
    put(c->a, t, "<path ");
    svg_put_color(c->a, t, "stroke", (size_t)shared);
    put(c->a, t, " stroke-dasharray=\"4 4\" d=\"M%.1f,%dv%.1f\"/>\n",
        CHART_NAMES + CHART_PLOT * (best->result[0].mean - low) / (high - low),
        SVG_TITLE, height);
}

/* The ends of the axis, its name, and what the marks mean. */
static void chart_foot(const comparison *c, text *t, double y, double low,
                       double high)
{
    app *a = c->a;
    char shown[40];
    sprintf(shown, "%.3g", low);
    svg_put_text(a, t, CHART_NAMES, y + 14, "middle", shown);
    sprintf(shown, "%.3g", high);
    svg_put_text(a, t, CHART_NAMES + CHART_PLOT, y + 14, "middle", shown);
    svg_put_text(a, t, CHART_NAMES + CHART_PLOT / 2, y + 14, "middle",
                 c->truth ? "accuracy, bars: standard error"
                          : "stability, bars: standard error");
    for (size_t s = 0; s < 3; s++) {
        double x = 14 + 100 * (double)s;
        chart_mark(a, t, s, x, y + 40);
        svg_put_text(a, t, x + 10, y + 44, "start", chart_sort[s]);
    }
}

/* A text in lines of their own; returns their height. */
static double chart_lines(app *a, text *t, double y, const char *s)
{
    text lines = {NULL, 0, 0};
    double height = 0;
    put_wrapped(a, &lines, s);
    for (const char *line = lines.at; *line != '\0';) {
        size_t n = strcspn(line, "\n");
        text one = {NULL, 0, 0};
        put(a, &one, "%.*s", (int)n, line);
        svg_put_text(a, t, 4, y + 14 + height, "start", one.at);
        height += CHART_LINE;
        line += n + (line[n] == '\n');
    }
    return height;
}

/* The rows that have no figure, for either reason. */
static double chart_others(const comparison *c, text *t, double y)
{
    double height = 0;
    for (int failed = 0; failed < 2; failed++) {
        text list = {NULL, 0, 0};
        for (size_t i = 0; i < c->rows; i++) {
            const contender *r = &c->row[i];
            if (has_figure(r) || (r->reason != NULL) != failed)
                continue;
            put(c->a, &list, "%s%s %s", list.length > 0 ? ", "
                : failed ? "These cannot run on this data: "
                         : "Stability is measured only of methods that have a "
                           "guard, and not of ",
                name_of(r), kind_of(r));
        }
        if (list.length > 0)
            height += chart_lines(c->a, t, y + height, list.at);
    }
    return height;
}

void chart_comparison(const comparison *c)
{
    text t = {NULL, 0, 0};
    size_t shown = 0;
    for (size_t i = 0; i < c->rows; i++)
        shown += (size_t)has_figure(&c->row[i]);
    double low, high, height = CHART_LINE * (double)shown + 8;
    chart_range(c, &low, &high);
    put(c->a, &t, "<rect class=\"l\" x=\"%d\" y=\"%d\" width=\"%d\" "
        "height=\"%.0f\" fill=\"none\" stroke=\"#bbbbbb\"/>\n", CHART_NAMES,
        SVG_TITLE, CHART_PLOT, height);
    chart_best(c, &t, 0, low, high, height);
    chart_best(c, &t, 1, low, high, height);
    for (size_t i = 0, line = 0; i < c->rows; i++)
        if (has_figure(&c->row[i]))
            chart_row(c, &t, &c->row[i], SVG_TITLE + CHART_LINE *
                      ((double)line++ + 0.5) + 4, low, high);
    chart_foot(c, &t, SVG_TITLE + height, low, high);
    double others = chart_others(c, &t, SVG_TITLE + height + CHART_FOOT - 6);
    svg_write(c->a, c->set->svg, "mtc compare: does sharing help?",
              CHART_NAMES + CHART_PLOT + CHART_VALUES,
              SVG_TITLE + height + CHART_FOOT + others, &t);
}
