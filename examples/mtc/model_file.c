/* SPDX-License-Identifier: MIT
 *
 * model_file.c - models as files: written and read again
 *
 * One JSON object, described in mtc-model(5).  Members are sorted, reals have
 * 17 digits, and nothing depends on time or place: the same run writes the same
 * bytes.  The reader takes exactly what the writer writes, in any order; what
 * is missing, unknown, of another size or not of this world ends the program
 * with file, line and reason, before memory is taken for it.
 */
#include "model.h"

#include "json.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MODEL_FORMAT "mtc-model"
enum { MODEL_SCHEMA = 1, MOST_CLUSTERS = 1 << 24 };

/* ---- writing ---- */

/* `"name": ` behind what stands there, on a line of its own. */
static void put_name(app *a, text *t, int depth, const char *name)
{
    char last = t->length > 0 ? t->at[t->length - 1] : '\0';
    put(a, t, "%s\n%*s\"%s\": ", last == '{' ? "" : ",", 2 * depth, "", name);
}

static void put_named_reals(app *a, text *t, int depth, const char *name,
                            size_t n, const mtc_real *x)
{
    if (x == NULL)
        return;
    put_name(a, t, depth, name);
    put_reals(a, t, n, x);
}

static void put_doubles(app *a, text *t, const char *name, size_t n,
                        const double *x)
{
    if (x == NULL)
        return;
    put_name(a, t, 2, name);
    for (size_t i = 0; i < n; i++)
        put(a, t, i == 0 ? "[%.17g" : ", %.17g", x[i]);
    put(a, t, "]");
}

static void put_named_matrix(app *a, text *t, int depth, const char *name,
                             size_t m, size_t n, const mtc_real *x)
{
    if (x == NULL)
        return;
    put_name(a, t, depth, name);
    for (size_t i = 0; i < m; i++) {
        put(a, t, "%s\n%*s", i == 0 ? "[" : ",", 2 * depth + 2, "");
        put_reals(a, t, n, x + i * n);
    }
    put(a, t, m == 0 ? "[]" : "]");
}

static void put_texts(app *a, text *t, size_t n, const char *const *word)
{
    for (size_t i = 0; i < n; i++) {
        put(a, t, i == 0 ? "[" : ", ");
        put_escaped(a, t, word[i], 0);
    }
    put(a, t, n == 0 ? "[]" : "]");
}

static void put_flag(app *a, text *t, const char *name, int x)
{
    put_name(a, t, 1, name);
    put(a, t, x ? "true" : "false");
}

static void put_text(app *a, text *t, int depth, const char *name,
                     const char *x)
{
    put_name(a, t, depth, name);
    put_escaped(a, t, x, 0);
}

static void put_one(app *a, text *t, const char *name, mtc_real x)
{
    put_name(a, t, 3, name);
    put_real(a, t, (double)x);
}

static void put_model_classes(app *a, text *t, const model *m)
{
    if (m->n_classes == 0)
        return;
    put_name(a, t, 1, "classes");
    if (m->word != NULL)
        put_texts(a, t, m->n_classes, m->word);
    else
        put_ints(a, t, m->n_classes, m->number);
}

/* How texts become words, and the words. */
static void put_model_texts(app *a, text *t, const model *m)
{
    const model_texts *x = m->texts;
    put_name(a, t, 2, "texts");
    put(a, t, "{");
    if (x->columns.n > 0) {
        put_name(a, t, 3, "columns");
        put_texts(a, t, x->columns.n, x->columns.at);
    }
    put_text(a, t, 3, "markup", x->rules.markup);
    put_text(a, t, 3, "stem", x->rules.stem);
    put_text(a, t, 3, "stop", x->rules.stop);
    if (x->rules.stops.n > 0) {
        put_name(a, t, 3, "stop_words");
        put_texts(a, t, x->rules.stops.n, x->rules.stops.at);
    }
    put_text(a, t, 3, "token", x->rules.token);
    put_text(a, t, 3, "word_length", x->rules.word_length);
    put_name(a, t, 3, "words");
    put_texts(a, t, m->d - x->numbers, m->names + x->numbers);
    put(a, t, "\n    }");
}

static void put_places(app *a, text *t, const char *name, size_t n,
                       const size_t *x)
{
    put_name(a, t, 2, name);
    for (size_t i = 0; i < n; i++)
        put(a, t, i == 0 ? "[%zu" : ", %zu", x[i]);
    put(a, t, "]");
}

static void put_features(app *a, text *t, const model *m)
{
    put_name(a, t, 1, "features");
    put(a, t, "{");
    if (m->columns != NULL)
        put_places(a, t, "columns", m->d, m->columns);
    put_name(a, t, 2, "count");
    put(a, t, "%zu", m->d);
    if (m->decimal != '\0') {
        put_name(a, t, 2, "decimal");
        put(a, t, "\"%c\"", m->decimal);
    }
    put_doubles(a, t, "first_day", m->d, m->first_day);
    if (m->n_left > 0) {
        put_name(a, t, 2, "left_out");
        put_texts(a, t, m->n_left, m->left);
        put_places(a, t, "left_out_columns", m->n_left, m->left_number);
        put_places(a, t, "left_out_places", m->n_left, m->left_place);
    }
    if (m->names != NULL && columns_of(m) > 0) {
        put_name(a, t, 2, "names");
        put_texts(a, t, columns_of(m), m->names);
    }
    for (size_t h = 0; h < m->n_hot; h++) {
        if (h == 0)
            put_name(a, t, 2, "onehot");
        put(a, t, h == 0 ? "[{\"column\": " : ",\n      {\"column\": ");
        put_escaped(a, t, m->hot[h].column, 0);
        put(a, t, ", \"first\": %zu, \"words\": ", m->hot[h].first);
        put_texts(a, t, m->hot[h].n, m->hot[h].word);
        put(a, t, h + 1 == m->n_hot ? "}]" : "}");
    }
    if (m->signs != NULL) {
        put_name(a, t, 2, "signs");
        put_texts(a, t, m->d, m->signs);
    }
    if (m->texts != NULL)
        put_model_texts(a, t, m);
    put(a, t, "\n  }");
}

static void put_scaling(app *a, text *t, const model *m)
{
    size_t n = m->scaled.numbers > 0 ? m->scaled.numbers : m->d;
    put_name(a, t, 1, "preprocess");
    put(a, t, "{");
    if (m->scaled.numbers > 0)
        put_doubles(a, t, "balance", 1, &m->scaled.balance);
    put_doubles(a, t, "deviation", n, m->scaled.deviation);
    put_text(a, t, 2, "how", m->scaled.how);
    put_named_reals(a, t, 2, "idf", m->d, m->scaled.idf);
    if (m->scaled.logs != NULL) {
        put_name(a, t, 2, "log");
        put_ints(a, t, m->d, m->scaled.logs);
    }
    put_doubles(a, t, "mean", n, m->scaled.mean);
    put(a, t, "\n  }");
}

static void put_task(app *a, text *t, const model *m, const model_task *k)
{
    size_t d = m->d, P = k->problems;
    size_t w = m->rule == RULE_COMPONENTS ? k->width : d;
    put(a, t, "{");
    put_named_reals(a, t, 3, "bias", P, k->bias);
    put_named_matrix(a, t, 3, "centers", k->rows, w, k->centers);
    put_named_matrix(a, t, 3, "coefficients", P, k->n_support,
                     k->coefficients);
    put_named_matrix(a, t, 3, "components", k->width, d, k->components);
    put_named_reals(a, t, 3, "fill", d, k->fill);
    if (m->rule == RULE_KERNEL)
        put_one(a, t, "gamma", k->gamma);
    put_name(a, t, 3, "k");
    put(a, t, "%zu", k->k);
    put_named_reals(a, t, 3, "mean", d, k->mean);
    put_text(a, t, 3, "name", k->name);
    if (k->number != NULL) {
        put_name(a, t, 3, "numbers");
        put_ints(a, t, k->rows, k->number);
    }
    put_named_reals(a, t, 3, "radius", k->rows, k->radius);
    if (m->rule == RULE_LINEAR)
        put_one(a, t, "scale", k->scale);
    put_named_matrix(a, t, 3, "support", k->n_support, d, k->support);
    put_named_matrix(a, t, 3, "weights", P, d, k->weights);
    put(a, t, "\n    }");
}

/* The whole file. */
void model_write(app *a, const char *path, const model *m)
{
    text t = {NULL, 0, 0};
    put(a, &t, "{");
    if (m->rule == RULE_NEAREST)
        put_flag(a, &t, "angles", m->angles);
    put_model_classes(a, &t, m);
    if (m->rule == RULE_NEAREST)
        put_text(a, &t, 1, "divergence", m->divergence);
    put_features(a, &t, m);
    put_text(a, &t, 1, "format", MODEL_FORMAT);
    put_flag(a, &t, "guard", m->guarded);
    put_text(a, &t, 1, "kind", m->kind);
    put_text(a, &t, 1, "method", m->method);
    put_named_matrix(a, &t, 1, "metric", m->d, m->d, m->metric.A);
    put_text(a, &t, 1, "mtc", mtc_version());
    put_name(a, &t, 1, "options");
    put(a, &t, "%s", m->options.length > 0 ? m->options.at : "{}");
    put_scaling(a, &t, m);
    put_text(a, &t, 1, "rule", rule_name(m->rule));
    put_name(a, &t, 1, "schema");
    put(a, &t, "%d", MODEL_SCHEMA);
    if (m->rule == RULE_NEAREST) {
        put_name(a, &t, 1, "smooth");
        put_real(a, &t, (double)m->smooth);
    }
    put_flag(a, &t, "stand_in", m->stand_in);
    put_name(a, &t, 1, "tasks");
    put(a, &t, "[");
    for (size_t i = 0; i < m->n; i++) {
        put(a, &t, i == 0 ? "\n    " : ",\n    ");
        put_task(a, &t, m, &m->task[i]);
    }
    put(a, &t, "\n  ]\n}\n");
    save(a, path, &t);
}

/* ---- reading ---- */

typedef struct loader {
    app *a;
    const char *file;
    model m;
} loader;

/* Ends the program: `file:line: reason`. */
static APP_NORETURN APP_PRINTF(3, 4)
void bad_model(const loader *l, const json *at, const char *format, ...)
{
    char reason[200];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    fail(l->a, BAD_DATA, "%s:%zu: %s", l->file, at->line, reason);
}

/* The member of an object, which has to be there. */
static const json *need(const loader *l, const json *in, const char *name)
{
    const json *x = json_member(in, name);
    if (x == NULL)
        bad_model(l, in, "the member %s is missing", name);
    return x;
}

/* Only members that are in `known`, which begins and ends with a space. */
static void allow(const loader *l, const json *in, const char *known)
{
    for (size_t i = 0; i < in->n; i++) {
        text t = {NULL, 0, 0};
        put(l->a, &t, " %s ", in->name[i]);
        if (strchr(in->name[i], ' ') != NULL || strstr(known, t.at) == NULL)
            bad_model(l, &in->at[i], "the member %s is not known here",
                      quote(l->a, in->name[i]));
        pool_release(t.at);
    }
}

static const json *need_object(const loader *l, const json *in,
                               const char *name)
{
    const json *x = need(l, in, name);
    if (x->type != JSON_OBJECT)
        bad_model(l, x, "%s has to be an object", name);
    return x;
}

static const char *need_text(const loader *l, const json *in,
                             const char *name)
{
    const json *x = need(l, in, name);
    if (x->type != JSON_STRING)
        bad_model(l, x, "%s has to be a text", name);
    return x->text;
}

static int need_flag(const loader *l, const json *in, const char *name)
{
    const json *x = need(l, in, name);
    if (x->type != JSON_TRUE && x->type != JSON_FALSE)
        bad_model(l, x, "%s has to be true or false", name);
    return x->type == JSON_TRUE;
}

/* One of the words, by its place in the list. */
static int need_choice(const loader *l, const json *in, const char *name,
                       const char *const *word, int n)
{
    const char *x = need_text(l, in, name);
    for (int i = 0; i < n; i++)
        if (strcmp(x, word[i]) == 0)
            return i;
    bad_model(l, need(l, in, name), "%s: %s is not known", name,
              quote(l->a, x));
}

/* A whole number in low..high. */
static void need_whole(const loader *l, const json *at, const char *name,
                       double x, double low, double high)
{
    if (!(x >= low && x <= high) || x != floor(x))
        bad_model(l, at, "%s: %.17g has to be a whole number from %.0f to "
                  "%.0f", name, x, low, high);
}

static size_t need_count(const loader *l, const json *in, const char *name,
                         double low, double high)
{
    const json *x = need(l, in, name);
    if (x->type != JSON_NUMBER)
        bad_model(l, x, "%s has to be a number", name);
    need_whole(l, x, name, x->number, low, high);
    return (size_t)x->number;
}

static mtc_real need_real(const loader *l, const json *in, const char *name,
                          double low, double high)
{
    const json *x = need(l, in, name);
    if (x->type != JSON_NUMBER || !(x->number >= low && x->number <= high))
        bad_model(l, x, "%s has to be a number from %g to %g", name, low,
                  high);
    return (mtc_real)x->number;
}

/* Reals as the library takes them, n of them. */
static void take_reals(const loader *l, const json *x, const char *name,
                       size_t n, mtc_real *to)
{
    if (x->type != JSON_NUMBERS || x->n != n)
        bad_model(l, x, "%s: %zu numbers belong here", name, n);
    for (size_t i = 0; i < n; i++)
        to[i] = (mtc_real)x->numbers[i];
    mtc_data row = mtc_dense(1, n, to);
    if (n > 0 && mtc_data_check(NULL, &row, MTC_NONE) != MTC_OK)
        bad_model(l, x, "%s: a number is larger than data may be", name);
}

/* [n] of a member; NULL: an optional one that is not there. */
static mtc_real *reals_of(const loader *l, const json *in, const char *name,
                          size_t n, int optional)
{
    if (optional && json_member(in, name) == NULL)
        return NULL;
    const json *x = need(l, in, name);
    if (x->type != JSON_NUMBERS || x->n != n)
        bad_model(l, x, "%s has to be an array of %zu numbers", name, n);
    mtc_real *to = TAKE(l->a, n, mtc_real);
    take_reals(l, x, name, n, to);
    return to;
}

/* How many rows a matrix has, 0 for []; it has to be one. */
static size_t rows_of(const loader *l, const json *in, const char *name)
{
    const json *x = need(l, in, name);
    if (x->type != JSON_ARRAY && !(x->type == JSON_NUMBERS && x->n == 0))
        bad_model(l, x, "%s has to be an array of rows", name);
    return x->n;
}

/* [m*n] of a member; every row is looked at before memory is taken. */
static mtc_real *matrix_of(const loader *l, const json *in, const char *name,
                           size_t m, size_t n)
{
    size_t rows = rows_of(l, in, name);
    const json *x = need(l, in, name);
    if (rows != m)
        bad_model(l, x, "%s has %zu rows, but %zu belong here", name, rows, m);
    for (size_t i = 0; i < m; i++)
        if (x->at[i].type != JSON_NUMBERS || x->at[i].n != n)
            bad_model(l, &x->at[i], "%s: row %zu has to have %zu numbers", name,
                      i, n);
    if (n > 0 && m > SIZE_MAX / n)              /* n > 0 numbers are there */
        bad_model(l, x, "%s is too large", name);
    mtc_real *to = TAKE(l->a, m * n, mtc_real);
    for (size_t i = 0; i < m; i++)
        take_reals(l, &x->at[i], name, n, to + i * n);
    return to;
}

/* Texts, n of them; n MTC_NONE: as many as there are. */
static const char **words_of(const loader *l, const json *x, const char *name,
                             size_t n)
{
    size_t count = x->type == JSON_ARRAY || x->type == JSON_NUMBERS ? x->n : 0;
    if (count == 0 || (n != MTC_NONE && count != n))
        bad_model(l, x, n == MTC_NONE ? "%s has to be an array of texts"
                                      : "%s has to be an array of %zu texts",
                  name, n);
    const char **word = TAKE(l->a, count, const char *);
    for (size_t i = 0; i < count; i++) {
        if (x->type != JSON_ARRAY || x->at[i].type != JSON_STRING)
            bad_model(l, x, "%s has to be an array of texts", name);
        word[i] = x->at[i].text;
    }
    return word;
}

/* Ends the program if a word is there twice. */
static void need_different(const loader *l, const json *at, const char *name,
                           size_t n, const char *const *word)
{
    dictionary seen;
    memset(&seen, 0, sizeof seen);
    for (size_t i = 0; i < n; i++)
        if (number_word(l->a, &seen, word[i], strlen(word[i])) != i)
            bad_model(l, at, "%s: %s is there twice", name,
                      quote(l->a, word[i]));
}

/* Whole numbers that ascend, in low..high; as doubles they are exact. */
static void need_ascending(const loader *l, const json *x, const char *name,
                           size_t n, double low, double high)
{
    if (x->type != JSON_NUMBERS || x->n != n)
        bad_model(l, x, "%s has to be an array of %zu numbers", name, n);
    for (size_t i = 0; i < n; i++) {
        need_whole(l, x, name, x->numbers[i], low, high);
        if (i > 0 && x->numbers[i] <= x->numbers[i - 1])
            bad_model(l, x, "%s: numbers have to ascend", name);
    }
}

/* ---- the parts of a model ---- */

/* Columns of words: features first..first+n-1 each. */
static void load_words(loader *l, const json *in)
{
    const json *x = json_member(in, "onehot");
    if (x == NULL)
        return;
    if (x->type != JSON_ARRAY)
        bad_model(l, x, "onehot has to be an array of objects");
    l->m.n_hot = x->n;
    l->m.hot = TAKE(l->a, x->n, model_words);
    for (size_t h = 0, free_from = 0; h < x->n; h++) {
        const json *o = &x->at[h];
        model_words *to = &l->m.hot[h];
        if (o->type != JSON_OBJECT)
            bad_model(l, o, "onehot has to be an array of objects");
        allow(l, o, " column first words ");
        to->column = need_text(l, o, "column");
        to->word = words_of(l, need(l, o, "words"), "words", MTC_NONE);
        to->n = need(l, o, "words")->n;
        need_different(l, o, "words", to->n, to->word);
        to->first = need_count(l, o, "first", (double)free_from,
                               (double)l->m.d);
        if (to->n > l->m.d - to->first)
            bad_model(l, o, "onehot: more words than features");
        free_from = to->first + to->n;
    }
}

/* Means and deviations are doubles in every build. */
static double *doubles_of(const loader *l, const json *in, const char *name,
                          size_t n, double low)
{
    const json *x = need(l, in, name);
    if (x->type != JSON_NUMBERS || x->n != n)
        bad_model(l, x, "%s has to be an array of %zu numbers", name, n);
    for (size_t i = 0; i < n; i++)
        if (x->numbers[i] < low)
            bad_model(l, x, "%s: a number below %g", name, low);
    return COPY(l->a, x->numbers, n, double);
}

/* Numbers of columns. */
static size_t *places_in(const loader *l, const json *in, const char *name,
                         size_t n, double low)
{
    double *number = doubles_of(l, in, name, n, low);
    size_t *place = TAKE(l->a, n, size_t);
    for (size_t j = 0; j < n; j++) {
        need_whole(l, need(l, in, name), name, number[j], low, 4294967295.0);
        place[j] = (size_t)number[j];
    }
    return place;
}

/* How tables were read, where the model says so. */
static void load_reading(loader *l, const json *in)
{
    static const char *const sign[] = {".", ",", "?"};
    model *m = &l->m;
    const json *left = json_member(in, "left_out");
    if (json_member(in, "decimal") != NULL)
        m->decimal = *sign[need_choice(l, in, "decimal", sign, 3)];
    if (json_member(in, "first_day") != NULL)
        m->first_day = doubles_of(l, in, "first_day", m->d, 0);
    if (json_member(in, "signs") != NULL)
        m->signs = words_of(l, need(l, in, "signs"), "signs", m->d);
    if (left == NULL)
        return;
    m->left = words_of(l, left, "left_out", MTC_NONE);
    m->n_left = left->n;
    m->left_number = places_in(l, in, "left_out_columns", m->n_left, 1);
    if (json_member(in, "left_out_places") != NULL)
        m->left_place = places_in(l, in, "left_out_places", m->n_left, 0);
}

/* The rule of that name in `from`, one of `known`. */
static const char *load_rule(const loader *l, const json *in, const char *name,
                             const char *const *known, int n)
{
    return known[need_choice(l, in, name, known, n)];
}

/* --word-length as a model has it. */
static void load_length(const loader *l, const json *in, text_rules *r)
{
    uint64_t low = 0, high = 0;
    const char *end;
    r->word_length = need_text(l, in, "word_length");
    if (!whole_at(r->word_length, MOST_LETTERS, &low, &end) || *end != '-' ||
        !whole_at(end + 1, MOST_LETTERS, &high, &end) || *end != '\0' ||
        low < 1 || high < low)
        bad_model(l, need(l, in, "word_length"), "word_length has to be A-B, "
                  "letters from 1 to %d", MOST_LETTERS);
    r->shortest = (size_t)low;
    r->longest = (size_t)high;
}

static words load_list(const loader *l, const json *in, const char *name)
{
    words w = {0, 0, NULL};
    const json *x = json_member(in, name);
    if (x == NULL)
        return w;
    w.at = words_of(l, x, name, MTC_NONE);
    w.n = w.room = x->n;
    return w;
}

/* Features that are words, behind those of `names`. */
static void load_texts(loader *l, const json *in)
{
    static const char *const markup[] = {"none", "html", "mail", "mail,html"};
    static const char *const stem[] = {"none", "english"};
    static const char *const stop[] = {"none", "english", "list"};
    static const char *const token[] = {"letters", "alnum"};
    model *m = &l->m;
    const json *x = json_member(in, "texts");
    if (x == NULL)
        return;
    if (x->type != JSON_OBJECT)
        bad_model(l, x, "texts has to be an object");
    allow(l, x, " columns markup stem stop stop_words token word_length "
          "words ");
    model_texts *to = m->texts = TAKE(l->a, 1, model_texts);
    to->columns = load_list(l, x, "columns");
    to->rules.markup = load_rule(l, x, "markup", markup, 4);
    to->rules.stem = load_rule(l, x, "stem", stem, 2);
    to->rules.stop = load_rule(l, x, "stop", stop, 3);
    to->rules.token = load_rule(l, x, "token", token, 2);
    to->rules.stops = load_list(l, x, "stop_words");
    load_length(l, x, &to->rules);
    need(l, x, "words");
    words list = load_list(l, x, "words");
    need_different(l, x, "words", list.n, list.at);
    if (list.n > m->d)
        bad_model(l, x, "more words than features");
    to->numbers = m->d - list.n;
    m->names = TAKE(l->a, m->d, const char *);
    memcpy(m->names + to->numbers, list.at, list.n * sizeof *list.at);
}

static void load_features(loader *l, const json *top)
{
    const json *in = need_object(l, top, "features");
    const json *columns = json_member(in, "columns");
    const json *names = json_member(in, "names");
    model *m = &l->m;
    allow(l, in, " columns count decimal first_day left_out left_out_columns "
          "left_out_places names onehot signs texts ");
    m->d = need_count(l, in, "count", 1, 4294967295.0);
    load_texts(l, in);
    if (m->texts != NULL && columns != NULL)
        bad_model(l, columns, "columns and texts do not go together");
    if (columns != NULL) {
        need_ascending(l, columns, "columns", m->d, 1, 4294967295.0);
        m->columns = TAKE(l->a, m->d, size_t);
        for (size_t j = 0; j < m->d; j++)
            m->columns[j] = (size_t)columns->numbers[j];
    }
    if (names == NULL && m->texts != NULL && m->texts->numbers > 0)
        bad_model(l, in, "numbers beside words need names");
    if (names != NULL) {
        size_t n = columns_of(m);
        const char **list = words_of(l, names, "names", n);
        need_different(l, names, "names", n, list);
        if (m->texts != NULL)
            memcpy(m->names, list, n * sizeof *list);
        else
            m->names = list;
    }
    load_words(l, in);
    load_reading(l, in);
    if (m->n_hot > 0 && m->names == NULL)
        bad_model(l, in, "onehot needs names");
}

/* 1 for each feature whose log is taken, else 0. */
static void load_logs(loader *l, const json *in)
{
    const json *x = json_member(in, "log");
    if (x == NULL)
        return;
    int *logs = TAKE(l->a, l->m.d, int);
    if (x->type != JSON_NUMBERS || x->n != l->m.d)
        bad_model(l, x, "log has to be an array of %zu numbers", l->m.d);
    for (size_t f = 0; f < l->m.d; f++) {
        need_whole(l, x, "log", x->numbers[f], 0, 1);
        logs[f] = (int)x->numbers[f];
    }
    l->m.scaled.logs = logs;
}

/* Figures of numbers beside words. */
static void load_balance(loader *l, const json *in)
{
    scaling *s = &l->m.scaled;
    if (is(s->how, "zscore"))
        bad_model(l, in, "zscore and balance do not go together");
    allow(l, in, is(s->how, "tfidf") ? " balance deviation how idf mean "
                                     : " balance deviation how mean ");
    s->balance = *doubles_of(l, in, "balance", 1, 0);
    s->mean = doubles_of(l, in, "mean", s->numbers, -DBL_MAX);
    s->deviation = doubles_of(l, in, "deviation", s->numbers, 0);
    if (is(s->how, "tfidf"))
        s->idf = reals_of(l, in, "idf", l->m.d, 0);
}

static void load_scaling(loader *l, const json *top)
{
    static const char *const how[] = {"none", "l2", "tfidf", "zscore"};
    const json *in = need_object(l, top, "preprocess");
    scaling *s = &l->m.scaled;
    s->how = how[need_choice(l, in, "how", how, 4)];
    s->numbers = json_member(in, "balance") != NULL && l->m.texts != NULL
                     ? l->m.texts->numbers : 0;
    if (s->numbers > 0) {
        load_balance(l, in);
        return;
    }
    allow(l, in, is(s->how, "tfidf")    ? " how idf log "
                 : is(s->how, "zscore") ? " deviation how log mean "
                                        : " how log ");
    load_logs(l, in);
    if (is(s->how, "tfidf"))
        s->idf = reals_of(l, in, "idf", l->m.d, 0);
    if (is(s->how, "zscore")) {
        s->mean = doubles_of(l, in, "mean", l->m.d, -DBL_MAX);
        s->deviation = doubles_of(l, in, "deviation", l->m.d, 0);
    }
}

static void load_classes(loader *l, const json *top)
{
    const json *x = json_member(top, "classes");
    model *m = &l->m;
    if (x == NULL)
        return;
    m->n_classes = x->n;
    if (x->type == JSON_NUMBERS && x->n > 0) {
        need_ascending(l, x, "classes", x->n, INT_MIN, INT_MAX);
        m->number = TAKE(l->a, x->n, int);
        for (size_t c = 0; c < x->n; c++)
            m->number[c] = (int)x->numbers[c];
        return;
    }
    m->word = words_of(l, x, "classes", MTC_NONE);
    need_different(l, x, "classes", x->n, m->word);
}

static void load_divergence(loader *l, const json *top)
{
    static const char *const known[] = {"sqeuclidean", "mahalanobis", "kl",
                                        "is"};
    model *m = &l->m;
    size_t d = m->d;
    m->divergence = known[need_choice(l, top, "divergence", known, 4)];
    m->smooth = need_real(l, top, "smooth", 0, APP_REAL_MAX);
    m->angles = need_flag(l, top, "angles");
    if (is(m->divergence, "sqeuclidean") ? m->smooth != 0 : m->angles)
        bad_model(l, top, "smooth and angles do not go with this divergence");
    int metric = json_member(top, "metric") != NULL;
    if (is(m->divergence, "mahalanobis") != metric)
        bad_model(l, top, "mahalanobis and metric go together");
    if (!is(m->divergence, "mahalanobis"))
        return;
    mtc_real *A = matrix_of(l, top, "metric", d, d);
    for (size_t i = 0; i < d; i++)
        for (size_t c = 0; c < i; c++)
            if (A[i * d + c] != A[c * d + i])
                bad_model(l, need(l, top, "metric"), "metric: not symmetric");
    mtc_real *L = COPY(l->a, A, d * d, mtc_real);
    if (mtc_cholesky(d, L, d, NULL) != MTC_OK)
        bad_model(l, need(l, top, "metric"), "metric: not positive definite");
    m->metric = (file_metric){A, {d, L}};
}

/* Centers are where the divergence is defined. */
static void admit_centers(const loader *l, const json *in,
                          const model_task *k)
{
    const char *div = l->m.divergence;
    if (!is(div, "kl") && !is(div, "is"))
        return;
    for (size_t p = 0; p < k->rows * l->m.d; p++)
        if (!(k->centers[p] > 0))
            bad_model(l, need(l, in, "centers"), "centers: %s needs numbers "
                      "above 0", div);
}

/* Centers, their numbers and radii. */
static void load_centers(loader *l, const json *in, model_task *k)
{
    const json *numbers = json_member(in, "numbers");
    k->rows = rows_of(l, in, "centers");
    if (k->rows == 0 || (numbers == NULL && k->rows != k->k))
        bad_model(l, in, "%zu centers for %zu clusters", k->rows, k->k);
    if (numbers != NULL) {
        need_ascending(l, numbers, "numbers", k->rows, 0, (double)k->k - 1);
        k->number = TAKE(l->a, k->rows, int);
        for (size_t z = 0; z < k->rows; z++)
            k->number[z] = (int)numbers->numbers[z];
    }
    k->centers = matrix_of(l, in, "centers", k->rows,
                           l->m.rule == RULE_COMPONENTS ? k->width : l->m.d);
    k->radius = reals_of(l, in, "radius", k->rows, 0);
    for (size_t z = 0; z < k->rows; z++)
        if (k->radius[z] < 0)
            bad_model(l, need(l, in, "radius"), "radius: a number below 0");
    if (l->m.rule == RULE_NEAREST)
        admit_centers(l, in, k);
}

static void load_subspace(loader *l, const json *in, model_task *k)
{
    const json *W = need(l, in, "projection");
    k->width = rows_of(l, in, "projection") == 0 ? 0 : W->at[0].n;
    k->W = matrix_of(l, in, "projection", l->m.d, k->width);
    k->lambda = need_real(l, in, "lambda", 0, 1);
    load_centers(l, in, k);
    k->M = matrix_of(l, in, "shared", k->rows, k->width);
}

static void load_components(loader *l, const json *in, model_task *k)
{
    k->width = rows_of(l, in, "components");
    k->components = matrix_of(l, in, "components", k->width, l->m.d);
    k->mean = reals_of(l, in, "mean", l->m.d, 0);
    load_centers(l, in, k);
}

/* Two classes have one problem or two, more have one each. */
static void load_bias(loader *l, const json *in, model_task *k)
{
    const json *bias = need(l, in, "bias");
    k->problems = bias->n;
    if (bias->type != JSON_NUMBERS ||
        !(bias->n == k->k || (k->k < 3 && bias->n + 1 == k->k)))
        bad_model(l, bias, "bias has to be an array of a number for each of "
                  "%zu classes", k->k);
    k->bias = reals_of(l, in, "bias", k->problems, 0);
}

static void load_linear(loader *l, const json *in, model_task *k)
{
    load_bias(l, in, k);
    k->weights = matrix_of(l, in, "weights", k->problems, l->m.d);
    k->scale = need_real(l, in, "scale", (double)FLT_MIN, APP_REAL_MAX);
}

static void load_kernel(loader *l, const json *in, model_task *k)
{
    load_bias(l, in, k);
    k->n_support = rows_of(l, in, "support");
    k->support = matrix_of(l, in, "support", k->n_support, l->m.d);
    k->coefficients = matrix_of(l, in, "coefficients", k->problems,
                                k->n_support);
    k->gamma = need_real(l, in, "gamma", (double)FLT_MIN, APP_REAL_MAX);
}

static void load_task(loader *l, const json *in, model_task *k)
{
    static const char *const known[] = {
        " centers fill k name numbers radius ",
        " centers fill k lambda name numbers projection radius shared ",
        " centers components fill k mean name numbers radius ",
        " bias fill k name scale weights ",
        " bias coefficients fill gamma k name support "};
    if (in->type != JSON_OBJECT)
        bad_model(l, in, "tasks has to be an array of objects");
    allow(l, in, known[l->m.rule]);
    k->name = need_text(l, in, "name");
    k->k = need_count(l, in, "k", 1, MOST_CLUSTERS);
    k->fill = reals_of(l, in, "fill", l->m.d, 1);
    k->scale = 1;
    switch (l->m.rule) {
    case RULE_NEAREST: load_centers(l, in, k); break;
    case RULE_SUBSPACE: load_subspace(l, in, k); break;
    case RULE_COMPONENTS: load_components(l, in, k); break;
    case RULE_LINEAR: load_linear(l, in, k); break;
    case RULE_KERNEL: load_kernel(l, in, k); break;
    }
    if (l->m.n_classes > 0 && k->k != l->m.n_classes)
        bad_model(l, in, "k is %zu, but there are %zu classes", k->k,
                  l->m.n_classes);
}

static void load_tasks_of(loader *l, const json *top)
{
    const json *x = need(l, top, "tasks");
    if (x->type != JSON_ARRAY || x->n == 0)
        bad_model(l, x, "tasks has to be an array of objects");
    l->m.n = x->n;
    l->m.task = TAKE(l->a, x->n, model_task);
    const char **name = TAKE(l->a, x->n, const char *);
    for (size_t t = 0; t < x->n; t++) {
        load_task(l, &x->at[t], &l->m.task[t]);
        name[t] = l->m.task[t].name;
    }
    need_different(l, x, "tasks", x->n, name);
    pool_release(name);
}

/* Is this a model, of a schema that is known here? */
static void check_format(const loader *l, const json *top)
{
    const json *format = top->type == JSON_OBJECT
                             ? json_member(top, "format") : NULL;
    if (format == NULL || format->type != JSON_STRING ||
        strcmp(format->text, MODEL_FORMAT) != 0)
        bad_model(l, format != NULL ? format : top, "this is no model of mtc, "
                  "which has \"format\": \"" MODEL_FORMAT "\"; --save writes "
                  "one");
    const json *schema = need(l, top, "schema");
    if (schema->type != JSON_NUMBER || schema->number != MODEL_SCHEMA)
        bad_model(l, schema, "a schema that this program does not know; it "
                  "knows %d", MODEL_SCHEMA);
}

/* A model that is whole: every table that its rule needs is there, finite, of
 * the right size. */
model model_read(app *a, const char *path)
{
    static const char *const rules[] = {"nearest", "subspace", "components",
                                        "linear", "kernel"};
    static const char *const kinds[] = {"cluster", "transfer"};
    loader l;
    memset(&l, 0, sizeof l);
    l.a = a;
    l.file = path;
    json top = json_read(a, path);
    check_format(&l, &top);
    l.m.file = path;
    l.m.kind = kinds[need_choice(&l, &top, "kind", kinds, 2)];
    l.m.rule = (model_rule)need_choice(&l, &top, "rule", rules, 5);
    allow(&l, &top, l.m.rule == RULE_NEAREST
          ? " angles classes divergence features format guard kind method "
            "metric mtc options preprocess rule schema smooth stand_in tasks "
          : " classes features format guard kind method mtc options "
            "preprocess rule schema stand_in tasks ");
    l.m.method = need_text(&l, &top, "method");
    l.m.guarded = need_flag(&l, &top, "guard");
    l.m.stand_in = need_flag(&l, &top, "stand_in");
    need_text(&l, &top, "mtc");
    need_object(&l, &top, "options");
    load_features(&l, &top);
    load_scaling(&l, &top);
    load_classes(&l, &top);
    if (l.m.rule == RULE_NEAREST)
        load_divergence(&l, &top);
    load_tasks_of(&l, &top);
    return l.m;
}
