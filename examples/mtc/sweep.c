/* SPDX-License-Identifier: MIT
 *
 * sweep.c - sweep: a method over the values of one or two of its options
 *
 * The command line of each cell is the user's with one value for each list.
 * It runs as `cluster` or `transfer` would run it, files included, so that a
 * cell is what that command gives.  Notices are those of the first cell.
 */
#include "summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 10000, FIGURES = 3 };

/* An option with several values. */
typedef struct axis {
    const char *name;               /* "lambda" */
    words value;
    size_t place;                   /* of its value in the command line */
} axis;

typedef struct cell {
    double mean[FIGURES], deviation[FIGURES];   /* acc, nmi, ari */
    double stability, objective;                /* NaN: none */
} cell;

typedef struct sweep {
    const method *method;
    settings set;                   /* its own options */
    words args;                     /* of the method */
    axis axis[2];
    size_t axes;
    size_t seed_place;              /* value of --seed in args */
    uint64_t seed;
    int truth;
    size_t tasks, samples;
    cell *cells;
    size_t n;
} sweep;

static const char *const figure_name[FIGURES] = {"acc", "nmi", "ari"};

/* ---- the command line ---- */

static int is_numeric(const option *o)
{
    return o->type == COUNT || o->type == COUNTS || o->type == CLUSTERS ||
           o->type == REAL || o->type == REALS;
}

static int is_own(const char *name, size_t length)
{
    static const char *const own[] = {"repeat", "oracle", "json", "svg", "jobs",
                                      "quiet"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strlen(own[i]) == length && strncmp(own[i], name, length) == 0)
            return 1;
    return 0;
}

static void add_axis(app *a, sweep *s, const option *o, const char *values)
{
    a->topic = "sweep";
    if (s->axes == 2)
        fail(a, BAD_USAGE, "sweep takes lists for two options at most");
    axis *x = &s->axis[s->axes++];
    text name = {NULL, 0, 0};
    put(a, &name, "%.*s", (int)strcspn(o->name, "."), o->name);
    x->name = name.at;
    x->place = s->args.n;
    for (const char *v = values;; v += strcspn(v, ",") + 1) {
        double number;
        size_t n = strcspn(v, ",");
        if (n == 0 || decimal_at(v, '.', &number) != v + n)
            fail(a, BAD_USAGE, "--%s %s: sweep takes a list of numbers",
                 x->name, values);
        add_word(a, &x->value, v, n);
        if (v[n] == '\0')
            break;
    }
    a->topic = s->method->name;
    add_word(a, &s->args, x->value.at[0], strlen(x->value.at[0]));
}

/* To the sweep's own options, or (mine NULL) to the method's; --quiet and
 * --jobs are for both. */
static void give_word(app *a, sweep *s, words *own, const option *mine,
                      const char *word)
{
    if (mine != NULL)
        add_word(a, own, word, strlen(word));
    if (mine == NULL || mine->target == IN(quiet) || mine->target == IN(jobs))
        add_word(a, &s->args, word, strlen(word));
}

/* One option at argv[i] goes to `own` or to the method; the last argument it
 * used. */
static int take_option(app *a, sweep *s, words *own, int argc, char **argv,
                       int i)
{
    const char *name = argv[i] + (argv[i][1] == '-') + 1;
    size_t length = strcspn(name, "=");
    text typed = {NULL, 0, 0};
    int mine = is_own(name, length);
    const option *o = find_option(a, mine ? SWEEP_OPTIONS : s->method->options,
                                  name, length);
    for (size_t x = 0; x < s->axes && !mine; x++)
        if (strlen(s->axis[x].name) == length &&
            strncmp(s->axis[x].name, name, length) == 0)
            fail(a, BAD_USAGE, "--%s is given twice", s->axis[x].name);
    if (o->target == IN(out) || o->target == IN(save))
        fail(a, BAD_USAGE, "--%.*s: sweep writes only --json and --svg",
             (int)length, name);
    put(a, &typed, "--%.*s", (int)length, name);
    if (o->target != IN(seed))
        give_word(a, s, own, mine ? o : NULL, typed.at);
    if (o->type == FLAG)
        return i;
    const char *value = name[length] == '=' ? name + length + 1
                        : i + 1 < argc      ? argv[++i] : NULL;
    if (value == NULL)
        fail(a, BAD_USAGE, "--%.*s: a value is missing", (int)length, name);
    if (o->target == IN(seed))
        s->args.at[s->seed_place] = value;
    else if (is_numeric(o) && !mine && strchr(value, ',') != NULL)
        add_axis(a, s, o, value);
    else
        give_word(a, s, own, mine ? o : NULL, value);
    return i;
}

/* argv [n] for parse_args. */
static char **arguments(app *a, const words *w)
{
    char **argv = TAKE(a, w->n, char *);
    for (size_t i = 0; i < w->n; i++)
        argv[i] = COPY(a, w->at[i], strlen(w->at[i]) + 1, char);
    return argv;
}

/* The arguments to `own` and to the method. */
static void part_arguments(app *a, sweep *s, words *own, int argc, char **argv)
{
    int options_end = 0;
    for (int i = 1; i < argc; i++) {
        int ends = !options_end && is(argv[i], "--");
        options_end |= ends;
        if (!options_end && looks_like_option(argv[i]))
            i = take_option(a, s, own, argc, argv, i);
        else if (is(argv[i], "-"))
            fail(a, BAD_USAGE, "sweep reads its files again and again: "
                 "standard input cannot be one");
        else
            add_word(a, &s->args, argv[i], strlen(argv[i]));
    }
}

/* Before anything runs, each value is looked at as the method will do it. */
static void check_values(app *a, sweep *s)
{
    a->deaf = 1;
    for (size_t x = 0; x < s->axes; x++)
        for (size_t v = 0; v < s->axis[x].value.n; v++) {
            settings set;
            words args = s->args;
            args.at = COPY(a, s->args.at, s->args.n, const char *);
            args.at[s->axis[x].place] = s->axis[x].value.at[v];
            parse_args(a, s->method->name, s->method->options, (int)args.n,
                       arguments(a, &args), &set);
            s->seed = set.seed;
        }
    a->deaf = 0;
}

static void parse_sweep(app *a, sweep *s, int argc, char **argv)
{
    words own = {0, 0, NULL};
    s->method = find_method(a, "sweep", method_name(argc, argv));
    a->topic = s->method->name;
    add_word(a, &s->args, "--seed", 6);
    s->seed_place = s->args.n;
    add_word(a, &s->args, "1", 1);
    part_arguments(a, s, &own, argc, argv);
    parse_args(a, "sweep", SWEEP_OPTIONS, (int)own.n, arguments(a, &own),
               &s->set);
    if (s->axes == 0)
        fail(a, BAD_USAGE, "sweep needs an option with several values, such "
             "as --k 2,3,4");
    s->n = s->axis[0].value.n;
    if (s->axes == 2) {
        if (s->n > MOST_CELLS / s->axis[1].value.n)
            s->n = MOST_CELLS + 1;
        else
            s->n *= s->axis[1].value.n;
    }
    if (s->n > MOST_CELLS)
        fail(a, BAD_USAGE, "a sweep of more than %d cells", MOST_CELLS);
    check_values(a, s);
}

/* ---- a cell ---- */

/* Which value of an axis a cell has. */
static size_t index_on(const sweep *s, size_t i, size_t which)
{
    size_t across = s->axes == 2 ? s->axis[1].value.n : 1;
    return which == 0 ? i / across : i % across;
}

static const char *value_of(const sweep *s, size_t i, size_t which)
{
    return s->axis[which].value.at[index_on(s, i, which)];
}

/* The r-th run of cell i. */
static solution *solve_cell(app *a, const sweep *s, size_t i, size_t r)
{
    char seed[32];
    char **argv = arguments(a, &s->args);
    sprintf(seed, "%llu", (unsigned long long)(s->seed + r));
    argv[s->seed_place] = seed;
    for (size_t x = 0; x < s->axes; x++) {
        const char *value = value_of(s, i, x);
        argv[s->axis[x].place] = COPY(a, value, strlen(value) + 1, char);
    }
    return solve(a, s->method, (int)s->args.n, argv);
}

/* The mean of the last values of the objective; NaN where there is none. */
static double last_objective(const solution *w)
{
    double sum = 0;
    size_t n = 0;
    for (size_t t = 0; t < w->j.n; t++)
        if (w->j.out[t].trace > 0) {
            sum += (double)w->j.out[t].objective[w->j.out[t].trace - 1];
            n++;
        }
    return n > 0 ? sum / (double)n : (double)NAN;
}

/* The figures of one run: means over the tasks.  labels [samples]. */
static void look_at(const sweep *s, const solution *w, double *figure,
                    int *labels)
{
    size_t at = 0;
    for (size_t i = 0; i < s->tasks; i++) {
        const entry *e = &w->r.entry[i];
        figure[0] += e->acc / (double)s->tasks;
        figure[1] += e->nmi / (double)s->tasks;
        figure[2] += e->ari / (double)s->tasks;
        memcpy(labels + at, e->labels, e->n * sizeof *labels);
        at += e->n;
    }
}

/* The mean ARI between the answers of two seeds, over pairs and tasks. */
static double stability_of(app *a, const sweep *s, const size_t *sizes,
                           const int *labels)
{
    size_t repeats = s->set.repeats, pairs = 0;
    double sum = 0;
    mtc_context ctx = context_of(a, 0);
    for (size_t r = 0; r < repeats; r++)
        for (size_t q = 0; q < r; q++) {
            const int *x = labels + r * s->samples, *y = labels + q * s->samples;
            for (size_t i = 0; i < s->tasks; i++) {
                mtc_scores score;
                check(a, &ctx, mtc_score(&ctx, sizes[i], x, y, &score),
                      "sweep");
                sum += (double)score.ari;
                x += sizes[i];
                y += sizes[i];
                pairs++;
            }
        }
    return pairs > 0 ? sum / (double)pairs : (double)NAN;
}

/* Mean and standard deviation over the repeats. */
static void summarize(const sweep *s, const double *figure, cell *c)
{
    double n = (double)s->set.repeats;
    for (size_t f = 0; f < FIGURES; f++) {
        double square = 0;
        for (size_t r = 0; r < s->set.repeats; r++)
            c->mean[f] += figure[r * FIGURES + f] / n;
        for (size_t r = 0; r < s->set.repeats; r++)
            square += pow(figure[r * FIGURES + f] - c->mean[f], 2);
        c->deviation[f] = n > 1 ? sqrt(square / (n - 1)) : 0;
    }
}

/* Piece i: all runs of a cell. */
static void run_cell(app *a, void *of, size_t i)
{
    sweep *s = (sweep *)of;
    size_t repeats = s->set.repeats;
    double *figure = TAKE(a, repeats * FIGURES, double), objective = 0;
    int *labels = TAKE(a, repeats * s->samples, int);
    size_t *sizes = TAKE(a, s->tasks, size_t);
    a->deaf = 1;
    a->inputs = NULL;                   /* they are the first thread's */
    a->n_inputs = a->room_inputs = 0;
    for (size_t r = 0; r < repeats; r++) {
        void *mark = take(a, 1, 1);
        const solution *w = solve_cell(a, s, i, r);
        look_at(s, w, figure + r * FIGURES, labels + r * s->samples);
        objective += last_objective(w) / (double)repeats;
        for (size_t t = 0; t < s->tasks; t++)
            sizes[t] = w->r.entry[t].n;
        a->inputs = NULL;
        a->n_inputs = a->room_inputs = 0;
        pool_rewind(a, mark);
    }
    summarize(s, figure, &s->cells[i]);
    s->cells[i].objective = objective;
    s->cells[i].stability = stability_of(a, s, sizes, labels);
    pool_release(sizes);
    pool_release(labels);
    pool_release(figure);
}

/* The first run is also one for the eyes: it says what files are like, and
 * stops the program where something is wrong. */
static void run_all(app *a, sweep *s)
{
    const solution *w = solve_cell(a, s, 0, 0);
    s->tasks = w->r.tasks->n;
    s->truth = 1;
    for (size_t i = 0; i < s->tasks; i++) {
        s->truth &= w->r.entry[i].truth != NULL;
        s->samples += w->r.entry[i].n;
    }
    if (s->set.oracle && !s->truth)
        fail(a, BAD_USAGE, "--oracle needs labels in all files");
    s->cells = TAKE(a, s->n, cell);
    progress_outer(a, READING, 1);
    run_pieces(a, s->set.jobs, s->n, run_cell, s);
}

/* ---- reports ---- */

/* What the picture and the first sentence are about. */
static double main_figure(const sweep *s, const cell *c)
{
    return s->truth ? c->mean[0] : c->stability;
}

static size_t best_cell(const sweep *s)
{
    size_t best = 0;
    for (size_t i = 1; i < s->n; i++)
        if (s->cells[i].mean[0] > s->cells[best].mean[0])
            best = i;
    return best;
}

static void put_cell_name(app *a, text *t, const sweep *s, size_t i)
{
    for (size_t x = 0; x < s->axes; x++)
        put(a, t, "%s--%s %s", x == 0 ? "" : " ", s->axis[x].name,
            value_of(s, i, x));
}

static void put_answer(app *a, text *t, const sweep *s)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    size_t best = 0, equal = 0;
    for (size_t i = 0; i < s->n; i++) {
        double x = main_figure(s, &s->cells[i]);
        best = x > high ? i : best;
        low = x < low ? x : low;
        high = x > high ? x : high;
    }
    for (size_t i = 0; i < s->n; i++)
        equal += high - main_figure(s, &s->cells[i]) < 0.00005;
    put(a, t, "%s of %s", s->truth ? "The accuracy" : "The stability",
        s->method->name);
    if (low > high)
        put(a, t, " needs two runs a cell (--repeat).\n");
    else if (equal == s->n)
        put(a, t, " is %.4f in all %zu cells.\n", high, s->n);
    else {
        put(a, t, " goes from %.4f to %.4f over %zu cells", low, high, s->n);
        if (!s->truth && equal == 1) {
            put(a, t, ";\nit is highest with ");
            put_cell_name(a, t, s, best);
        }
        put(a, t, ".\n");
    }
    if (!s->set.oracle)
        return;
    put(a, t, "Best by the labels is ");
    put_cell_name(a, t, s, best_cell(s));
    put(a, t, " (*).  This choice looked at the labels:\nit is not a "
        "result.\n");
}

static void put_figure(app *a, text *t, double x)
{
    if (x - x == 0)
        put(a, t, " %12.6g", x);
    else
        put(a, t, " %12s", "-");
}

static void print_sweep(app *a, const sweep *s)
{
    text t = {NULL, 0, 0};
    put_answer(a, &t, s);
    put(a, &t, "\n");
    for (size_t x = 0; x < s->axes; x++)
        put_heading(a, &t, s->axis[x].name, 10);
    for (size_t f = 0; f < FIGURES && s->truth; f++)
        put(a, &t, " %8s %7s", figure_name[f], "sd");
    if (!s->truth)
        put(a, &t, " %12s %12s", "stability", "objective");
    put(a, &t, "\n");
    for (size_t i = 0; i < s->n; i++) {
        const cell *c = &s->cells[i];
        for (size_t x = 0; x < s->axes; x++)
            put_heading(a, &t, value_of(s, i, x), 10);
        for (size_t f = 0; f < FIGURES && s->truth; f++)
            put(a, &t, " %8.4f %7.4f", c->mean[f], c->deviation[f]);
        if (!s->truth) {
            put_figure(a, &t, c->stability);
            put_figure(a, &t, c->objective);
        }
        put(a, &t, "%s\n", s->set.oracle && i == best_cell(s) ? " *" : "");
    }
    save(a, "-", &t);
}

static void json_cell(app *a, text *t, const sweep *s, size_t i)
{
    const cell *c = &s->cells[i];
    put(a, t, "%s\n    {", i == 0 ? "" : ",");
    for (size_t x = 0; x < s->axes; x++) {
        put(a, t, "%s\"%s\": ", x == 0 ? "" : ", ", s->axis[x].name);
        put_real(a, t, strtod(value_of(s, i, x), NULL));
    }
    for (size_t f = 0; f < FIGURES && s->truth; f++) {
        put(a, t, ", \"%s\": ", figure_name[f]);
        put_real(a, t, c->mean[f]);
        put(a, t, ", \"%s_sd\": ", figure_name[f]);
        put_real(a, t, c->deviation[f]);
    }
    if (!s->truth) {
        put(a, t, ", \"stability\": ");
        put_real(a, t, c->stability);
        put(a, t, ", \"objective\": ");
        put_real(a, t, c->objective);
    }
    put(a, t, "}");
}

static void json_sweep(app *a, const sweep *s)
{
    text t = {NULL, 0, 0};
    json_begin(a, &t);
    put(a, &t, "\"method\": \"%s\",\n  \"repeat\": %zu,\n  \"cells\": [",
        s->method->name, s->set.repeats);
    for (size_t i = 0; i < s->n; i++)
        json_cell(a, &t, s, i);
    put(a, &t, "]");
    if (s->set.oracle)
        put(a, &t, ",\n  \"oracle\": %zu", best_cell(s));
    put(a, &t, "\n}\n");
    save(a, s->set.json, &t);
}

/* One option: curves of the figures over it. */
static void svg_line_of_cells(app *a, const sweep *s, const char *title)
{
    static const char *const name[2][2] = {{"stability", "objective"},
                                           {"accuracy", "NMI"}};
    double *x = TAKE(a, s->n, double), *y[2];
    const cell **by = TAKE(a, s->n, const cell *);  /* as their values ascend */
    course c[2];
    for (size_t i = 0; i < s->n; i++) {
        double value = strtod(value_of(s, i, 0), NULL);
        size_t at = i;
        for (; at > 0 && x[at - 1] > value; at--) {
            x[at] = x[at - 1];
            by[at] = by[at - 1];
        }
        x[at] = value;
        by[at] = &s->cells[i];
    }
    for (size_t f = 0; f < 2; f++) {
        y[f] = TAKE(a, s->n, double);
        for (size_t i = 0; i < s->n; i++)
            y[f][i] = s->truth ? by[i]->mean[f]
                      : f == 0 ? by[i]->stability : by[i]->objective;
        course one = {name[s->truth][f], s->n, x, y[f]};
        c[f] = one;
    }
    draw_curves(a, s->set.svg, title, s->axis[0].name, 2, c);
}

/* Two: a heat map. */
static void svg_grid_of_cells(app *a, const sweep *s, const char *title)
{
    text body = {NULL, 0, 0}, axes = {NULL, 0, 0};
    size_t rows = s->axis[0].value.n, columns = s->axis[1].value.n;
    double *value = TAKE(a, s->n, double);
    for (size_t i = 0; i < s->n; i++)
        value[i] = main_figure(s, &s->cells[i]);
    put(a, &axes, "%s; down: %s, across: %s", s->truth ? "accuracy"
                                                       : "stability",
        s->axis[0].name, s->axis[1].name);
    heat_grid(a, &body, axes.at, rows, columns, s->axis[0].value.at,
              s->axis[1].value.at, value);
    svg_write(a, s->set.svg, title, fmax(heat_width(0) + 46 * (double)columns,
                                         400),
              SVG_TITLE + 60 + 28 * (double)rows, &body);
}

/* mtc sweep METHOD --OPTION V,V,... [--OPTION V,V,...] TASK... */
void run_sweep(app *a, int argc, char **argv)
{
    sweep *s = TAKE(a, 1, sweep);
    text title = {NULL, 0, 0};
    parse_sweep(a, s, argc, argv);
    settings own = s->set;
    run_all(a, s);
    a->quiet = own.quiet;
    wipe_progress(a);
    put(a, &title, "mtc sweep %s", s->method->name);
    if (own.svg != NULL && s->axes == 1)
        svg_line_of_cells(a, s, title.at);
    else if (own.svg != NULL)
        svg_grid_of_cells(a, s, title.at);
    if (own.json != NULL)
        json_sweep(a, s);
    if (!own.quiet && !is(own.json, "-") && !is(own.svg, "-"))
        print_sweep(a, s);
}
