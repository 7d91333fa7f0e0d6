/* SPDX-License-Identifier: MIT
 *
 * export.c - `mtc export`: a model as one C header that needs no library
 */
#include "export.h"

#include <math.h>
#include <string.h>

/* ---- pieces ---- */

/* C with @ and $ for the name. */
void put_code(header *h, const char *code)
{
    while (*code != '\0') {
        size_t n = strcspn(code, "@$");
        put(h->a, &h->out, "%.*s", (int)n, code);
        code += n;
        if (*code != '\0')
            put(h->a, &h->out, "%s", *code++ == '@' ? h->name : h->capitals);
    }
}

/* A text for a comment or between quotes: as it is where it can do no harm,
 * else as an escape of C.  Nothing in it ends a comment or a string, begins a
 * comment, or is a trigraph; what is not ASCII becomes bytes in octal. */
static void put_c_text(header *h, const char *s)
{
    for (const char *at = s; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        char before = at > s ? at[-1] : ' ';
        if (c == '"' || c == '\\' || (c == '?' && before == '?'))
            put(h->a, &h->out, "\\%c", c);
        else if (c < 32 || c > 126 ||
                 (c == '*' && (before == '/' || at[1] == '/')))
            put(h->a, &h->out, "\\%03o", c);
        else
            put(h->a, &h->out, "%c", c);
    }
}

table begin_table(header *h, const char *name)
{
    put_code(h, "    static const @_real ");
    put(h->a, &h->out, "%s[] = {", name);
    return (table){h, 0};
}

/* One more number; a small whole one needs no cast. */
void put_number(table *t, double x)
{
    header *h = t->h;
    char s[40];
    int whole = fabs(x) < 1e6 && x == floor(x) && (x != 0 || 1 / x > 0);
    put(h->a, &h->out, "%s%s", t->n == 0 ? "" : ",",
        t->n % 2 == 0 ? "\n        " : " ");
    t->n++;
    sprintf(s, whole ? "%.0f" : "%.17g", x);
    put_code(h, whole ? "" : "$_R(");
    put(h->a, &h->out, "%s%s", s, whole ? "" : strpbrk(s, ".e") == NULL
        ? ".0)" : ")");
    h->table_bytes += sizeof(double);
}

void put_numbers(table *t, size_t n, const mtc_real *x)
{
    for (size_t i = 0; i < n; i++)
        put_number(t, (double)x[i]);
}

/* C has no table of nothing. */
void end_table(table *t)
{
    if (t->n == 0)
        put_number(t, 0);
    put(t->h->a, &t->h->out, "\n    };\n");
}

/* ---- the whole header ---- */

static void put_names(header *h)
{
    const model *m = h->m;
    put(h->a, &h->out, " *\n * Tasks:\n");
    for (size_t t = 0; t < m->n; t++) {
        put(h->a, &h->out, " *   %zu  ", t);
        put_c_text(h, m->task[t].name);
        put(h->a, &h->out, ", %zu %s\n", m->task[t].k,
            is(m->kind, "transfer") ? "classes" : "clusters");
    }
    for (size_t z = 0; z < m->n_classes && m->number != NULL; z++)
        put(h->a, &h->out, "%s *   label %zu is class %d\n",
            z == 0 ? " *\n" : "", z, m->number[z]);
    put(h->a, &h->out, " *\n * Features of x%s\n", m->names != NULL ? ":"
        : m->columns != NULL ? ", by their places in the files, from 1:"
        : ": those of the files, in their order");
    for (size_t j = 0; j < m->d && (m->names || m->columns); j++) {
        put(h->a, &h->out, " *   x[%zu]  ", j);
        if (m->names != NULL)
            put_c_text(h, m->names[j]);
        else
            put(h->a, &h->out, "%zu", m->columns[j]);
        double first = m->first_day != NULL ? m->first_day[j] : 0;
        if (first == TIMES)
            put(h->a, &h->out, ", as part of a day");
        else if (first > 0 && first < 4e6)      /* beyond, no file had it */
            put(h->a, &h->out, ", in days since %s", day_text(h->a, first));
        put(h->a, &h->out, "\n");
    }
}

static void put_banner(header *h)
{
    const model *m = h->m;
    put_code(h, "/* @.h - labels for new samples; ");
    put(h->a, &h->out, "written by mtc export, version %s.\n *\n"
        " * Model: ", mtc_version());
    put_c_text(h, m->method);
    put(h->a, &h->out, "%s, %s.\n *\n", m->guarded ? " under --guard" : "",
        is(m->scaled.how, "none") ? "of values as they are"
        : is(m->scaled.how, "l2") ? "of rows at length 1"
        : is(m->scaled.how, "tfidf") ? "of words weighted by tfidf"
        : "of features at mean 0 and deviation 1");
    if (m->texts != NULL)
        put(h->a, &h->out, " * For a text, x has how often each of the words "
            "below occurs.\n *\n");
    if (m->scaled.logs != NULL)
        put(h->a, &h->out, " * The label takes logs of some features first: a "
            "sample whose value there is\n * not above 0 has the label -1.\n *\n");
    put_code(h,
" *     int @_label(int task, const @_real *x)\n"
" *\n"
" * gives the label, from 0, of a sample x [$_FEATURES], raw: what the\n"
" * model does to values before it looks at them is done here.  It is -1\n"
" * where there is no such task, or where x has a value that `mtc assign`\n"
" * refuses: NaN, an infinity, above 1e45 (in float 1e9)");
    put_code(h, is_positive(m)     ? ",\n * or not positive (plus --smooth).\n"
                : counts_values(m) ? ",\n * or negative.\n" : ".\n");
    if (h->far)
        put_code(h, " *\n *     int @_far(int task, const @_real *x)\n *\n"
" * is 1 if x lies farther from the center of its cluster than any sample\n"
" * of the training did, else 0; -1 where there is no label.\n *\n");
    put_code(h,
" * Labels are those of `mtc assign`, to the last bit.  With -D$_SINGLE all\n"
" * is done in float: a sample between two clusters may get the other label.\n"
" * No library is needed, no memory but the stack");
    if (needs_row(m))
        put_code(h, ", where x has a copy");
    put(h->a, &h->out, ".\n");
    put_names(h);
    put(h->a, &h->out, " */\n");
}

/* A macro that is a list of words, in braces. */
static void put_word_list(header *h, const char *macro, size_t n,
                          const char *const *word)
{
    put_code(h, macro);
    for (size_t i = 0; i < n; i++) {
        put(h->a, &h->out, "%s\\\n    \"", i == 0 ? " " : ", ");
        put_c_text(h, word[i]);
        put(h->a, &h->out, "\"");
    }
    put(h->a, &h->out, "}\n");
}

/* Macros, the type, and what the compiler must not do. */
static void put_prologue(header *h)
{
    const model *m = h->m;
    size_t k = 0;
    for (size_t t = 0; t < m->n; t++)
        k = m->task[t].k > k ? m->task[t].k : k;
    put_code(h, "#ifndef $_H\n#define $_H\n\n");
    if (needs_integers(m))
        put(h->a, &h->out, "#include <stdint.h>\n\n");
    put_code(h, "#define $_TASKS ");
    put(h->a, &h->out, "%zu\n", m->n);
    put_code(h, "#define $_FEATURES ");
    put(h->a, &h->out, "%zu\n", m->d);
    put_code(h, "#define $_CLUSTERS ");
    put(h->a, &h->out, "%zu\n", k);
    if (m->texts != NULL)           /* what to count for each feature */
        put_word_list(h, "#define $_WORDS {", m->d, m->names);
    if (m->word != NULL && m->n_classes > 0)
        put_word_list(h, "#define $_CLUSTER_WORDS {", m->n_classes, m->word);
    put_code(h, "\n#ifdef $_SINGLE\n");
    put_code(h, "typedef float @_real;\n#define $_LIMIT 1e9f\n"
"#else\ntypedef double @_real;\n#define $_LIMIT 1e45\n"
"#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || \\\n"
"    defined(__RECIPROCAL_MATH__) || \\\n"
"    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)\n"
"#error \"-ffast-math, or a part of it, changes labels; "
"-D$_SINGLE accepts that\"\n"
"#endif\n"
"#if defined(__SIZEOF_DOUBLE__) && __SIZEOF_DOUBLE__ != 8\n"
"#error \"double is too short here: use -D$_SINGLE\"\n"
"#endif\n"
"#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ == 2\n"
"#error \"x87 arithmetic: use -msse2 -mfpmath=sse, or -D$_SINGLE\"\n"
"#endif\n"
"#endif\n"
"#define $_R(x) ((@_real)(x))\n"
"#if defined(__GNUC__) && !defined(__clang__)\n"
"#pragma GCC push_options\n"
"#pragma GCC optimize(\"fp-contract=off\", "
"\"no-tree-loop-distribute-patterns\")\n"
"#endif\n\n");
}

static text compose(header *h)
{
    put_functions(h);               /* first: they tell what the rest says */
    text functions = h->out;
    h->out = (text){NULL, 0, 0};
    put_banner(h);
    put_prologue(h);
    put(h->a, &h->out, "%s", functions.at);
    put_code(h, "#undef $_R\n#undef $_LIMIT\n"
             "#if defined(__GNUC__) && !defined(__clang__)\n"
             "#pragma GCC pop_options\n#endif\n\n#endif /* $_H */\n");
    return h->out;
}

/* ---- the command ---- */

/* A name of C, for there is nothing else that it could be used for. */
static void check_name(app *a, const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "abcdefghijklmnopqrstuvwxyz_";
    if (name == NULL)
        fail(a, BAD_USAGE, "--c NAME is missing: the header is NAME.h, its "
             "function NAME_label");
    size_t n = strspn(name, letters);
    while (n > 0 && name[n] != '\0' &&
           strchr("0123456789", name[n]) != NULL)
        n += 1 + strspn(name + n + 1, letters);
    if (n == 0 || name[n] != '\0')
        fail(a, BAD_USAGE, "--c %s: need a name of C: letters, digits and _, "
             "no digit first", quote(a, name));
}

static const char *capitals_of(app *a, const char *name)
{
    char *s = COPY(a, name, strlen(name) + 1, char);
    for (char *c = s; *c != '\0'; c++)
        if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
    return s;
}

/* DIR/NAME.h of MODEL.json */
void run_export(app *a, int argc, char **argv)
{
    settings set;
    text summary = {NULL, 0, 0};
    words files = parse_args(a, "export", EXPORT_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 1, 1, "one MODEL.json, as --save writes it");
    check_name(a, set.c);
    if (set.out == NULL)
        fail(a, BAD_USAGE, "--out DIR is missing");
    model m = model_read(a, files.at[0]);
    if (m.stand_in && !m.guarded)
        fail(a, BAD_USAGE, "%s: a model of %s cannot be exported, as the method "
             "has no rule for new samples; use `mtc assign`", m.file, m.method);
    if (m.scaled.numbers > 0)
        fail(a, BAD_USAGE, "%s: numbers beside words are not exported", m.file);
    if (set.far && !has_distances(&m))
        fail(a, BAD_USAGE, "--far: classes of %s have no distance", m.method);
    header h = {.a = a, .m = &m, .name = set.c, .far = set.far,
                .capitals = capitals_of(a, set.c)};
    text out = compose(&h);
    const char *path = join_path(a, set.out, set.c, ".h");
    save_directory(a, set.out);
    save(a, path, &out);
    if (set.quiet)
        return;
    put(a, &summary, "%s: %s_label() for %zu task%s, %zu feature%s; tables "
        "of %zu bytes, half as many in float\n", path, set.c, m.n,
        m.n == 1 ? "" : "s", m.d, m.d == 1 ? "" : "s", h.table_bytes);
    save(a, "-", &summary);
}
