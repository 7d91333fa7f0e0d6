/* SPDX-License-Identifier: MIT
 *
 * export_rule.c - the one function of an exported header: its tables, what is
 * done to x, and the rule of the model, in the order of the library's sums
 */
#include "export.h"

/* ---- what tasks have: sizes and places ---- */

/* A table of whole numbers, one for each task. */
static void put_by_task(header *h, const char *type, const char *name,
                        const char *ending, const size_t *n)
{
    put(h->a, &h->out, "    static const %s %s%s[] = {", type, name, ending);
    for (size_t t = 0; t < h->m->n; t++)
        put(h->a, &h->out, "%s%zu", t == 0 ? "" : t % 8 == 0 ? ",\n        "
            : ", ", n[t]);
    put(h->a, &h->out, "};\n");
}

/* A number that each task has. */
static void put_count(header *h, const char *name, const size_t *n)
{
    put_by_task(h, "int", name, "_of", n);
    put(h->a, &h->out, "    const int %s = %s_of[task];\n", name, name);
}

/* Where the numbers of a task begin in a table of `type`, if each has n[t] of
 * them. */
static void put_place(header *h, const char *type, const char *pointer,
                      const char *name, const size_t *n)
{
    size_t *at = TAKE(h->a, h->m->n + 1, size_t);
    for (size_t t = 0; t < h->m->n; t++)
        at[t + 1] = at[t] + n[t];
    put_by_task(h, "long", name, "_at", at);
    put_code(h, type);
    put(h->a, &h->out, "%s = %s + %s_at[task];\n", pointer, name, name);
}

#define REALS_AT "    const @_real *"
#define INTS_AT "    const int *"

/* ---- the label's function: tables, what is done to x, the rule ---- */

/* Counts of each task.  Clusters that stayed empty may have no center; there is
 * no problem where there is but one class. */
static void count_rows(header *h)
{
    size_t n = h->m->n;
    h->rows = TAKE(h->a, n, size_t);
    h->problems = TAKE(h->a, n, size_t);
    h->support = TAKE(h->a, n, size_t);
    h->coefficients = TAKE(h->a, n, size_t);
    for (size_t t = 0; t < n; t++) {
        const model_task *k = &h->m->task[t];
        h->rows[t] = k->rows;
        h->problems[t] = k->k == 1 ? 0 : k->problems;
        h->support[t] = k->n_support;
        h->coefficients[t] = h->problems[t] * h->support[t];
    }
}

static size_t largest(const header *h, const size_t *n)
{
    size_t most = 0;
    for (size_t t = 0; t < h->m->n; t++)
        most = n[t] > most ? n[t] : most;
    return most;
}

/* factor * n[t] */
static const size_t *times(const header *h, const size_t *n, size_t factor)
{
    size_t *product = COPY(h->a, n, h->m->n, size_t);
    for (size_t t = 0; t < h->m->n; t++)
        product[t] *= factor;
    return product;
}

/* Are rows brought to length 1? */
static int takes_root(const model *m)
{
    return is(m->scaled.how, "l2") || is(m->scaled.how, "tfidf") || m->angles;
}

/* Is x written to a row of its own before the rule sees it? */
int needs_row(const model *m)
{
    return !is(m->scaled.how, "none") || m->scaled.logs != NULL || m->angles;
}

/* Nothing has a label that the library would not look at: what is infinite,
 * NaN, or so large that sums of squares overflow. */
#define REFUSE(v) \
"        if (!(" v " >= -limit && " v " <= limit))\n" \
"            return -1;\n"

/* y = x, preprocessed; then the rule's x is y. */
static void put_preprocessing(header *h)
{
    const char *how = h->m->scaled.how;
    const char *each = is(how, "zscore")
        ? "deviation[j] > 0 ? (v - mean[j]) / deviation[j] : 0"
        : is(how, "tfidf") ? "v * idf[j]" : "v";
    if (!needs_row(h->m)) {
        put_code(h, "    for (j = 0; j < $_FEATURES; j++)\n" REFUSE("x[j]"));
        return;
    }
    put_code(h, "    for (j = 0; j < $_FEATURES; j++) {\n"
             "        @_real v = x[j];\n"
             "        if (!(v - v == 0))\n            return -1;\n");
    if (h->m->scaled.logs != NULL)
        put_code(h, "        if (logs[j] > 0) {\n"
                 "            if (!(v > 0))\n                return -1;\n"
                 "            v = @_log(v);\n        }\n");
    put(h->a, &h->out, "        y[j] = %s;\n", each);
    if (takes_root(h->m))
        put_code(h, "        square += y[j] * y[j];\n    }\n"
                 "    if (square > 0 && square - square == 0) {\n"
                 "        const @_real root = @_sqrt(square);\n"
                 "        for (j = 0; j < $_FEATURES; j++)\n"
                 "            y[j] /= root;\n");
    put_code(h, "    }\n    for (j = 0; j < $_FEATURES; j++)\n"
             REFUSE("y[j]"));
    put(h->a, &h->out, "    x = y;\n");
}

static void put_doubles(header *h, const char *name, size_t n,
                        const double *x)
{
    table t = begin_table(h, name);
    for (size_t i = 0; i < n; i++)
        put_number(&t, x[i]);
    end_table(&t);
}

static void put_scaling_tables(header *h)
{
    const scaling *s = &h->m->scaled;
    table t;
    if (s->logs != NULL) {
        t = begin_table(h, "logs");
        for (size_t j = 0; j < h->m->d; j++)
            put_number(&t, s->logs[j]);
        end_table(&t);
    }
    if (is(s->how, "zscore")) {
        put_doubles(h, "mean", h->m->d, s->mean);
        put_doubles(h, "deviation", h->m->d, s->deviation);
    } else if (is(s->how, "tfidf")) {
        t = begin_table(h, "idf");
        put_numbers(&t, h->m->d, s->idf);
        end_table(&t);
    }
}

/* The smallest sum wins, the lowest z on a tie. */
#define KEEP_LEAST \
"        if (z == 0 || sum < least) {\n" \
"            least = sum;\n" \
"            best = z;\n" \
"        }\n" \
"    }\n"

/* Are there clusters without a center? */
static int has_numbers(const model *m)
{
    size_t t = 0;
    while (t < m->n && m->task[t].number == NULL)
        t++;
    return t < m->n;
}

static void put_number_table(header *h)
{
    size_t n = 0;
    if (!has_numbers(h->m))
        return;
    put(h->a, &h->out, "    static const int numbers[] = {");
    for (size_t t = 0; t < h->m->n; t++)
        for (size_t z = 0; z < h->m->task[t].rows; z++, n++)
            put(h->a, &h->out, "%s%d", n == 0 ? "" : n % 12 == 0
                ? ",\n        " : ", ", h->m->task[t].number != NULL
                ? h->m->task[t].number[z] : (int)z);
    put(h->a, &h->out, "};\n");
}

/* The label of the row that is nearest.  What is farther than a sample of the
 * training was is seen in the sum itself, or in the cosine. */
static void put_best(header *h)
{
    if (h->far && h->m->angles)
        put_code(h, "    if (far) {\n        @_real sum = 0;\n"
                 "        u -= (k - best) * $_FEATURES;\n"
                 "        for (j = 0; j < $_FEATURES; j++)\n"
                 "            sum += x[j] * *u++;\n"
                 "        return sum < border[best];\n    }\n");
    else if (h->far)
        put(h->a, &h->out, "    if (far)\n"
            "        return least > border[best];\n");
    put(h->a, &h->out, has_numbers(h->m) ? "    return number[best];\n"
                                         : "    return best;\n");
}

/* A table of what each task t, which is *k, has: `count` numbers from `first`
 * on. */
#define PUT_TABLE(h, name, count, first) \
    do { \
        table of_all = begin_table(h, name); \
        for (size_t t = 0; t < (h)->m->n; t++) { \
            const model_task *k = &(h)->m->task[t]; \
            put_numbers(&of_all, count, first); \
        } \
        end_table(&of_all); \
    } while (0)

/* The columns of L, from the diagonal down. */
static void put_factor(header *h)
{
    size_t d = h->m->d;
    table t = begin_table(h, "factor");
    for (size_t j = 0; j < d; j++)
        for (size_t i = j; i < d; i++)
            put_number(&t, (double)h->m->metric.factor.L[i * d + j]);
    end_table(&t);
}

/* Sums of one divergence, in the words of the library. */
static const char *sums_of(const char *divergence)
{
    return is(divergence, "mahalanobis") ?
"        const @_real *l = factor;\n"
"        for (j = 0; j < $_FEATURES; j++) {\n"
"            @_real t = 0;\n"
"            int i;\n"
"            for (i = j; i < $_FEATURES; i++)\n"
"                t += *l++ * (x[i] + smooth[0] - u[i]);\n"
"            sum += t * t;\n"
"        }\n"
"        u += $_FEATURES;\n"
    : is(divergence, "kl") ?
"        for (j = 0; j < $_FEATURES; j++) {\n"
"            const @_real v = x[j] + smooth[0], c = *u++;\n"
"            sum += c / v < limit * limit ? v * @_gap(c, v) : c;\n"
"        }\n"
    : is(divergence, "is") ?
"        for (j = 0; j < $_FEATURES; j++)\n"
"            sum += @_gap(x[j] + smooth[0], *u++);\n"
    :
"        for (j = 0; j < $_FEATURES; j++) {\n"
"            const @_real t = x[j] - *u++;\n"
"            sum += t * t;\n"
"        }\n";
}

int is_positive(const model *m)
{
    return m->rule == RULE_NEAREST &&
           (is(m->divergence, "kl") || is(m->divergence, "is"));
}

static int is_squared(const model *m)
{
    return is(m->divergence, "sqeuclidean");
}

/* Of each row the last sum that is not far. */
static void put_borders(header *h)
{
    table of_all = begin_table(h, "borders");
    for (size_t t = 0; t < h->m->n; t++)
        for (size_t z = 0; z < h->m->task[t].rows; z++)
            put_number(&of_all, model_border(h->m, t, z));
    end_table(&of_all);
}

static void put_nearest_tables(header *h)
{
    PUT_TABLE(h, "centers", h->rows[t] * h->m->d, k->centers);
    if (h->far)
        put_borders(h);
    if (is(h->m->divergence, "mahalanobis"))
        put_factor(h);
    const double smooth = (double)h->m->smooth;
    if (!is_squared(h->m))
        put_doubles(h, "smooth", 1, &smooth);
}

/* k rows of a table, and the clusters that they stand for. */
static void put_rows(header *h)
{
    put_count(h, "k", h->rows);
    if (has_numbers(h->m))
        put_place(h, INTS_AT, "number", "numbers", h->rows);
}

static void put_nearest(header *h)
{
    put_rows(h);
    put_place(h, REALS_AT, "u", "centers", times(h, h->rows, h->m->d));
    if (h->far)
        put_place(h, REALS_AT, "border", "borders", h->rows);
    put_preprocessing(h);
    if (!is_squared(h->m)) {
        put_code(h, "    for (j = 0; j < $_FEATURES; j++) {\n"
                 "        const @_real v = x[j] + smooth[0];\n");
        put_code(h, is_positive(h->m) ? "        if (!(v > 0 && v <= limit))\n"
                 "            return -1;\n" : REFUSE("v"));
        put_code(h, "    }\n");
    }
    put_code(h, "    for (z = 0; z < k; z++) {\n"
             "        @_real sum = 0;\n");
    put_code(h, sums_of(h->m->divergence));
    put_code(h, KEEP_LEAST);
    put_best(h);
}

/* A row of n zeros, by a loop: an initializer might be a call of memset. */
static void put_row(header *h, const char *name, const char *i, size_t n)
{
    n = n > 0 ? n : 1;
    put_code(h, "    @_real ");
    put(h->a, &h->out, "%s[%zu];\n    for (%s = 0; %s < %zu; %s++)\n"
        "        %s[%s] = 0;\n", name, n, i, i, n, i, name, i);
}

/* Of one problem 1 wins if f > 0, of several the first of the largest. */
#define KEEP_MOST \
"        if (problems == 1 ? f > 0 : p == 0 || f > most) {\n" \
"            most = f;\n" \
"            best = problems == 1 ? 1 : p;\n" \
"        }\n" \
"    }\n" \
"    return best;\n"

static void put_linear_tables(header *h)
{
    PUT_TABLE(h, "weights", h->problems[t] * h->m->d, k->weights);
    PUT_TABLE(h, "biases", h->problems[t], k->bias);
}

static void put_linear(header *h)
{
    put_count(h, "problems", h->problems);
    put_place(h, REALS_AT, "w", "weights", times(h, h->problems, h->m->d));
    put_place(h, REALS_AT, "bias", "biases", h->problems);
    put_preprocessing(h);
    if (counts_values(h->m))
        put_code(h, "    for (j = 0; j < $_FEATURES; j++)\n"
                 "        if (x[j] < 0)\n            return -1;\n");
    put_code(h, "    for (p = 0; p < problems; p++, w += $_FEATURES) {\n"
             "        const @_real f = @_dot(x, w) + bias[p];\n"
             KEEP_MOST);
}

static void put_kernel_tables(header *h)
{
    PUT_TABLE(h, "supports", h->support[t] * h->m->d, k->support);
    PUT_TABLE(h, "coefficients", h->coefficients[t], k->coefficients);
    PUT_TABLE(h, "biases", h->problems[t], k->bias);
    PUT_TABLE(h, "gamma", 1, &k->gamma);
}

static void put_kernel(header *h)
{
    put_count(h, "problems", h->problems);
    put_count(h, "support", h->support);
    put_place(h, REALS_AT, "s", "supports", times(h, h->support, h->m->d));
    put_place(h, REALS_AT, "a", "coefficients", h->coefficients);
    put_place(h, REALS_AT, "bias", "biases", h->problems);
    put_row(h, "sums", "p", largest(h, h->problems));
    put_preprocessing(h);
    put_code(h,
"    for (i = 0; i < support; i++) {\n"
"        const @_real value = @_exp(-gamma[task] * @_distance(x, s));\n"
"        s += $_FEATURES;\n"
"        for (p = 0; p < problems; p++)\n"
"            sums[p] += a[p * support + i] * value;\n"
"    }\n"
"    for (p = 0; p < problems; p++) {\n"
"        const @_real f = sums[p] + bias[p];\n"
    KEEP_MOST);
}

/* How each rule is written. */
typedef struct writer {
    void (*tables)(header *h);
    void (*rule)(header *h);
    const char *locals;
    int dot, exp;                   /* 1: it calls these */
} writer;

static const writer writers[] = {
    [RULE_NEAREST] = {put_nearest_tables, put_nearest,
                      "    @_real least = 0;\n    int j, z, best = 0;\n",
                      0, 0},
    [RULE_LINEAR] = {put_linear_tables, put_linear,
                     "    @_real most = 0;\n    int j, p, best = 0;\n", 1, 0},
    [RULE_KERNEL] = {put_kernel_tables, put_kernel,
                     "    @_real most = 0;\n    int i, j, p, best = 0;\n",
                     0, 1}
};

static int takes_log(const model *m)
{
    return is_positive(m) || m->scaled.logs != NULL;
}

/* Does a function look at the bits of a number? */
int needs_integers(const model *m)
{
    return writers[m->rule].exp || takes_log(m) || takes_root(m);
}

/* All functions: those that the label's needs, then itself. */
void put_functions(header *h)
{
    static const char unused[] =
        "#ifdef __GNUC__\n__attribute__((unused))\n#endif\n";
    const writer *w = &writers[h->m->rule];
    int roots = takes_root(h->m);
    count_rows(h);
    if (w->dot)
        put_dot(h);
    if (roots)
        put_sqrt(h);
    if (w->exp) {
        put_distance(h);
        put_exp(h);
    }
    if (takes_log(h->m))
        put_log(h);
    if (is_positive(h->m))
        put_gap(h);
    put(h->a, &h->out, unused);
    begin_function(h, h->far
        ? "static int @_find(int task, const @_real *x, int far)"
        : "static int @_label(int task, const @_real *x)");
    w->tables(h);
    put_number_table(h);
    put_scaling_tables(h);
    put_code(h, "    const @_real limit = $_LIMIT;\n");
    put_code(h, w->locals);
    if (needs_row(h->m))
        put_code(h, "    @_real y[$_FEATURES];\n");
    if (roots)
        put_code(h, "    @_real square = 0;\n");
    put_code(h, "    if (task < 0 || task >= $_TASKS)\n        return -1;\n");
    w->rule(h);
    put(h->a, &h->out, "}\n\n");
    for (int far = 0; h->far && far < 2; far++) {
        put(h->a, &h->out, unused);
        put_code(h, far ? "static int @_far" : "static int @_label");
        put_code(h, "(int task, const @_real *x)\n{\n    return @_find(task, x");
        put(h->a, &h->out, ", %d);\n}\n\n", far);
    }
}
