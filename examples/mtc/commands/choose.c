/* SPDX-License-Identifier: MIT
 *
 * choose.c - how many clusters: the command, and --k auto of the others
 *
 * The library answers for all tasks together and for each by itself; what it
 * says is put in words, in a table and in JSON.
 */
#include "../methods/job.h"
#include "../show/summary.h"
#include "../texts/texts.h"

#include <stdio.h>

enum {
    CHOOSE_FEW = 500,                   /* rows that choose draws */
    CHOOSE_SHARE = 6,                   /* of them for each cluster, */
    FIRST_LOOK = 12,                    /* which is for so many, at most */
    ROWS_SURE = 40,                     /* fewer look sure by chance */
    CURVE_SHOWN = 12                    /* of its beliefs, if no more matter */
};

static const char *const verdicts[] = {"none", "clear", "unclear", "few"};

/* ---- the answer in words ---- */

/* .35; the belief is never quite 1 */
static void put_share(app *a, text *t, double x)
{
    char digits[16];
    sprintf(digits, "%.2f", x < 0.99 ? x : 0.99);
    put(a, t, "%s%s", x > 0.99 ? "over " : "", digits + 1);
}

/* Is there a curve behind the answer?  None is needed where rows take only a
 * few values, and none can be drawn where there are few rows. */
static int has_curve(const mtc_choice *c)
{
    double sum = 0;
    for (size_t k = 0; k < c->limit; k++)
        sum += (double)(c->gap[k] + c->height[k]);
    return c->verdict != MTC_VERDICT_FEW && sum > 0;
}

static int all_equal(const mtc_choice *c)
{
    return c->verdict == MTC_VERDICT_NONE && !has_curve(c);
}

/* Did the options, or the rows, leave one number to choose? */
static int no_choice(const mtc_choice *c, const settings *set)
{
    return has_curve(c) && c->limit == set->k_min;
}

static void put_guess(app *a, text *t, size_t k, double p)
{
    put(a, t, "%zu (", k);
    put_share(a, t, p);
    put(a, t, ")");
}

/* The least number of clusters that says more than one. */
static size_t least_of(const settings *set)
{
    return set->k_min > 2 ? set->k_min : 2;
}

/* Does the search end at the answer?  A wider look follows one of 12. */
static int at_limit(const mtc_choice *c, const settings *set)
{
    return has_curve(c) && c->limit > least_of(set) && c->best == c->limit &&
           (c->limit != FIRST_LOOK || set->k_max == FIRST_LOOK);
}

/* Why there is nothing to choose; NULL: there is. */
static const char *no_choice_because(app *a, const mtc_choice *c,
                                     const settings *set)
{
    if (c->verdict == MTC_VERDICT_FEW)
        return formed(a, "too few rows to choose from (%zu are needed)",
                      6 * least_of(set));
    if (all_equal(c))
        return "all rows are equal";
    if (!has_curve(c))
        return formed(a, "rows take only %zu value%s", c->k,
                      c->k == 1 ? "" : "s");
    return no_choice(c, set) ? "no other number was searched" : NULL;
}

/* One line, without its end, where there is a choice. */
static void put_belief(app *a, text *t, const mtc_choice *c,
                       const settings *set, const char *where)
{
    if (c->verdict == MTC_VERDICT_CLEAR) {
        put(a, t, "%zu cluster%s%s (sure ", c->k, c->k == 1 ? "" : "s", where);
        put_share(a, t, (double)c->sure);
        put(a, t, ")");
    } else if (c->verdict == MTC_VERDICT_UNCLEAR) {
        put(a, t, "no clear number%s: ", where);
        put_guess(a, t, c->k, (double)c->sure);
        put(a, t, c->second > 0 ? ", else " : "");
        if (c->second > 0)
            put_guess(a, t, c->second, (double)c->p[c->second - 1]);
    } else {
        put(a, t, "no evidence of more than one cluster%s (", where);
        put_share(a, t, (double)c->sure);
        put(a, t, "); if there are groups, %zu is the best guess", c->best);
    }
    if (at_limit(c, set))
        put(a, t, c->limit < set->k_max
            ? "; at the limit of the search, six rows a cluster"
            : "; at the limit of the search; raise --k-max (%zu clusters need "
              "%zu rows a file)", c->limit + 1, 6 * (c->limit + 1));
}

/* One line, without its end; `where` is " in both files", or nothing. */
static void put_words(app *a, text *t, const mtc_choice *c,
                      const settings *set, const char *where)
{
    const char *why = no_choice_because(a, c, set);
    if (why == NULL)
        put_belief(a, t, c, set, where);
    else if (c->verdict != MTC_VERDICT_FEW || *where != '\0')
        put(a, t, "%zu cluster%s%s: %s", c->k, c->k == 1 ? "" : "s", where,
            why);
    else {
        put(a, t, "%s", why);
        if (set->k_min > 1)
            put(a, t, ": %zu, the least asked for", c->k);
    }
}

/* Does task t by itself surely have another number than all together? */
static int differs(const k_choice *c, size_t t)
{
    const mtc_choice *own = &c->found.task[t];
    return own->k != c->found.common.k &&
           (own->verdict == MTC_VERDICT_CLEAR || all_equal(own));
}

/* What holds for all tasks, and where a task clearly differs from it. */
static void put_choice(app *a, text *t, const k_choice *c,
                       const settings *set)
{
    int several = c->n > 1;
    put(a, t, "%s", several ? "all tasks: " : "");
    put_words(a, t, &c->found.common, set, "");
    put(a, t, "\n");
    for (size_t i = 0; i < c->n && several; i++) {
        if (!differs(c, i))
            continue;
        put(a, t, "%s: ", visible(a, c->name[i]));
        put_words(a, t, &c->found.task[i], set, "");
        put(a, t, "\n");
    }
}

/* " in both files", or of files that clearly differ " together".  Nothing was
 * chosen by files of too few rows. */
static void put_files(app *a, text *t, const k_choice *c, const char *file)
{
    int differ = 0, few = 0;
    for (size_t i = 0; i < c->n; i++) {
        differ |= differs(c, i);
        few |= c->found.task[i].verdict == MTC_VERDICT_FEW;
    }
    if (few && c->found.common.verdict != MTC_VERDICT_FEW)
        put(a, t, differ ? " in all %ss with enough rows together"
                         : " in %ss with enough rows", file);
    else if (differ)
        put(a, t, " in all %ss together", file);
    else if (c->n == 1)
        put(a, t, " in %s", visible(a, c->name[0]));
    else if (c->n == 2)
        put(a, t, " in both %ss", file);
    else
        put(a, t, " in each of %zu %ss", c->n, file);
}

/* Ends a sentence, which begins with a capital. */
static void put_sentence(app *a, text *t)
{
    if (t->at[0] >= 'a' && t->at[0] <= 'z')
        t->at[0] = (char)(t->at[0] - 'a' + 'A');
    put(a, t, ".");
}

/* What each task says by itself.  Of many tasks only those that clearly differ
 * are named, and not all of them. */
static void put_own(app *a, text *t, const k_choice *c, const settings *set)
{
    int all = c->n <= MANY_TASKS || set->verbose;
    size_t differ = 0;
    for (size_t i = 0; i < c->n && c->n > 1; i++) {
        int other = differs(c, i);
        differ += (size_t)other;
        if (!all && (!other || differ > FEW_SHOWN))
            continue;
        put(a, t, "%s by itself: ", visible(a, c->name[i]));
        put_words(a, t, &c->found.task[i], set, "");
        put(a, t, "\n");
    }
    if (!all && differ == 0)
        put(a, t, "No task by itself clearly has another number.\n");
    else if (!all && differ > FEW_SHOWN)
        put(a, t, "and %zu more tasks that clearly differ (--verbose: all)\n",
            differ - FEW_SHOWN);
}

/* ---- asking ---- */

/* Asks the library about n tasks. */
static mtc_choose_result ask(app *a, const settings *set, size_t n,
                             const task *const *at)
{
    mtc_context ctx = context_of(a, set->seed);
    mtc_choose_options opt = {set->k_min, set->k_max};
    mtc_data *data = TAKE(a, n, mtc_data);
    mtc_choose_result found;
    for (size_t t = 0; t < n; t++)
        data[t] = view_of(at[t]);
    check(a, &ctx, mtc_choose(&ctx, data, n, &opt, &found), "choose");
    pool_release(data);
    return found;
}

/* The answer for task t: its own where that is clear, else that of all. */
static const mtc_choice *answer_for(const k_choice *c, size_t t)
{
    const mtc_choice *own = &c->found.task[t];
    int known = own->verdict == MTC_VERDICT_CLEAR || all_equal(own);
    return known ? own : &c->found.common;
}

/* Whoever asks for groups gets the best guess, even where one is likelier. */
static size_t as_groups(const mtc_choice *c)
{
    return all_equal(c) ? 1 : c->best;
}

/* Two answers that come from curves, and differ.  Where rows are drawn, which
 * are others without some of them, only a clear one contradicts; and beyond 12
 * too, where a guess is weak. */
static int contradict(const mtc_choice *a, const mtc_choice *b, int drawn)
{
    return a->k != b->k && has_curve(a) && has_curve(b) &&
           ((!drawn && a->k <= FIRST_LOOK && b->k <= FIRST_LOOK) ||
            a->verdict == MTC_VERDICT_CLEAR);
}

/* The first answer that is another one than before, in words; 0: none. */
static int put_other(app *a, text *t, const settings *set,
                     const k_choice *before, const k_choice *c, int drawn)
{
    const mtc_choice *other = NULL;
    if (contradict(&c->found.common, &before->found.common, drawn)) {
        other = &c->found.common;
        put(a, t, c->n > 1 ? "all tasks: " : "");
    }
    for (size_t i = 0; i < c->n && other == NULL; i++)
        if (contradict(answer_for(c, i), answer_for(before, i), drawn)) {
            other = answer_for(c, i);
            put(a, t, "%s: %s", visible(a, c->name[i]),
                other == &c->found.common ? "as all tasks together, " : "");
        }
    if (other != NULL)
        put_words(a, t, other, set, "");
    return other != NULL;
}

/* Asks again without rows far from all others, and tells if the answer is
 * another one, unless the others are too few to tell. */
static void look_without_far(app *a, const settings *set, const k_choice *c,
                             const task *const *at)
{
    k_choice again = *c;
    text what = {NULL, 0, 0}, answer = {NULL, 0, 0};
    task *rest = TAKE(a, c->n, task);
    const task **rows = TAKE(a, c->n, const task *);
    int enough = without_far(a, set, c->n, at, rest, &what) > 0;
    int drawn = 0;
    for (size_t t = 0; t < c->n && enough; t++) {
        drawn |= at[t]->n > CHOOSE_FEW;
        rows[t] = &rest[t];
        enough &= rest[t].n >= set->k_min;
    }
    if (!enough)
        return;
    again.found = ask(a, set, c->n, rows);
    if (put_other(a, &answer, set, c, &again, drawn))
        warn(a, "far-rows", NULL, "%s: %s", what.at, answer.at);
}

/* Few rows of one cluster often fall into groups that look clear, in several
 * tasks alike. */
static void doubt_few(app *a, const k_choice *c, const task *const *at)
{
    const mtc_choice *common = &c->found.common;
    size_t least = SIZE_MAX;
    for (size_t t = 0; t < c->n; t++)
        if (has_curve(&c->found.task[t]) && at[t]->n < least)
            least = at[t]->n;
    for (size_t t = 0; t < c->n; t++) {
        const mtc_choice *by = answer_for(c, t);
        size_t n = by == common ? least : at[t]->n;
        if (by->verdict != MTC_VERDICT_CLEAR || !has_curve(by) ||
            n >= ROWS_SURE)
            continue;
        inform(a, "few-rows", NULL, "%s: %zu samples%s are few: with fewer than %d "
               "chance often makes groups that look as sure",
               by == common && c->n > 1 ? "all tasks" : c->name[t], n,
               by == common && c->n > 1 ? " of one" : "", ROWS_SURE);
        return;
    }
}

/* The most clusters that are looked for in a task. */
static size_t longest(const task *rows, size_t most)
{
    size_t n = rows->n < CHOOSE_FEW ? rows->n : CHOOSE_FEW;
    return n / CHOOSE_SHARE < most ? n / CHOOSE_SHARE : most;
}

/* Tasks with too short a curve beside the others' have no say in the number of
 * all. */
static void tell_small(app *a, const settings *set, const k_choice *c,
                       const task *const *at)
{
    size_t most = set->k_max, widest = 0, small = 0, first = 0;
    if (c->found.common.limit <= FIRST_LOOK && most > FIRST_LOOK)
        most = FIRST_LOOK;
    for (size_t t = 0; t < c->n; t++)
        if (has_curve(&c->found.task[t]) && longest(at[t], most) > widest)
            widest = longest(at[t], most);
    for (size_t t = c->n; t-- > 0; )
        if (has_curve(&c->found.task[t]) &&
            2 * longest(at[t], most) < widest) {
            first = t;
            small++;
        }
    if (small > 0)
        inform(a, "few-rows", NULL, "%s (%zu rows)%s too small to take part in "
               "the common number", c->name[first], at[first]->n,
               small > 1 ? formed(a, " and %zu more are", small - 1) : " is");
}

/* The answers for n tasks. */
static k_choice choose_clusters(app *a, settings *set, size_t n,
                                const task *const *at)
{
    k_choice c = {.n = n, .name = TAKE(a, n, const char *)};
    if (set->k_max == 0) {                      /* no option of this command */
        set->k_min = 1;
        set->k_max = mtc_choose_defaults().max;
    }
    for (size_t t = 0; t < n; t++) {
        c.name[t] = at[t]->name;
        if (set->k_min > at[t]->n)
            fail(a, BAD_USAGE, "%zu clusters or more: %s has only %zu sample%s",
                 set->k_min, at[t]->name, at[t]->n,
                 at[t]->n == 1 ? "" : "s");
    }
    c.found = ask(a, set, n, at);
    tell_small(a, set, &c, at);
    doubt_few(a, &c, at);
    look_without_far(a, set, &c, at);
    return c;
}

/* Has task t too few rows, beside others that have enough?  It gets the number
 * of these, however sure that is. */
static int has_no_say(const k_choice *c, size_t t)
{
    return c->found.task[t].verdict == MTC_VERDICT_FEW &&
           c->found.common.verdict != MTC_VERDICT_FEW;
}

/* Such a task gets k. */
static void tell_too_few(job *j, const k_choice *c, size_t t, size_t k)
{
    app *a = j->a;
    const mtc_choice *common = &c->found.common;
    size_t n = j->data[t].n;
    if (all_equal(common) || no_choice(common, j->set))
        return;
    const char *has = n < k
        ? formed(a, "%zu cluster%s, all tasks %zu", n, n == 1 ? "" : "s", k)
        : formed(a, "the number of all tasks, %zu", k);
    inform(a, "few-rows", NULL, "%s: %zu sample%s too few to choose from (%zu "
           "are needed): it has %s", c->name[t], n, n == 1 ? " is" : "s are",
           6 * least_of(j->set), has);
}

/* Where the number comes from that `files` of the files have, `last` the last
 * of them. */
static void put_certainty(job *j, const mtc_choice *c, size_t files,
                          const char *last)
{
    app *a = j->a;
    text says = {NULL, 0, 0};
    int few = c->verdict == MTC_VERDICT_FEW;
    if (all_equal(c) || no_choice(c, j->set) || !(few || has_curve(c)))
        return;
    if (files < j->n && files == 1)
        put(a, &says, "In %s ", visible(a, last));
    else if (files < j->n)
        put(a, &says, "In %zu of %zu %ss ", files, j->n, file_word(j->set));
    if (few)
        put(a, &says, "there are too few rows to tell how many groups there "
            "are");
    else if (c->verdict == MTC_VERDICT_NONE)
        put(a, &says, "one group is likelier than several: these are the best "
            "guess");
    else if (c->verdict == MTC_VERDICT_CLEAR)
        put(a, &says, "their number was chosen and is clear");
    else if (c->second > 0 && 2 * c->p[c->second - 1] >= c->sure)
        put(a, &says, "their number was chosen, but %zu is nearly as likely",
            c->second);
    else
        put(a, &says, "their number was chosen, but is not clear");
    put_sentence(a, &says);
    put(a, &j->sure, " %s", says.at);
}

/* Fills the k of the job that are not known yet.  `one`: a number for all. */
void choose_for(job *j, const task *const *at, int one)
{
    app *a = j->a;
    settings *set = j->set;
    size_t given = set->k_max;
    k_choice c = choose_clusters(a, set, j->n, at);
    const mtc_choice *common = &c.found.common, *least = common;
    size_t unknown = 0, chosen = 0;             /* files; of enough rows, */
    size_t shared = 0;                          /* with the number of all */
    const char *last[3] = {"", "", ""};         /* of each of these */
    for (size_t t = 0; t < j->n; t++)
        if (j->k[t] == 0) {
            const mtc_choice *by = one ? common : answer_for(&c, t);
            size_t k = as_groups(by), n = j->data[t].n;
            j->k[t] = one || k < n ? k : n;
            unknown++;
            last[0] = c.name[t];
            if (has_no_say(&c, t)) {
                if (!one)
                    tell_too_few(j, &c, t, k);
                continue;
            }
            shared += by == common;
            last[1] = c.name[t];
            last[2] = by == common ? c.name[t] : last[2];
            least = chosen++ == 0 || by->sure < least->sure ? by : least;
        }
    if (shared > 0 && common->verdict != MTC_VERDICT_CLEAR)
        put_certainty(j, common, shared, last[2]);  /* others are clear */
    else if (chosen > 0)
        put_certainty(j, least, chosen, last[1]);   /* of the least sure */
    else
        put_certainty(j, common, unknown, last[0]); /* that of other files */
    put(a, &j->notes, j->n > 1 ? "k by choice, " : "k by choice: ");
    put_choice(a, &j->notes, &c, set);
    if (set->k_range && has_curve(common) && common->limit < given)
        put(a, &j->notes, "  (searched up to %zu: six rows a cluster)\n",
            common->limit);
    put(a, &j->members, ",\n  \"k_choice\": ");
    put_k_choice(a, &j->members, &c, set->prepared);
}

/* The k of all tasks, which is said as well. */
size_t choose_common(app *a, const settings *set, const tasks *all)
{
    settings own = *set;
    const task **at = TAKE(a, all->n, const task *);
    text t = {NULL, 0, 0};
    for (size_t i = 0; i < all->n; i++)
        at[i] = &all->at[i];
    k_choice c = choose_clusters(a, &own, all->n, at);
    put_words(a, &t, &c.found.common, &own, "");
    if (c.found.common.verdict == MTC_VERDICT_FEW && own.k_min <= 1)
        put(a, &t, ": 1 cluster");
    inform(a, "k-chosen", NULL, "k by choice: %s", t.at);
    return as_groups(&c.found.common);
}

/* ---- table ---- */

/* Number k - 1 of a curve, or nothing. */
static void put_cell(app *a, text *t, int known, const mtc_real *curve,
                     size_t k)
{
    if (known)
        put(a, t, " %8.4f", (double)curve[k - 1]);
    else
        put(a, t, " %8s", "");
}

/* The heading of the curve. */
static void put_headings(app *a, text *t, const k_choice *c, size_t shown)
{
    put(a, t, "\n%4s %8s", "k", "belief");
    for (size_t i = 0; i < shown; i++)
        put_heading(a, t, c->name[i], 8);
    put(a, t, "\n");
}

/* The sentence; then a row for each k: of all tasks, and behind it the belief
 * of each by itself. */
static void print_curve(app *a, const k_choice *c, const settings *set)
{
    const mtc_choice *r = &c->found.common;
    text t = {NULL, 0, 0}, opening = {NULL, 0, 0}, where = {NULL, 0, 0};
    size_t shown = c->n < 2 ? 0
                   : c->n < FEW_SHOWN || set->verbose ? c->n : FEW_SHOWN;
    size_t rows = r->limit;
    if (!set->verbose && rows > r->best + 2)    /* what is of any interest */
        rows = r->best + 2 > CURVE_SHOWN ? r->best + 2 : CURVE_SHOWN;
    rows = rows < r->limit ? rows : r->limit;
    put_files(a, &where, c, file_word(set));
    put_words(a, &opening, r, set, where.at);
    put_sentence(a, &opening);
    put_wrapped(a, &t, opening.at);
    put_own(a, &t, c, set);
    if (has_curve(r))
        put_headings(a, &t, c, shown);
    for (size_t k = 1; k <= rows && has_curve(r); k++) {
        put(a, &t, "%4zu", k);
        put_cell(a, &t, 1, r->p, k);
        for (size_t i = 0; i < shown; i++) {
            const mtc_choice *own = &c->found.task[i];
            put_cell(a, &t, has_curve(own) && k <= own->limit, own->p, k);
        }
        put(a, &t, "\n");
    }
    if (has_curve(r) && rows < r->limit)
        put(a, &t, "(up to %zu were searched; --verbose shows all)\n",
            r->limit);
    if (has_curve(r) && c->n > 1 && shown < c->n)
        put(a, &t, "(%zu tasks, of which the first %zu; --verbose shows "
            "all)\n", c->n, shown);
    save(a, "-", &t);
}

/* ---- JSON ---- */

static void put_curve(app *a, text *t, const char *name, const mtc_choice *c,
                      const mtc_real *curve)
{
    put(a, t, ",\n      \"%s\": ", name);
    if (has_curve(c))
        put_reals(a, t, c->limit, curve);
    else
        put(a, t, "null");
}

static void put_answer(app *a, text *t, const mtc_choice *c)
{
    put(a, t, "{\"k\": %zu, \"best\": %zu, \"second\": %s", c->k, c->best,
        c->second > 0 ? formed(a, "%zu", c->second) : "null");
    put(a, t, ", \"verdict\": \"%s\", \"sure\": %s, \"limit\": %zu",
        verdicts[c->verdict], json_real(a, (double)c->sure), c->limit);
    put_curve(a, t, "p", c, c->p);
    put_curve(a, t, "gap", c, c->gap);
    put_curve(a, t, "usil", c, c->usil);
    put_curve(a, t, "mix", c, c->mix);
    put_curve(a, t, "mixdep", c, c->mixdep);
    put_curve(a, t, "height", c, c->height);
    put(a, t, "}");
}

void put_k_choice(app *a, text *t, const k_choice *c, const preparation *p)
{
    put(a, t, "{\n    \"common\": ");
    put_answer(a, t, &c->found.common);
    put(a, t, ",\n    \"tasks\": [");
    for (size_t i = 0; i < c->n; i++) {
        put(a, t, i == 0 ? "" : ",\n      ");
        put_answer(a, t, &c->found.task[i]);
    }
    put(a, t, "],\n    \"scaled\": %s, ", p == NULL   ? "null"
                                         : p->scaled ? "true" : "false");
    put_preparation(a, t, "apart", p);
    put(a, t, "}");
}

/* mtc choose [options] TASK... */
void run_choose(app *a, int argc, char **argv)
{
    settings set;
    words files = parse_args(a, "choose", CHOOSE_OPTIONS, argc, argv, &set);
    need_operands(a, &files, 1, SIZE_MAX, "at least one TASK file");
    tasks all = load_together(a, &set, &files);
    const task **at = TAKE(a, all.n, const task *);
    for (size_t t = 0; t < all.n; t++)
        at[t] = &all.at[t];
    double start = now();
    progress_outer(a, READING, 1);
    k_choice c = choose_clusters(a, &set, all.n, at);
    double seconds = now() - start;
    wipe_progress(a);
    if (set.json != NULL) {
        text t = {NULL, 0, 0};
        json_begin(a, &t);
        put(a, &t, "\"options\": ");
        put_options(a, &t, CHOOSE_OPTIONS, &set, 1);
        put(a, &t, ",\n  \"k_choice\": ");
        put_k_choice(a, &t, &c, set.prepared);
        put(a, &t, ",\n  \"seconds\": %.17g\n}\n", seconds);
        save(a, set.json, &t);
    }
    if (!set.quiet && !is(set.json, "-"))
        print_curve(a, &c, &set);
}
