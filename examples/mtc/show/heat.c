/* SPDX-License-Identifier: MIT
 *
 * heat.c - a matrix over the tasks as a picture: the darker, the larger
 *
 * A few tasks have their names and figures in it; many have small cells, which
 * tell of themselves where a reader points at them.
 */
#include "summary.h"

#include <math.h>
#include <stdio.h>

enum { CELL = 46, CELL_HIGH = 28, NAMES = 120, SMALL = 7, LINE = 20 };

static int is_small(size_t n)
{
    return n > MANY_TASKS;
}

double heat_width(size_t n)
{
    return is_small(n) ? (double)n * SMALL + 24
                       : NAMES + (double)n * CELL + 20;
}

double heat_height(size_t n)
{
    return is_small(n) ? LINE + (double)n * SMALL + 24
                       : 2 * LINE + (double)n * CELL_HIGH + 12;
}

static void put_figure(app *a, text *t, double value)
{
    if (value - value == 0)
        put(a, t, fabs(value) < 99.995 ? "%.2f" : "%.3g", value);
    else
        put(a, t, "-");
}

/* A cell, whose color is the share of the whole range: a small one tells of
 * itself, on a large one the figure is readable. */
static void put_cell(app *a, text *t, int small, double x, double y,
                     double share, const char *names, double value)
{
    put(a, t, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" "
        "fill=\"#%02x%02x%02x\"", x, y, small ? SMALL : CELL - 2,
        small ? SMALL : CELL_HIGH - 2, (unsigned)(243 - 225 * share),
        (unsigned)(247 - 177 * share), (unsigned)(251 - 121 * share));
    if (small) {
        put(a, t, "><title>");
        put_escaped(a, t, names, 1);
        put(a, t, ": ");
    } else
        put(a, t, "/>\n<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\" "
            "fill=\"%s\" font-size=\"12\">", x + CELL / 2 - 1, y + 17,
            share > 0.6 ? "#ffffff" : "#222222");
    put_figure(a, t, value);
    put(a, t, small ? "</title></rect>\n" : "</text>\n");
}

/* The names of rows, and numbers above the columns. */
static void put_names(app *a, text *t, double x, double y, size_t n,
                      const char *const *name)
{
    for (size_t i = 0; i < n; i++) {
        char number[24];
        sprintf(number, "%zu", i + 1);
        svg_put_text(a, t, x + NAMES + ((double)i + .5) * CELL - 1, y + 24,
                     "middle", number);
        svg_put_text(a, t, x + 4, y + 47 + CELL_HIGH * (double)i, "start",
                     formed(a, "%zu %s", i + 1, cut_name(a, name[i], 13)));
    }
}

/* value [n*n] of the tasks name [n], with its corner at x, y. */
void heat_map(app *a, text *t, double x, double y, const char *title,
              size_t n, const char *const *name, const mtc_real *value)
{
    double least = 0, most = 0;
    int small = is_small(n);
    double wide = small ? SMALL : CELL, high = small ? SMALL : CELL_HIGH;
    for (size_t q = 0; q < n * n; q++) {
        least = fmin(least, (double)value[q]);
        most = fmax(most, (double)value[q]);
    }
    svg_put_text(a, t, x + 4, y + (small ? 13 : 24), "start", title);
    if (!small)
        put_names(a, t, x, y, n, name);
    for (size_t i = 0; i < n; i++)
        for (size_t s = 0; s < n; s++) {
            double v = (double)value[i * n + s];
            double share = most > least && v - v == 0
                               ? (v - least) / (most - least) : 0;
            put_cell(a, t, small, x + (small ? 4 : NAMES) + (double)s * wide,
                     y + (small ? LINE : 30) + (double)i * high, share,
                     formed(a, "%s, %s", name[i], name[s]), v);
        }
}
