/* SPDX-License-Identifier: MIT
 *
 * curve.c - figures over the values of an option
 */
#include "summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDE = 420, HIGH = 140, LEFT = 80, PANEL = HIGH + 60 };

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
