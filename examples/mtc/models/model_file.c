/* SPDX-License-Identifier: MIT
 *
 * model_file.c - models as files: written and read again
 *
 * One JSON object, described in mtc-model(5).  Tables say what members an
 * object has, how large each of them is and where it stands in memory; the same
 * table writes the object and reads it.  Members are sorted, reals have 17
 * digits, and nothing depends on time or place: the same run writes the same
 * bytes.  What is missing, unknown, of another size or not of this world ends
 * the program with file, line and reason.
 */
#include "model.h"

#include "../tables/json.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CLUSTERS = 1 << 24 };
#define MOST_FEATURES 4294967295.0

/* ---- the tables ---- */

typedef enum form {
    TEXT_OF,                        /* const char *, one of the words `of` */
    FLAG_OF,                        /* int: true or false */
    COUNT_OF, NUMBER_OF,            /* size_t, mtc_real; low..high */
    REALS_OF, MATRIX_OF,            /* mtc_real [rows], [rows*columns] */
    DOUBLES_OF, INTS_OF, PLACES_OF, /* double, int, size_t [rows]; low..high */
    WORDS_OF,                       /* const char * [rows] */
    CLASSES_OF,                     /* words or numbers, see put_classes_of */
    RAW_OF,                         /* written as it is, not read */
    OBJECT_OF,                      /* of the same struct, or one of its own */
    LIST_OF                         /* [rows] objects of a struct each */
} form;

enum { OPTIONAL = 8, ASCENDING = 16, DISTINCT = 32 };   /* and rules, as bits */
enum { NEAREST_ONLY = 1 << RULE_NEAREST, LINEAR_ONLY = 1 << RULE_LINEAR,
       KERNEL_ONLY = 1 << RULE_KERNEL };

/* A member.  Sizes are those of size_t members of the struct; `global` ones of
 * the model. */
typedef struct field {
    const char *name;
    form form;
    size_t at;                      /* its place in the struct */
    int flags;
    size_t rows, columns;           /* places of the sizes; 0: none */
    double low, high;
    const char *words;              /* TEXT_OF: "a|b"; NULL: any */
    const struct object *object;
} field;

typedef struct object {
    const field *field;
    size_t n, bytes;                /* bytes 0: the struct of the one above */
} object;

enum { MODEL_SCHEMA = 2 };     /* 1: up to mtc 0.3 */

#define M(member) offsetof(model, member)
#define T(member) offsetof(model_task, member)
#define H(member) offsetof(model_words, member)
#define X(member) offsetof(model_texts, member)
#define GLOBAL ((size_t)1 << 20)
#define D (GLOBAL + M(d))
#define OBJECT(fields, bytes) {fields, sizeof fields / sizeof *fields, bytes}

/* Rows of the tables: one value; numbers from low to high; a table of as many
 * rows and columns; objects. */
#define A_TEXT(name, at, flags, words) \
    {name, TEXT_OF, at, flags, 0, 0, 0, 0, words, NULL}
#define A_FLAG(name, at, flags) \
    {name, FLAG_OF, at, flags, 0, 0, 0, 0, NULL, NULL}
#define A_NUMBER(name, form, at, flags, low, high) \
    {name, form, at, flags, 0, 0, low, high, NULL, NULL}
#define NUMBERS(name, form, at, flags, n, low, high) \
    {name, form, at, flags, n, 0, low, high, NULL, NULL}
#define TABLE(name, form, at, flags, rows, columns) \
    {name, form, at, flags, rows, columns, 0, 0, NULL, NULL}
#define OBJECTS(name, form, at, flags, n, object) \
    {name, form, at, flags, n, 0, 0, 0, NULL, object}

static const field hot_fields[] = {
    A_TEXT("column", H(column), 0, NULL),
    A_NUMBER("first", COUNT_OF, H(first), 0, 0, MOST_FEATURES),
    TABLE("words", WORDS_OF, H(word), DISTINCT, H(n), 0)};
static const object hot_object = OBJECT(hot_fields, sizeof(model_words));

static const field text_fields[] = {
    TABLE("columns", WORDS_OF, X(columns.at), OPTIONAL, X(columns.n), 0),
    A_TEXT("markup", X(rules.markup), 0, "none|html|mail|mail,html"),
    A_TEXT("stem", X(rules.stem), 0, "none|english"),
    A_TEXT("stop", X(rules.stop), 0, "none|english|list"),
    TABLE("stop_words", WORDS_OF, X(rules.stops.at), OPTIONAL,
          X(rules.stops.n), 0),
    A_TEXT("token", X(rules.token), 0, "letters|alnum"),
    A_TEXT("word_length", X(rules.word_length), 0, NULL),
    TABLE("words", WORDS_OF, X(words), DISTINCT, X(n), 0)};
static const object text_object = OBJECT(text_fields, sizeof(model_texts));

static const field feature_fields[] = {
    NUMBERS("columns", PLACES_OF, M(columns), OPTIONAL | ASCENDING, D, 1,
            MOST_FEATURES),
    A_NUMBER("count", COUNT_OF, M(d), 0, 1, MOST_FEATURES),
    A_TEXT("decimal", M(decimal), OPTIONAL, ".|,|?"),
    NUMBERS("first_day", DOUBLES_OF, M(first_day), OPTIONAL, D, 0, DBL_MAX),
    TABLE("left_out", WORDS_OF, M(left), OPTIONAL, M(n_left), 0),
    NUMBERS("left_out_places", PLACES_OF, M(left_place), OPTIONAL, M(n_left),
            1, MOST_FEATURES),
    TABLE("names", WORDS_OF, M(names), OPTIONAL | DISTINCT, M(n_names), 0),
    OBJECTS("onehot", LIST_OF, M(hot), OPTIONAL, M(n_hot), &hot_object),
    TABLE("signs", WORDS_OF, M(signs), OPTIONAL, D, 0),
    OBJECTS("texts", OBJECT_OF, M(texts), OPTIONAL, 0, &text_object)};
static const object feature_object = OBJECT(feature_fields, 0);

static const field scaling_fields[] = {
    NUMBERS("balance", DOUBLES_OF, M(balance), OPTIONAL, M(n_balance), 0,
            DBL_MAX),
    NUMBERS("deviation", DOUBLES_OF, M(scaled.deviation), OPTIONAL, M(n_scaled),
            0, DBL_MAX),
    A_TEXT("how", M(scaled.how), 0, "none|l2|tfidf|zscore"),
    TABLE("idf", REALS_OF, M(scaled.idf), OPTIONAL, D, 0),
    NUMBERS("log", INTS_OF, M(scaled.logs), OPTIONAL, D, 0, 1),
    NUMBERS("mean", DOUBLES_OF, M(scaled.mean), OPTIONAL, M(n_scaled),
            -DBL_MAX, DBL_MAX)};
static const object scaling_object = OBJECT(scaling_fields, 0);

static const field task_fields[] = {
    TABLE("bias", REALS_OF, T(bias), LINEAR_ONLY | KERNEL_ONLY, T(problems),
          0),
    TABLE("centers", MATRIX_OF, T(centers), NEAREST_ONLY, T(rows), D),
    TABLE("coefficients", MATRIX_OF, T(coefficients), KERNEL_ONLY,
          T(problems), T(n_support)),
    TABLE("fill", REALS_OF, T(fill), OPTIONAL, D, 0),
    A_NUMBER("gamma", NUMBER_OF, T(gamma), KERNEL_ONLY, (double)FLT_MIN,
             APP_REAL_MAX),
    A_NUMBER("k", COUNT_OF, T(k), 0, 1, MOST_CLUSTERS),
    A_TEXT("name", T(name), 0, NULL),
    NUMBERS("numbers", INTS_OF, T(number), NEAREST_ONLY | OPTIONAL | ASCENDING,
            T(rows), 0, MOST_CLUSTERS),
    TABLE("radius", REALS_OF, T(radius), NEAREST_ONLY, T(rows), 0),
    TABLE("support", MATRIX_OF, T(support), KERNEL_ONLY, T(n_support), D),
    TABLE("weights", MATRIX_OF, T(weights), LINEAR_ONLY, T(problems), D)};
static const object task_object = OBJECT(task_fields, sizeof(model_task));

static const field model_fields[] = {
    A_FLAG("angles", M(angles), NEAREST_ONLY),
    TABLE("classes", CLASSES_OF, M(word), OPTIONAL, M(n_classes), 0),
    A_TEXT("divergence", M(divergence), NEAREST_ONLY,
           "sqeuclidean|mahalanobis|kl|is"),
    OBJECTS("features", OBJECT_OF, 0, 0, 0, &feature_object),
    A_TEXT("format", M(format), 0, "mtc-model"),
    A_FLAG("guard", M(guarded), 0),
    A_TEXT("kind", M(kind), 0, "cluster|transfer"),
    A_TEXT("method", M(method), 0, NULL),
    TABLE("metric", MATRIX_OF, M(metric.A), NEAREST_ONLY | OPTIONAL, D, D),
    A_TEXT("mtc", M(version), 0, NULL),
    TABLE("options", RAW_OF, M(options), 0, 0, 0),
    OBJECTS("preprocess", OBJECT_OF, 0, 0, 0, &scaling_object),
    A_TEXT("rule", M(rule_word), 0, "nearest|linear|kernel"),
    A_NUMBER("schema", COUNT_OF, M(schema), 0, MODEL_SCHEMA, MODEL_SCHEMA),
    A_NUMBER("smooth", NUMBER_OF, M(smooth), NEAREST_ONLY, 0, APP_REAL_MAX),
    A_FLAG("stand_in", M(stand_in), 0),
    OBJECTS("tasks", LIST_OF, M(task), 0, M(n), &task_object)};
static const object model_object = OBJECT(model_fields, sizeof(model));

enum { RULES = NEAREST_ONLY | LINEAR_ONLY | KERNEL_ONLY };

/* Does a model of that rule have the member? */
static int is_of_rule(const field *f, model_rule rule)
{
    return (f->flags & RULES) == 0 || (f->flags & 1 << rule) != 0;
}

/* A size, of the struct `own` or of the model. */
static size_t *size_at(model *m, void *own, size_t place)
{
    return place >= GLOBAL ? (size_t *)((char *)m + (place - GLOBAL))
                           : (size_t *)((char *)own + place);
}

/* ---- writing ---- */

static void put_object(app *a, text *t, int depth, model *m, void *own,
                       const object *o);

static void put_list(app *a, text *t, int depth, model *m, const field *f,
                     void *at)
{
    size_t n = *size_at(m, m, f->rows);
    for (size_t i = 0; i < n; i++) {
        put(a, t, "%s\n%*s", i == 0 ? "[" : ",", 2 * depth + 2, "");
        put_object(a, t, depth + 2, m,
                   *(char **)at + i * f->object->bytes, f->object);
    }
    put(a, t, "\n%*s]", 2 * depth, "");
}

static void put_classes_of(app *a, text *t, const model *m)
{
    if (m->word != NULL)
        put_texts(a, t, m->n_classes, m->word);
    else
        put_ints(a, t, m->n_classes, m->number);
}

/* Is there something to write? */
static int is_there(const field *f, model *m, void *own)
{
    int empty = f->rows > 0 && *size_at(m, own, f->rows) == 0;
    return is_of_rule(f, m->rule) &&
           ((f->flags & OPTIONAL) == 0 ||
            (!empty && (f->form == CLASSES_OF ||
                        *(void **)((char *)own + f->at) != NULL)));
}

static void put_field(app *a, text *t, int depth, model *m, void *own,
                      const field *f)
{
    void *at = (char *)own + f->at;
    size_t n = f->rows > 0 ? *size_at(m, own, f->rows) : 0;
    switch (f->form) {
    case TEXT_OF: put_escaped(a, t, *(const char **)at, 0); break;
    case FLAG_OF: put(a, t, *(int *)at ? "true" : "false"); break;
    case COUNT_OF: put(a, t, "%zu", *(size_t *)at); break;
    case NUMBER_OF: put_real(a, t, (double)*(mtc_real *)at); break;
    case REALS_OF: put_reals(a, t, n, *(mtc_real **)at); break;
    case MATRIX_OF:
        put_matrix(a, t, n, *size_at(m, own, f->columns), *(mtc_real **)at);
        break;
    case DOUBLES_OF:
        for (size_t i = 0; i < n; i++)
            put(a, t, i == 0 ? "[%.17g" : ", %.17g", (*(double **)at)[i]);
        put(a, t, "]");
        break;
    case INTS_OF: put_ints(a, t, n, *(int **)at); break;
    case PLACES_OF: put_wholes(a, t, n, *(size_t **)at); break;
    case WORDS_OF: put_texts(a, t, n, *(const char ***)at); break;
    case CLASSES_OF: put_classes_of(a, t, m); break;
    case RAW_OF: put(a, t, "%s", ((text *)at)->at); break;
    case OBJECT_OF:
        put_object(a, t, depth + 1, m,
                   f->object->bytes > 0 ? *(void **)at : own, f->object);
        break;
    case LIST_OF: put_list(a, t, depth, m, f, at); break;
    }
}

static void put_object(app *a, text *t, int depth, model *m, void *own,
                       const object *o)
{
    const char *separator = "{";
    for (size_t i = 0; i < o->n; i++) {
        const field *f = &o->field[i];
        if (!is_there(f, m, own))
            continue;
        put(a, t, "%s\n%*s\"%s\": ", separator, 2 * depth, "", f->name);
        put_field(a, t, depth, m, own, f);
        separator = ",";
    }
    put(a, t, "\n%*s}", 2 * depth - 2, "");
}

/* The whole file. */
void model_write(app *a, const char *path, model *m)
{
    text t = {NULL, 0, 0};
    m->format = "mtc-model";
    m->version = mtc_version();
    m->schema = MODEL_SCHEMA;
    m->rule_word = rule_name(m->rule);
    m->n_names = columns_of(m);
    m->n_scaled = m->scaled.numbers > 0 ? m->scaled.numbers : m->d;
    m->n_balance = 1;
    m->balance = m->scaled.numbers > 0 ? &m->scaled.balance : NULL;
    if (m->texts != NULL) {
        m->texts->words = m->names + m->n_names;
        m->texts->n = m->d - m->n_names;
    }
    m->names = m->n_names > 0 ? m->names : NULL;
    put_object(a, &t, 1, m, m, &model_object);
    put(a, &t, "\n");
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

/* The first of several sizes decides. */
static size_t agree(loader *l, const json *x, const field *f, void *own,
                    size_t place, size_t n)
{
    size_t *size = size_at(&l->m, own, place);
    if (*size == MTC_NONE)
        *size = n;
    if (*size != n)
        bad_model(l, x, "%s has %zu elements, but %zu belong here", f->name, n,
                  *size);
    return n;
}

/* n numbers, which are whole unless they are doubles. */
static const double *numbers_in(loader *l, const json *x, const field *f)
{
    if (x->type != JSON_NUMBERS)
        bad_model(l, x, "%s has to be an array of numbers", f->name);
    for (size_t i = 0; i < x->n; i++) {
        double v = x->numbers[i];
        if (!(v >= f->low && v <= f->high) ||
            (f->form != DOUBLES_OF && v != floor(v)))
            bad_model(l, x, "%s: %.17g is out of range", f->name, v);
        if ((f->flags & ASCENDING) && i > 0 && v <= x->numbers[i - 1])
            bad_model(l, x, "%s: numbers have to ascend", f->name);
    }
    return x->numbers;
}

/* Rows of reals as the library takes them; of an array of numbers one. */
static mtc_real *reals_in(loader *l, const json *x, const field *f, void *own)
{
    int matrix = f->form == MATRIX_OF;
    size_t n = agree(l, x, f, own, f->rows, x->n);
    size_t rows = matrix ? n : 1, columns = n;
    if (matrix ? x->type != JSON_ARRAY && x->n > 0 : x->type != JSON_NUMBERS)
        bad_model(l, x, "%s has to be an array of %s", f->name,
                  matrix ? "rows" : "numbers");
    if (matrix && n == 0)
        return TAKE(l->a, 0, mtc_real);
    for (size_t i = 0; i < rows && matrix; i++) {
        if (x->at[i].type != JSON_NUMBERS)
            bad_model(l, &x->at[i], "%s has to have rows of numbers", f->name);
        columns = agree(l, &x->at[i], f, own, f->columns, x->at[i].n);
    }
    mtc_real *to = TAKE(l->a, rows * columns, mtc_real);
    for (size_t p = 0; p < rows * columns; p++)
        to[p] = (mtc_real)(matrix ? x->at[p / columns].numbers[p % columns]
                                  : x->numbers[p]);
    mtc_data all = mtc_dense(rows, columns, to);
    if (columns > 0 && mtc_data_check(NULL, &all, MTC_NONE) != MTC_OK)
        bad_model(l, x, "%s: a number is larger than data may be", f->name);
    return to;
}

static const char *text_in(loader *l, const json *x, const field *f)
{
    size_t n;
    if (x->type != JSON_STRING)
        bad_model(l, x, "%s has to be a text", f->name);
    for (const char *s = f->words; s != NULL; s += n + 1) {
        n = strcspn(s, "|");
        if (strlen(x->text) == n && strncmp(s, x->text, n) == 0)
            break;
        if (s[n] == '\0')
            bad_model(l, x, "%s: %s is not known", f->name,
                      quote(l->a, x->text));
    }
    return x->text;
}

static const char **words_in(loader *l, const json *x, const field *f)
{
    const char **word = TAKE(l->a, x->n, const char *);
    dictionary seen = {.n = 0};
    for (size_t i = 0; i < x->n || x->type != JSON_ARRAY; i++) {
        if (x->type != JSON_ARRAY || x->at[i].type != JSON_STRING)
            bad_model(l, x, "%s has to be an array of texts", f->name);
        word[i] = x->at[i].text;
        if ((f->flags & DISTINCT) &&
            number_word(l->a, &seen, word[i], strlen(word[i])) != i)
            bad_model(l, x, "%s: %s is there twice", f->name,
                      quote(l->a, word[i]));
    }
    return word;
}

/* Words, or numbers. */
static void load_classes(loader *l, const json *x)
{
    static const field of_words = {"classes", WORDS_OF, 0, DISTINCT, 0, 0, 0,
                                   0, NULL, NULL};
    static const field numbers = {"classes", INTS_OF, 0, ASCENDING, 0, 0,
                                  INT_MIN, INT_MAX, NULL, NULL};
    l->m.n_classes = x->n;
    if (x->type != JSON_NUMBERS || x->n == 0) {
        l->m.word = words_in(l, x, &of_words);
        return;
    }
    const double *number = numbers_in(l, x, &numbers);
    l->m.number = TAKE(l->a, x->n, int);
    for (size_t c = 0; c < x->n; c++)
        l->m.number[c] = (int)number[c];
}

static void load_object(loader *l, const json *in, void *own, const object *o);

static void load_list(loader *l, const json *x, void *at, const field *f)
{
    size_t bytes = f->object->bytes;
    if (x->type != JSON_ARRAY)
        bad_model(l, x, "%s has to be an array of objects", f->name);
    char *list = (char *)take(l->a, x->n, bytes);
    for (size_t i = 0; i < x->n; i++)
        load_object(l, &x->at[i], list + i * bytes, f->object);
    *(char **)at = list;
}

static void load_field(loader *l, const json *x, void *own, const field *f)
{
    void *at = (char *)own + f->at;
    int array = f->rows > 0 && f->form != REALS_OF && f->form != MATRIX_OF;
    size_t n = array ? agree(l, x, f, own, f->rows, x->n) : 0;
    const double *number = f->form == DOUBLES_OF || f->form == INTS_OF ||
                           f->form == PLACES_OF ? numbers_in(l, x, f) : NULL;
    switch (f->form) {
    case TEXT_OF: *(const char **)at = text_in(l, x, f); break;
    case FLAG_OF:
        if (x->type != JSON_TRUE && x->type != JSON_FALSE)
            bad_model(l, x, "%s has to be true or false", f->name);
        *(int *)at = x->type == JSON_TRUE;
        break;
    case COUNT_OF:
    case NUMBER_OF:
        if (x->type != JSON_NUMBER || !(x->number >= f->low) ||
            x->number > f->high ||
            (f->form == COUNT_OF && x->number != floor(x->number)))
            bad_model(l, x, "%s has to be a number from %g to %g", f->name,
                      f->low, f->high);
        if (f->form == NUMBER_OF)
            *(mtc_real *)at = (mtc_real)x->number;
        else if (f->at == M(d) && own == &l->m)
            agree(l, x, f, own, M(d), (size_t)x->number);
        else
            *(size_t *)at = (size_t)x->number;
        break;
    case REALS_OF:
    case MATRIX_OF: *(mtc_real **)at = reals_in(l, x, f, own); break;
    case DOUBLES_OF: *(double **)at = COPY(l->a, number, n, double); break;
    case INTS_OF:
        *(int **)at = TAKE(l->a, n, int);
        for (size_t i = 0; i < n; i++)
            (*(int **)at)[i] = (int)number[i];
        break;
    case PLACES_OF:
        *(size_t **)at = TAKE(l->a, n, size_t);
        for (size_t i = 0; i < n; i++)
            (*(size_t **)at)[i] = (size_t)number[i];
        break;
    case WORDS_OF: *(const char ***)at = words_in(l, x, f); break;
    case CLASSES_OF: load_classes(l, x); break;
    case RAW_OF:
        if (x->type != JSON_OBJECT)
            bad_model(l, x, "%s has to be an object", f->name);
        break;
    case OBJECT_OF:
        if (f->object->bytes > 0)
            *(void **)at = take(l->a, 1, f->object->bytes);
        load_object(l, x, f->object->bytes > 0 ? *(void **)at : own,
                    f->object);
        break;
    case LIST_OF: load_list(l, x, at, f); break;
    }
}

/* Sizes of the struct are unknown at first; 0 is what no member tells. */
static void set_sizes(loader *l, void *own, const object *o, size_t from,
                      size_t to)
{
    for (size_t i = 0; i < o->n; i++) {
        const size_t place[2] = {o->field[i].rows, o->field[i].columns};
        for (int h = 0; h < 2; h++)
            if (place[h] > 0 && place[h] < GLOBAL &&
                *size_at(&l->m, own, place[h]) == from)
                *size_at(&l->m, own, place[h]) = to;
    }
}

static void load_object(loader *l, const json *in, void *own, const object *o)
{
    size_t found = 0;
    if (in->type != JSON_OBJECT)
        bad_model(l, in, "an object has to be here");
    set_sizes(l, own, o, 0, MTC_NONE);
    for (size_t i = 0; i < o->n; i++) {
        const field *f = &o->field[i];
        const json *x = is_of_rule(f, l->m.rule) ? json_member(in, f->name)
                                                 : NULL;
        if (x == NULL && is_of_rule(f, l->m.rule) && !(f->flags & OPTIONAL))
            bad_model(l, in, "the member %s is missing", f->name);
        found += x != NULL;
        if (x != NULL)
            load_field(l, x, own, f);
    }
    set_sizes(l, own, o, MTC_NONE, 0);
    for (size_t i = 0; i < in->n && found < in->n; i++) {
        size_t q = 0;
        while (q < o->n && (strcmp(o->field[q].name, in->name[i]) != 0 ||
                            !is_of_rule(&o->field[q], l->m.rule)))
            q++;
        if (q == o->n)
            bad_model(l, &in->at[i], "the member %s is not known here",
                      quote(l->a, in->name[i]));
    }
}

/* ---- what the tables cannot tell ---- */

static void check_texts(loader *l, const json *top)
{
    model *m = &l->m;
    if (!settle_length(&m->texts->rules))
        bad_model(l, top, "word_length has to be A-B, letters from 1 to %d",
                  MOST_LETTERS);
    if (m->columns != NULL || m->n_names + m->texts->n != m->d)
        bad_model(l, top, "words and names are not one for each feature");
    m->texts->numbers = m->n_names;
    const char **all = TAKE(l->a, m->d, const char *);
    if (m->n_names > 0)
        memcpy(all, m->names, m->n_names * sizeof *all);
    memcpy(all + m->n_names, m->texts->words, m->texts->n * sizeof *all);
    m->names = all;
}

static void check_features(loader *l, const json *top)
{
    model *m = &l->m;
    scaling *s = &m->scaled;
    size_t next = 0, n = m->n_scaled;
    if (m->texts != NULL)
        check_texts(l, top);
    else if (m->names != NULL && m->n_names != m->d)
        bad_model(l, top, "names has to be an array of %zu texts", m->d);
    for (size_t h = 0; h < m->n_hot; h++) {
        const model_words *of = &m->hot[h];
        if (m->names == NULL || of->first < next || of->first > m->d ||
            of->n > m->d - of->first)
            bad_model(l, top, "onehot needs names, and no more words than "
                      "features");
        next = of->first + of->n;
    }
    int beside = m->balance != NULL && m->texts != NULL, z = is(s->how, "zscore");
    s->numbers = beside ? m->texts->numbers : 0;
    s->balance = beside ? *m->balance : 0;
    if ((s->idf != NULL) != is(s->how, "tfidf") || (beside && z) ||
        (s->mean != NULL) != (z || beside) || (m->balance != NULL && !beside) ||
        (s->deviation != NULL) != (z || beside) ||
        ((z || beside) && n != (beside ? s->numbers : m->d)))
        bad_model(l, top, "preprocess: its members do not go together");
}

static void check_divergence(loader *l, const json *top)
{
    model *m = &l->m;
    size_t d = m->d;
    mtc_real *A = (mtc_real *)m->metric.A;
    if (is(m->divergence, "sqeuclidean") ? m->smooth != 0 : m->angles)
        bad_model(l, top, "smooth and angles do not go with this divergence");
    if (is(m->divergence, "mahalanobis") != (A != NULL))
        bad_model(l, top, "mahalanobis and metric go together");
    if (A == NULL)
        return;
    for (size_t i = 0; i < d; i++)
        for (size_t c = 0; c < i; c++)
            if (A[i * d + c] != A[c * d + i])
                bad_model(l, top, "metric: not symmetric");
    mtc_real *L = COPY(l->a, A, d * d, mtc_real);
    if (mtc_cholesky(d, L, d, NULL) != MTC_OK)
        bad_model(l, top, "metric: not positive definite");
    m->metric.factor.d = d;
    m->metric.factor.L = L;
}

static void check_task(loader *l, const json *top, const model_task *k)
{
    const char *div = l->m.divergence;
    int nearest = l->m.rule == RULE_NEAREST, positive = is(div, "kl") ||
                                                        is(div, "is");
    if (nearest ? k->rows == 0 || (k->number == NULL && k->rows != k->k) ||
                      (k->number != NULL &&
                       (size_t)k->number[k->rows - 1] >= k->k)
                : k->problems != k->k && !(k->k < 3 && k->problems + 1 == k->k))
        bad_model(l, top, "%s: tables for %zu clusters or classes are needed",
                  k->name, k->k);
    for (size_t z = 0; z < k->rows; z++)
        if (k->radius[z] < 0)
            bad_model(l, top, "radius: a number below 0");
    for (size_t p = 0; p < k->rows * l->m.d && positive; p++)
        if (!(k->centers[p] > 0))
            bad_model(l, top, "centers: %s needs numbers above 0", div);
    if (l->m.n_classes > 0 && k->k != l->m.n_classes)
        bad_model(l, top, "k is %zu, but there are %zu classes", k->k,
                  l->m.n_classes);
}

/* A model of another version is refused: its members mean other things. */
static void refuse_other_schema(const loader *l, const json *top)
{
    const json *schema = json_member(top, "schema");
    const json *version = json_member(top, "mtc");
    int told = version != NULL && version->type == JSON_STRING;
    if (schema != NULL && schema->type == JSON_NUMBER &&
        schema->number != MODEL_SCHEMA)
        bad_model(l, schema, "the model was written by mtc %s; run that "
                  "command again with --save",
                  told ? version->text : "of another version");
}

/* A model that is whole: every table that its rule needs is there, finite, of
 * the right size. */
model model_read(app *a, const char *path)
{
    loader l = {.a = a, .file = path};
    dictionary names = {.n = 0};
    json top = json_read(a, path);
    const json *format = top.type == JSON_OBJECT ? json_member(&top, "format")
                                                 : NULL;
    if (format == NULL || format->type != JSON_STRING ||
        strcmp(format->text, "mtc-model") != 0)
        bad_model(&l, format != NULL ? format : &top, "this is no model of "
                  "mtc, which has \"format\": \"mtc-model\"; --save writes "
                  "one");
    refuse_other_schema(&l, &top);
    const json *rule = json_member(&top, "rule");
    for (int q = 0; q < 3 && rule != NULL && rule->type == JSON_STRING; q++)
        if (is(rule->text, rule_name((model_rule)q)))
            l.m.rule = (model_rule)q;
    l.m.d = MTC_NONE;
    load_object(&l, &top, &l.m, &model_object);
    l.m.file = path;
    check_features(&l, &top);
    if (l.m.rule == RULE_NEAREST)
        check_divergence(&l, &top);
    if (l.m.n == 0)
        bad_model(&l, &top, "tasks has to be an array of objects");
    for (size_t t = 0; t < l.m.n; t++) {
        check_task(&l, &top, &l.m.task[t]);
        if (number_word(a, &names, l.m.task[t].name,
                        strlen(l.m.task[t].name)) != t)
            bad_model(&l, &top, "tasks: %s is there twice",
                      quote(a, l.m.task[t].name));
    }
    return l.m;
}
