/* SPDX-License-Identifier: MIT
 *
 * transfer_experiment.c - what `mtc transfer` is worth without a method.
 *
 *     build/transfer_experiment [--markdown] [DATA [PART...]]
 *
 * Parts: `generated`, sets of eight kinds, and `tables`, `texts` and `images`
 * of DATA.  Each set is halved at random into source and target of at most 220
 * rows; then the target, or the source, is changed:
 *
 *   plain    not at all
 *   shift    every column moved by 1.2 deviations up or down; by .4; columns
 *            turned by 40 degrees, two by two; a quarter of them made noise;
 *            5 rows of each class are left of the source
 *   scale    columns times exp(.7 N); one times 1000; three in other units
 *            (times 1000, degrees Fahrenheit, inches); all columns of both
 *            sides times 10^U(-2,2)
 *   prior    classes of the target in shares 1 : .3 : .1 : .1 ...; a third of
 *            them missing; one left
 *   both     moved by 1.2 deviations, and the first or second of these shares
 *   covar    rows that lie farther along a random direction are more likely of
 *            the target: noise as wide as the rows is added
 *   cut      the same without noise: not one row lies on the other side
 *
 * Two classes have no third that could be missing: shares 1 : .3.
 *
 * Of texts and images each task is the source of the next of its set, the last
 * one that of the first: 14 and 2 pairs.  Rows of common classes are taken, of
 * tr11 and tr45 those in NAME.disjoint.rows.
 *
 * Printed: the accuracy of `mtc transfer` and of three methods on columns
 * z-scored together (texts: as they are), run by the program mtc beside this
 * one; mean over sets and changes but the cut, or over pairs.
 */
#include "table.h"

enum { ROWS = 220, D = 6, MOST_D = 256, CLASSES = 12, DRAWS = 2, METHODS = 4 };

static const char *const method_name[METHODS] = {
    "svm", "rbf: svm --kernel rbf", "llgc", "**mtc transfer, no method**"};
static const char *const method_words[METHODS] = {
    "svm", "svm --kernel rbf", "llgc", ""};

/* ---- tables -------------------------------------------------------------- */

typedef struct rows {
    size_t n, d, classes;
    double *x;                      /* [n*d] */
    int *y;                         /* [n] */
} rows;

static rows take_rows(size_t n, size_t d, size_t classes)
{
    rows r = {n, d, classes, ex_grow(NULL, n * d + 1, sizeof *r.x),
              ex_grow(NULL, n + 1, sizeof *r.y)};
    return r;
}

static void free_rows(rows *r)
{
    free(r->x);
    free(r->y);
}

static double normal(mtc_random *rng)
{
    return (double)mtc_random_normal(rng);
}

static double uniform(mtc_random *rng)
{
    return (double)mtc_random_real(rng);
}

static void mean_and_deviation(const rows *r, size_t f, double *mean,
                               double *deviation)
{
    ex_stat s = {0, 0, 0};
    for (size_t i = 0; i < r->n; i++)
        ex_add(&s, r->x[i * r->d + f]);
    *mean = ex_mean(&s);
    *deviation = ex_deviation(&s);
}

/* Keeps the rows that are marked. */
static void keep_rows(rows *r, const int *kept)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (!kept[i])
            continue;
        memmove(r->x + n * r->d, r->x + i * r->d, r->d * sizeof *r->x);
        r->y[n++] = r->y[i];
    }
    r->n = n;
}

/* Rows order[from], order[from + 1] ... as a table of their own. */
static rows part_of(const rows *all, const int *order, size_t from, size_t to)
{
    size_t d = all->d, n = to - from < ROWS ? to - from : ROWS;
    rows r = take_rows(n, d, all->classes);
    for (size_t i = 0; i < n; i++) {
        size_t row = (size_t)order[from + i];
        memcpy(r.x + i * d, all->x + row * d, d * sizeof *r.x);
        r.y[i] = all->y[row];
    }
    return r;
}

/* ---- sets ---------------------------------------------------------------- */

typedef enum kind {
    BLOBS, TIGHT, LONG, MOONS, RINGS, TIERS, SURVEY, HOSPITAL, KINDS
} kind;

static const char *const table_name[] = {
    "other-iris5", "uci-ecoli", "uci-sonar", "uci-wdbc", "uci-wine"};
enum { TABLES = sizeof table_name / sizeof table_name[0] };

/* One value of class z in column f, around its center. */
static double value_of(mtc_random *rng, kind what, double center, double along,
                       size_t f)
{
    double x = center + (what == TIGHT ? 0.3 : 1) * normal(rng);
    switch (what) {
    case LONG: return x + 3 * along;
    case TIERS: return exp(0.5 * x);
    case SURVEY: return floor(fmin(fmax(3 + 0.6 * x, 1), 5) + 0.5);
    case HOSPITAL: return f == 0 ? 100 + 25 * x : f == 1 ? 37 + 0.5 * x
                          : f == 2 ? 0.02 * exp(0.4 * x) : 10 * x + 60;
    default: return x;
    }
}

/* Two half circles that reach into one another, or two rings. */
static void curve(mtc_random *rng, int rings, size_t second, double *x)
{
    double turn = (rings ? 2 : 1) * 3.14159265358979323846 * uniform(rng);
    double wide = rings && second ? 2 : 1;
    int moon = !rings && second;
    x[0] = (moon ? 1 - cos(turn) : wide * cos(turn)) + 0.1 * normal(rng);
    x[1] = (moon ? 0.5 - sin(turn) : wide * sin(turn)) + 0.1 * normal(rng);
}

/* 440 rows of a kind: two classes of curves, three of the others. */
static rows generate(mtc_random *rng, kind what)
{
    int curved = what == MOONS || what == RINGS;
    rows r = take_rows(2 * ROWS, curved ? 2 : D, curved ? 2 : 3);
    double center[3 * D], axis[D];
    for (size_t e = 0; e < 3 * D; e++)
        center[e] = (what == LONG ? 2.5 : 1.7) * normal(rng);
    for (size_t f = 0; f < D; f++)
        axis[f] = normal(rng) / sqrt(D);
    for (size_t i = 0; i < r.n; i++) {
        size_t z = i % r.classes;
        double along = normal(rng);
        r.y[i] = (int)z;
        if (curved)
            curve(rng, what == RINGS, z, r.x + i * r.d);
        for (size_t f = 0; f < r.d && !curved; f++)
            r.x[i * D + f] = value_of(rng, what, center[z * D + f],
                                      along * axis[f], f);
    }
    return r;
}

/* DIR/battery/NAME.csv: a head, then values and last the label. */
static rows load_table(const char *dir, const char *name)
{
    char path[1100];
    snprintf(path, sizeof path, "%.1000s/battery/%.60s.csv", dir, name);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        ex_die(path, "cannot be opened");
    rows r = {0, 0, 0, NULL, NULL};
    for (int c = getc(f); c != '\n' && c != EOF; c = getc(f))
        r.d += c == ',';
    for (double x = 0; fscanf(f, "%lf", &x) == 1; r.n++) {
        r.x = ex_grow(r.x, (r.n + 1) * r.d, sizeof *r.x);
        r.y = ex_grow(r.y, r.n + 1, sizeof *r.y);
        for (size_t e = 0; e < r.d; e++) {
            r.x[r.n * r.d + e] = x;
            if (fscanf(f, ",%lf", &x) != 1)
                ex_die(path, "a row is too short");
        }
        r.y[r.n] = (int)x;
    }
    fclose(f);
    r.classes = ex_rank(r.n, r.y);
    return r;
}

/* ---- changes ------------------------------------------------------------- */

enum change {
    PLAIN, FAR, NEAR, TURNED, NOISY, FEW, STRETCHED, THOUSAND, UNITS, DECADES,
    SHARES, MISSING, ONE_LEFT, FAR_SHARES, FAR_MISSING, COVAR, CUT, CHANGES
};

enum { MEAN = 6, GROUPS = 7 };      /* the cut stands behind the mean */
static const char *const group_name[GROUPS + 1] = {
    "plain", "shift", "scale", "prior", "both", "covar", "mean", "cut"};
static const size_t group_of[CHANGES] = {0, 1, 1, 1, 1, 1, 2, 2, 2, 2,
                                         3, 3, 3, 4, 4, 5, GROUPS};

/* Column f of the table: a x + b. */
static void map_column(rows *r, size_t f, double a, double b)
{
    for (size_t i = 0; i < r->n; i++)
        r->x[i * r->d + f] = a * r->x[i * r->d + f] + b;
}

static void move_columns(mtc_random *rng, rows *r, double by)
{
    for (size_t f = 0; f < r->d; f++) {
        double mean, s;
        mean_and_deviation(r, f, &mean, &s);
        map_column(r, f, 1, uniform(rng) < 0.5 ? by * s : -by * s);
    }
}

/* Pairs of columns, each over its deviation, turn about their means. */
static void turn_columns(rows *r)
{
    const double c = cos(40 / 57.29577951), s = sin(40 / 57.29577951);
    for (size_t f = 0; f + 1 < r->d; f += 2) {
        double m[2], w[2];
        for (size_t e = 0; e < 2; e++)
            mean_and_deviation(r, f + e, &m[e], &w[e]);
        for (size_t i = 0; i < r->n && w[0] > 0 && w[1] > 0; i++) {
            double *x = r->x + i * r->d + f;
            double a = (x[0] - m[0]) / w[0], b = (x[1] - m[1]) / w[1];
            x[0] = m[0] + w[0] * (c * a - s * b);
            x[1] = m[1] + w[1] * (s * a + c * b);
        }
    }
}

static void make_noise(mtc_random *rng, rows *r)
{
    for (size_t f = 0; f < (r->d + 3) / 4; f++) {
        double mean, s;
        mean_and_deviation(r, f, &mean, &s);
        for (size_t i = 0; i < r->n; i++)
            r->x[i * r->d + f] = mean + s * normal(rng);
    }
}

/* Keeps the share of each class. */
static void thin_classes(mtc_random *rng, rows *r, const double *share)
{
    int *kept = ex_grow(NULL, r->n + 1, sizeof *kept);
    for (size_t i = 0; i < r->n; i++)
        kept[i] = uniform(rng) < share[r->y[i]];
    keep_rows(r, kept);
    free(kept);
}

static void change_shares(mtc_random *rng, rows *r, enum change how)
{
    double share[CLASSES];
    int order[CLASSES];
    size_t k = r->classes, missing = k / 3;
    for (size_t c = 0; c < k; c++)
        order[c] = (int)c;
    ex_shuffle(rng, k, order);
    for (size_t c = 0; c < k; c++)
        share[order[c]] = how == ONE_LEFT ? c == 0
                          : how != SHARES && how != FAR_SHARES && missing > 0
                              ? c >= missing
                          : c == 0 ? 1 : c == 1 ? 0.3 : 0.1;
    thin_classes(rng, r, share);
}

/* Five rows of each class. */
static void keep_few(rows *r)
{
    size_t met[CLASSES] = {0};
    int *kept = ex_grow(NULL, r->n + 1, sizeof *kept);
    for (size_t i = 0; i < r->n; i++)
        kept[i] = met[r->y[i]]++ < 5;
    keep_rows(r, kept);
    free(kept);
}

static void change_scales(mtc_random *rng, rows *source, rows *target,
                          enum change how)
{
    size_t one = mtc_random_below(rng, source->d);
    for (size_t f = 0; f < source->d; f++) {
        double by = how == DECADES     ? pow(10, 4 * uniform(rng) - 2)
                    : how == STRETCHED ? exp(0.7 * normal(rng)) : 1;
        if (how == THOUSAND && f == one)
            by = 1000;
        if (how == UNITS && f < 3)
            by = f == 0 ? 1000 : f == 1 ? 1.8 : 1 / 2.54;
        map_column(target, f, by, how == UNITS && f == 1 ? 32 : 0);
        if (how == DECADES)
            map_column(source, f, by, 0);
    }
}

static void change(mtc_random *rng, rows *source, rows *target,
                   enum change how)
{
    if (group_of[how] == 3 || group_of[how] == 4)
        change_shares(rng, target, how);
    if (how == FAR || group_of[how] == 4)
        move_columns(rng, target, 1.2);
    else if (how == NEAR)
        move_columns(rng, target, 0.4);
    else if (how == TURNED)
        turn_columns(target);
    else if (how == NOISY)
        make_noise(rng, target);
    else if (how == FEW)
        keep_few(source);
    else if (group_of[how] == 2)
        change_scales(rng, source, target, how);
}

/* order [n]: by chance, or along a random direction, with or without noise. */
static void order_rows(mtc_random *rng, const rows *all, enum change how,
                       int *order)
{
    double *at = ex_grow(NULL, all->n, sizeof *at), wide = sqrt((double)all->d);
    int sorted = how == COVAR || how == CUT;
    for (size_t i = 0; i < all->n; i++) {
        order[i] = (int)i;
        at[i] = how == COVAR ? wide * normal(rng) : 0;
    }
    ex_shuffle(rng, all->n, order);
    for (size_t f = 0; f < all->d && sorted; f++) {
        double mean, s, w = normal(rng);
        mean_and_deviation(all, f, &mean, &s);
        for (size_t i = 0; i < all->n && s > 0; i++)
            at[i] += w * (all->x[i * all->d + f] - mean) / s;
    }
    for (size_t i = 1; i < all->n && sorted; i++)
        for (size_t k = i; k > 0 && at[order[k]] < at[order[k - 1]]; k--) {
            int lower = order[k];
            order[k] = order[k - 1];
            order[k - 1] = lower;
        }
    free(at);
}

/* ---- runs of the program ------------------------------------------------- */

/* The program mtc, beside this one; a directory for files. */
static char program[1024], directory[512];

static void find_program(const char *self)
{
    const char *slash = strrchr(self, '/');
    int length = slash != NULL ? (int)(slash - self) : 1;
    const char *temporary = getenv("TMPDIR");
    snprintf(program, sizeof program, "%.*s/mtc", length,
             slash != NULL ? self : ".");
    snprintf(directory, sizeof directory, "%.400s",
             temporary != NULL ? temporary : "/tmp");
}

static FILE *begin_file(char *path, size_t size, size_t run, const char *end)
{
#ifdef EX_POSIX
    long self = (long)getpid();
#else
    long self = 0;
#endif
    snprintf(path, size, "%s/mtc-%ld-%zu-%s", directory, self, run, end);
    FILE *f = fopen(path, "w");
    if (f == NULL)
        ex_die(path, "cannot be written");
    return f;
}

static void write_rows(char *path, size_t size, size_t run, const char *end,
                       const rows *r)
{
    FILE *f = begin_file(path, size, run, end);
    for (size_t e = 0; e < r->d; e++)
        fprintf(f, "x%zu,", e + 1);
    fprintf(f, "label\n");
    for (size_t i = 0; i < r->n; i++) {
        for (size_t e = 0; e < r->d; e++)
            fprintf(f, "%.9g,", r->x[i * r->d + e]);
        fprintf(f, "%d\n", r->y[i] + 1);
    }
    fclose(f);
}

/* The accuracy that the program says of its labels. */
static double run_program(const char *words, const char *source,
                          const char *target)
{
    char command[4096];
    double accuracy = -1;
    snprintf(command, sizeof command, "%s transfer %s --source %s --target %s "
             "--jobs 1 --quiet --json -", program, words, source, target);
#ifdef EX_POSIX
    char line[512];
    FILE *f = popen(command, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        const char *acc = accuracy < 0 ? strstr(line, "\"acc\": ") : NULL;
        if (acc != NULL)
            accuracy = strtod(acc + 7, NULL);
    }
    if (f == NULL || pclose(f) != 0 || accuracy < 0)
        ex_die(command, "says no accuracy");
#else
    ex_die(command, "needs POSIX");
#endif
    return accuracy;
}

/* All methods on a source and a target. */
static void run_methods(const char *source, const char *target, int scaled,
                        double *figure)
{
    for (size_t m = 0; m < METHODS; m++) {
        char words[80];
        int scales = scaled && *method_words[m] != '\0';
        snprintf(words, sizeof words, "%s%s --labels label", method_words[m],
                 scales ? " --preprocess zscore" : "");
        if (!scaled)
            snprintf(words, sizeof words, "%s", method_words[m]);
        figure[m] = run_program(words, source, target);
    }
}

/* ---- parts --------------------------------------------------------------- */

/* Run i: draw i % DRAWS of a change of a set. */
static void run_tables(const void *of, size_t i, double *figure)
{
    const char *dir = (const char *)of;
    enum change how = (enum change)(i / DRAWS % CHANGES);
    size_t set = i / DRAWS / CHANGES;
    mtc_random rng = mtc_random_seed(1 + i);
    rows all = dir == NULL ? generate(&rng, (kind)set)
                           : load_table(dir, table_name[set]);
    int *order = ex_grow(NULL, all.n, sizeof *order);
    char from[600], to[600];
    order_rows(&rng, &all, how, order);
    rows source = part_of(&all, order, 0, all.n / 2);
    rows target = part_of(&all, order, all.n / 2, all.n);
    change(&rng, &source, &target, how);
    write_rows(from, sizeof from, i, "source.csv", &source);
    write_rows(to, sizeof to, i, "target.csv", &target);
    run_methods(from, to, 1, figure);
    remove(from);
    remove(to);
    free_rows(&all);
    free_rows(&source);
    free_rows(&target);
    free(order);
}

/* Means of each method: of each group of changes, and of all but the cut. */
static void tell_tables(const char *title, const char *dir, size_t sets)
{
    size_t runs = sets * CHANGES * DRAWS;
    double *figure = ex_runs(runs, METHODS, run_tables, dir);
    ex_table t = ex_head(title);
    for (size_t g = 0; g <= GROUPS; g++)
        ex_cell(&t, "%s", group_name[g]);
    t.columns = t.cells;
    for (size_t m = 0; m < METHODS; m++) {
        ex_stat of[GROUPS + 1];
        memset(of, 0, sizeof of);
        for (size_t i = 0; i < runs; i++) {
            size_t g = group_of[i / DRAWS % CHANGES];
            ex_add(&of[g], figure[i * METHODS + m]);
            if (g != GROUPS)
                ex_add(&of[MEAN], figure[i * METHODS + m]);
        }
        ex_cell(&t, "%s", method_name[m]);
        for (size_t g = 0; g <= GROUPS; g++)
            ex_cell(&t, "%.3f", ex_mean(&of[g]));
    }
    ex_print(&t);
    free(figure);
}

static void part_generated(const char *dir)
{
    (void)dir;
    tell_tables("accuracy: generated sets", NULL, KINDS);
}

static void part_tables(const char *dir)
{
    tell_tables("accuracy: tables", dir, TABLES);
}

/* Tasks with common classes. */
typedef struct pair { const char *set, *one, *other; } pair;

static const pair texts[] = {
    {"webkb4", "cornell", "texas"}, {"webkb4", "texas", "washington"},
    {"webkb4", "washington", "wisconsin"}, {"webkb4", "wisconsin", "cornell"},
    {"recvstalk", "task1", "task2"}, {"recvstalk", "task2", "task1"},
    {"ng4", "task1", "task2"}, {"ng4", "task2", "task3"},
    {"ng4", "task3", "task4"}, {"ng4", "task4", "task1"},
    {"cluto-tr11", "task1", "task2"}, {"cluto-tr11", "task2", "task1"},
    {"cluto-tr45", "task1", "task2"}, {"cluto-tr45", "task2", "task1"}};
static const pair images[] = {{"handdigits", "mnist-crop", "usps"},
                              {"handdigits", "usps", "mnist-crop"}};

typedef struct pairs {
    const char *dir;
    const pair *at;
    size_t n;
} pairs;

enum { MOST_LABEL = 64, LINE = 1 << 17 };

static FILE *open_file(const char *dir, const char *name, const char *end)
{
    char path[1300];
    snprintf(path, sizeof path, "%.1100s/%.60s%.20s", dir, name, end);
    return fopen(path, "r");
}

/* Marks the classes of a file. */
static void find_classes(const char *dir, const char *name, int *is)
{
    char *line = ex_grow(NULL, LINE, 1);
    FILE *f = open_file(dir, name, ".svm");
    if (f == NULL)
        ex_die(name, "cannot be opened");
    memset(is, 0, MOST_LABEL * sizeof *is);
    while (fgets(line, LINE, f) != NULL)
        is[atoi(line) & (MOST_LABEL - 1)] = 1;
    fclose(f);
    free(line);
}

/* Which rows of a file are taken: of common classes, and of those that
 * NAME.disjoint.rows has, if it is there.  Returns how many. */
static size_t find_rows(const char *dir, const char *name, const char *other,
                        int **taken)
{
    int here[MOST_LABEL], there[MOST_LABEL];
    char *line = ex_grow(NULL, LINE, 1);
    size_t n = 0, count = 0, listed = 0;
    find_classes(dir, name, here);
    find_classes(dir, other, there);
    FILE *f = open_file(dir, name, ".svm");
    FILE *list = open_file(dir, name, ".disjoint.rows");
    int more = list != NULL && fscanf(list, "%zu", &listed) == 1;
    for (; f != NULL && fgets(line, LINE, f) != NULL; n++) {
        int z = atoi(line) & (MOST_LABEL - 1);
        *taken = ex_grow(*taken, n + 1, sizeof **taken);
        (*taken)[n] = here[z] && there[z] && (list == NULL || listed == n + 1);
        count += (size_t)(*taken)[n];
        if (more && listed == n + 1)
            more = fscanf(list, "%zu", &listed) == 1;
    }
    if (list != NULL)
        fclose(list);
    if (f != NULL)
        fclose(f);
    free(line);
    return count;
}

/* Writes at most 220 rows of a file, as they stand. */
static void write_some(mtc_random *rng, const char *dir, const char *name,
                       const char *other, char *path, size_t size, size_t run,
                       const char *end)
{
    int *taken = NULL;
    size_t left = find_rows(dir, name, other, &taken);
    size_t wanted = left < ROWS ? left : ROWS;
    char *line = ex_grow(NULL, LINE, 1);
    FILE *from = open_file(dir, name, ".svm");
    FILE *to = begin_file(path, size, run, end);
    for (size_t i = 0; from != NULL && fgets(line, LINE, from) != NULL; i++)
        if (taken[i] && mtc_random_below(rng, left--) < wanted) {
            wanted--;
            fputs(line, to);
        }
    fclose(to);
    if (from != NULL)
        fclose(from);
    free(line);
    free(taken);
}

static void run_pairs(const void *of, size_t i, double *figure)
{
    const pairs *p = (const pairs *)of;
    const pair *at = &p->at[i / DRAWS];
    mtc_random rng = mtc_random_seed(1 + i);
    char dir[1100], from[600], to[600];
    snprintf(dir, sizeof dir, "%.1000s/%.60s", p->dir, at->set);
    write_some(&rng, dir, at->one, at->other, from, sizeof from, i,
               "source.svm");
    write_some(&rng, dir, at->other, at->one, to, sizeof to, i, "target.svm");
    run_methods(from, to, 0, figure);
    remove(from);
    remove(to);
}

/* A column for each set, and the mean of the pairs. */
static void tell_pairs(const char *title, const char *dir, const pair *at,
                       size_t n)
{
    pairs p = {dir, at, n};
    double *figure = ex_runs(n * DRAWS, METHODS, run_pairs, &p);
    ex_table t = ex_head(title);
    for (size_t c = 0; c < n; c++)
        if (c == 0 || strcmp(at[c].set, at[c - 1].set) != 0)
            ex_cell(&t, "%s", at[c].set);
    ex_cell(&t, "mean");
    t.columns = t.cells;
    for (size_t m = 0; m < METHODS; m++) {
        ex_stat all = {0, 0, 0}, s = {0, 0, 0};
        ex_cell(&t, "%s", method_name[m]);
        for (size_t i = 0; i < n * DRAWS; i++) {
            size_t c = i / DRAWS, next = (i + 1) / DRAWS;
            ex_add(&s, figure[i * METHODS + m]);
            ex_add(&all, figure[i * METHODS + m]);
            if (next < n && strcmp(at[c].set, at[next].set) == 0)
                continue;
            ex_cell(&t, "%.3f", ex_mean(&s));
            s = (ex_stat){0, 0, 0};
        }
        ex_cell(&t, "%.3f", ex_mean(&all));
    }
    ex_print(&t);
    free(figure);
}

static void part_texts(const char *dir)
{
    tell_pairs("accuracy: texts", dir, texts, sizeof texts / sizeof texts[0]);
}

static void part_images(const char *dir)
{
    tell_pairs("accuracy: images", dir, images,
               sizeof images / sizeof images[0]);
}

int main(int argc, char **argv)
{
    static const ex_part parts[] = {{"generated", 0, part_generated},
                                    {"tables", 1, part_tables},
                                    {"texts", 1, part_texts},
                                    {"images", 1, part_images}};
    find_program(argv[0]);
    return ex_main(argc, argv, parts, sizeof parts / sizeof parts[0]);
}
