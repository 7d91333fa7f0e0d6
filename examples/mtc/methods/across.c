/* SPDX-License-Identifier: MIT
 *
 * across.c - one numbering of groups over several files, and its words
 *
 * A method that numbers each file by itself gets the numbers of mtc_across:
 * equal numbers are one group, and a group that only one file has gets a number
 * of its own.  To the rest of the program each file then has all groups, of
 * which some are empty.  A method with a numbering of its own keeps it, and
 * mtc_across says what the data support of it.
 */
#include "../models/model.h"
#include "../show/summary.h"

#include <math.h>
#include <string.h>

enum { NAMES_SHOWN = 4, LIKELY = 90,    /* of files; per cent: not yet sure */
       PAIRS_SHOWN = 6 };

/* Does the method number each file by itself? */
static int numbers_each(const method *m, const job *j)
{
    int single = !(m->flags & JOINT) || m->run == run_auto;
    return single && !(m->flags & COMPARED) && j->start[0] == NULL &&
           !j->set->pool;
}

/* ---- numbers ---- */

/* Where zeros of the table lie in the rows as the method saw them. */
static mtc_real *zeros_of(app *a, const tasks *all, size_t d)
{
    const scaling *s = all->at[0].scaled;
    mtc_real *zero = TAKE(a, d, mtc_real);
    for (size_t f = 0; f < d && s != NULL && is(s->how, "zscore"); f++)
        if (s->deviation[f] > 0)
            zero[f] = (mtc_real)(-s->mean[f] / s->deviation[f]);
    return zero;
}

/* Rows [k*width] of the old clusters go to the places of their groups. */
static void move_centers(job *j, size_t t, size_t groups)
{
    if (j->model == NULL || j->model->task[t].centers == NULL)
        return;
    model_task *m = &j->model->task[t];
    size_t d = j->data[t].d;
    mtc_real *centers = TAKE(j->a, groups * d, mtc_real);
    for (size_t z = 0; z < j->across->clusters[t]; z++)
        if (j->across->group[t][z] >= 0)
            memcpy(centers + (size_t)j->across->group[t][z] * d,
                   m->centers + z * d, d * sizeof *centers);
    m->centers = centers;
    m->k = m->rows = groups;
}

/* Clusters of all files get the numbers of groups. */
static void number_groups(job *j)
{
    app *a = j->a;
    const mtc_across_result *found = j->across;
    j->numbers = NUMBERS_GIVEN;
    j->set->k.at = COPY(a, j->k, j->n, size_t);    /* as used */
    for (size_t t = 0; t < j->n; t++) {
        move_centers(j, t, found->groups);
        j->k[t] = found->groups;
        for (size_t i = 0; i < j->data[t].n; i++)
            j->out[t].labels[i] = found->group[t][j->out[t].labels[i]];
    }
}

/* Where each group has one number in all its files and shares it with no other,
 * the groups get these numbers. */
static void take_numbers(job *j, mtc_across_result *x)
{
    size_t most = 0;
    for (size_t t = 0; t < x->tasks; t++)
        most = x->clusters[t] > most ? x->clusters[t] : most;
    int *number = TAKE(j->a, x->groups, int), *group = TAKE(j->a, most, int);
    for (size_t z = 0; z < most; z++)
        group[z] = -1;
    for (size_t g = 0; g < x->groups; g++)
        number[g] = -1;
    for (size_t t = 0; t < x->tasks; t++)
        for (size_t z = 0; z < x->clusters[t]; z++) {
            int g = x->group[t][z];
            if (g < 0)
                continue;
            if ((group[z] >= 0 && group[z] != g) ||
                (number[g] >= 0 && number[g] != (int)z))
                return;
            group[z] = g;
            number[g] = (int)z;
        }
    mtc_real *sure = TAKE(j->a, most, mtc_real);
    int *perhaps = TAKE(j->a, most, int);
    for (size_t z = 0; z < most; z++) {
        int other = group[z] >= 0 ? x->perhaps[group[z]] : -1;
        perhaps[z] = other >= 0 ? number[other] : -1;
        sure[z] = group[z] >= 0 ? x->sure[group[z]] : 0;
    }
    for (size_t t = 0; t < x->tasks; t++)
        for (size_t z = 0; z < x->clusters[t]; z++)
            x->group[t][z] = x->group[t][z] < 0 ? -1 : (int)z;
    x->sure = sure;
    x->perhaps = perhaps;
    x->groups = most;
    j->numbers = NUMBERS_FIT;
}

/* Which groups there are over all files; behind the run. */
void find_groups(const method *m, job *j, const tasks *all)
{
    app *a = j->a;
    if (all->n < 2 || j->separate)
        return;
    const int **labels = TAKE(a, all->n, const int *);
    mtc_data *data = TAKE(a, all->n, mtc_data);
    mtc_across_options opt = mtc_across_defaults();
    mtc_across_result *found = TAKE(a, 1, mtc_across_result);
    for (size_t t = 0, row = 0; t < all->n; row += all->at[t++].n) {
        data[t] = view_of(&all->at[t]);
        labels[t] = j->set->pool ? j->out[0].labels + row : j->out[t].labels;
    }
    opt.zero = zeros_of(a, all, data[0].d);
    check_job(j, mtc_across(j->ctx, data, all->n, labels, &opt, found),
              "across");
    j->across = found;
    if (numbers_each(m, j))
        number_groups(j);
    else
        take_numbers(j, found);
}

/* Is group z in task t? */
static int has_group(const job *j, size_t t, size_t z)
{
    for (size_t c = 0; c < j->across->clusters[t]; c++)
        if (j->across->group[t][c] == (int)z)
            return 1;
    return 0;
}

/* Is cluster z of task t to be shown?  Not if it is a group of others. */
int is_own(const report *r, size_t t, size_t z)
{
    return r->job->numbers != NUMBERS_GIVEN || has_group(r->job, t, z);
}

/* How many files have group z; *last is one of them. */
size_t files_of_group(const report *r, size_t z, size_t *last)
{
    size_t files = 0;
    for (size_t t = 0; t < r->tasks->n; t++)
        if (has_group(r->job, t, z)) {
            files++;
            *last = t;
        }
    return files;
}

/* The cluster of task t that is group z. */
static size_t cluster_of(const job *j, size_t t, size_t z)
{
    size_t c = 0;
    while (j->across->group[t][c] != (int)z)
        c++;
    return c;
}

/* ---- words ---- */

/* What stands between item i and the one before, of n. */
static const char *joint(size_t i, size_t n)
{
    return i == 0 ? "" : i + 1 < n ? ", " : " and ";
}

/* "0 to 2", "0 and 2", "0, 1 and 3 to 5" of the groups that are marked. */
static void put_numbers(app *a, text *out, size_t groups, const int *marked)
{
    size_t items = 0, at = 0;
    for (int writes = 0; writes < 2; writes++)
        for (size_t z = 0; z < groups; z++) {
            size_t end = z;
            while (end + 1 < groups && marked[end + 1])
                end++;
            int run = end - z >= 2 && (z == 0 || !marked[z - 1]);
            if (!marked[z])
                continue;
            if (!writes)
                items++;
            else if (run)
                put(a, out, "%s%zu to %zu", joint(at++, items), z, end);
            else
                put(a, out, "%s%zu", joint(at++, items), z);
            z = run ? end : z;
        }
}

/* "both files", "all 6 files" */
static const char *all_files(const report *r)
{
    const char *file = file_word(r->job->set);
    return r->tasks->n == 2 ? formed(r->job->a, "both %ss", file)
        : formed(r->job->a, "all %zu %ss", r->tasks->n, file);
}

/* "; none is in both files, as they stand": nothing is shared. */
static void put_none_shared(const report *r, text *out)
{
    put(r->job->a, out, "; none is in %s %ss, as they stand",
        r->tasks->n == 2 ? "both" : "two", file_word(r->job->set));
}

/* "both files", "all 6 files", "all but m6", "a and c", "north alone". */
static void put_files_of(const report *r, text *out, size_t z)
{
    const job *j = r->job;
    app *a = j->a;
    size_t last, n = r->tasks->n, files = files_of_group(r, z, &last), said = 0;
    int lacks = n >= 4 && n - files <= 2;
    size_t names = lacks ? n - files : files;
    if (files == n)
        put(a, out, "%s", all_files(r));
    else if (names > NAMES_SHOWN)
        put(a, out, "%zu of %zu %ss", files, n, file_word(j->set));
    if (files == n || names > NAMES_SHOWN)
        return;
    put(a, out, lacks ? "all but " : "");
    for (size_t t = 0; t < n; t++)
        if (has_group(j, t, z) != lacks)
            put(a, out, "%s%s", joint(said++, names),
                visible(a, r->tasks->at[t].name));
    put(a, out, files == 1 ? " alone" : "");
}

/* Are groups y and z in the same files? */
static int same_files(const job *j, size_t y, size_t z)
{
    for (size_t t = 0; t < j->across->tasks; t++)
        if (has_group(j, t, y) != has_group(j, t, z))
            return 0;
    return 1;
}

/* "0 to 2 are in both files, 3 in north alone": sets of files by their size.
 * Returns in how many files the first is. */
static size_t put_sets(const report *r, text *out)
{
    const job *j = r->job;
    app *a = j->a;
    size_t groups = j->across->groups, first = 0, last;
    int *told = TAKE(a, groups, int), *marked = TAKE(a, groups, int);
    for (size_t size = r->tasks->n; size > 0; size--)
        for (size_t z = 0; z < groups; z++) {
            size_t many = 0;
            if (told[z] || files_of_group(r, z, &last) != size)
                continue;
            for (size_t y = 0; y < groups; y++) {
                marked[y] = same_files(j, y, z);
                told[y] |= marked[y];
                many += (size_t)marked[y];
            }
            put(a, out, first > 0 ? ", " : ": ");
            put_numbers(a, out, groups, marked);
            put(a, out, first > 0 || size == 1 ? " in "
                        : many > 1             ? " are in " : " is in ");
            put_files_of(r, out, z);
            first = first > 0 ? first : size;
        }
    return first;
}

/* What is not sure of groups. */
static void put_doubts(const report *r, text *out)
{
    const mtc_across_result *x = r->job->across;
    app *a = r->job->a;
    size_t open = 0, last;
    for (size_t z = 0; z < x->groups; z++)
        if (files_of_group(r, z, &last) > 1 && 100 * x->sure[z] < LIKELY)
            put(a, out, "; that %zu is the same everywhere is likely (.%02.0f),"
                " not sure", z, floor(100 * (double)x->sure[z] + .5));
    for (size_t z = 0; z < x->groups; z++) {
        size_t y = (size_t)x->perhaps[z];
        if (x->perhaps[z] < 0 || (y < z && x->perhaps[y] == (int)z))
            continue;                           /* of a pair said once */
        put(a, out, open++ == 0 ? "; whether %zu and %zu" : ", %zu and %zu",
            z < y ? z : y, z < y ? y : z);
    }
    put(a, out, open > 0 ? " are one group is open" : "");
}

/* Column f of task t in the table's units: others' = *scale x + *offset. */
static void in_units(const report *r, size_t t, size_t f, double *scale,
                     double *offset)
{
    const mtc_across_result *x = r->job->across;
    const scaling *s = r->tasks->at[0].scaled;
    *scale = (double)x->scale[t * x->d + f];
    *offset = (double)x->offset[t * x->d + f];
    if (s != NULL && is(s->how, "zscore") && s->deviation[f] > 0)
        *offset = s->mean[f] * (1 - *scale) + s->deviation[f] * *offset;
    if (fabs(*offset) < 1e-9)
        *offset = 0;
}

/* "the others'", or of two files "north's". */
static const char *others_of(const report *r, size_t t, const char *ending)
{
    app *a = r->job->a;
    return r->tasks->n == 2
        ? formed(a, "%s%s", visible(a, r->tasks->at[1 - t].name),
                 *ending == '\0' ? "" : "'s")
        : formed(a, "the others%s", ending);
}

/* Are the logs of column f taken? */
static int is_of_logs(const tasks *all, size_t f)
{
    const scaling *s = all->at[0].scaled;
    return s != NULL && s->logs != NULL && s->logs[f];
}

/* A column as it was compared: "temp", or "log of temp". */
static const char *compared_column(app *a, const tasks *all, const task *data,
                                   size_t f)
{
    const char *name = shown_feature(a, all, data, f);
    return is_of_logs(all, f) ? formed(a, "log of %s", name) : name;
}

/* The map of task t, this file in terms of the others.  Logs that are moved are
 * values that are scaled. */
static void put_map(const report *r, text *out, size_t t)
{
    const mtc_across_result *x = r->job->across;
    const task *data = &r->tasks->at[t];
    app *a = r->job->a;
    size_t moved = 0;
    double scale, offset;
    for (size_t f = 0; f < x->d; f++) {
        int kind = x->kind[t * x->d + f];
        int by_log = kind == MTC_ACROSS_MOVED && is_of_logs(r->tasks, f);
        if (!(kind & MTC_ACROSS_SCALED) && !by_log)
            continue;
        in_units(r, t, f, &scale, &offset);
        put(a, out, " %s in %s looks like %s times %s",
            by_log ? shown_feature(a, r->tasks, data, f)
                   : compared_column(a, r->tasks, data, f),
            visible(a, data->name),
            three_digits(a, by_log ? exp(-offset) : 1 / scale),
            others_of(r, t, "'"));
        if (kind == MTC_ACROSS_BOTH)
            put(a, out, " %s %s", offset > 0 ? "minus" : "plus",
                three_digits(a, fabs(offset / scale)));
        put(a, out, ".");
    }
    for (size_t f = 0; f < x->d; f++)
        if (x->kind[t * x->d + f] == MTC_ACROSS_MOVED &&
            !is_of_logs(r->tasks, f)) {
            in_units(r, t, f, &scale, &offset);
            if (moved++ == 0)
                put(a, out, " %s is moved against %s: ",
                    visible(a, data->name), others_of(r, t, ""));
            put(a, out, "%s%s by %s", moved > 1 ? ", " : "",
                compared_column(a, r->tasks, data, f),
                three_digits(a, -offset));
        }
    put(a, out, moved > 0 ? "." : "");
    put(a, out, " Its groups are paired as if that were undone.");
}

/* "x in south spreads 12 times as widely as in north: other units" */
void put_spread(app *a, text *out, const tasks *all, size_t t, size_t f,
                double ratio, const char *others)
{
    put(a, out, "%s in %s spreads %s times %s in %s: other units",
        compared_column(a, all, &all->at[t], f), visible(a, all->at[t].name),
        three_digits(a, ratio > 1 ? ratio : 1 / ratio),
        ratio > 1 ? "as widely as" : "less widely than", others);
}

/* Maps, and columns that may be in other units. */
static void put_maps(const report *r, text *out)
{
    const mtc_across_result *x = r->job->across;
    app *a = r->job->a;
    for (size_t t = 0; t < r->tasks->n; t++) {
        if (x->gain[t] > 0)
            put_map(r, out, t);
        if (t == 1 && r->tasks->n == 2)   /* the first one's, once more */
            break;
        for (size_t f = 0; f < x->d && !(x->gain[t] > 0); f++) {
            double odd = (double)x->odd[t * x->d + f];
            if (!(odd > 1 || odd < 1))
                continue;
            put(a, out, " ");
            put_spread(a, out, r->tasks, t, f, odd, others_of(r, t, ""));
            put(a, out, "?");
        }
    }
}

/* Files beside others that share groups. */
static void put_strangers(const report *r, text *out)
{
    const job *j = r->job;
    size_t shared = 0;
    for (size_t t = 0; t < r->tasks->n; t++)
        shared += j->across->anchored[t] != 0;
    for (size_t t = 0; t < r->tasks->n && shared > 0; t++)
        if (!j->across->anchored[t])
            put(j->a, out, " %s shares no group with the others: other groups, "
                "or measured otherwise.", visible(j->a, r->tasks->at[t].name));
}

/* "4 groups: 0 to 2 are in both files, 3 in north alone." */
void put_across(text *out, const report *r)
{
    const job *j = r->job;
    app *a = j->a;
    size_t groups = 0, common = 0, last;
    for (size_t z = 0; z < j->across->groups; z++) {
        size_t files = files_of_group(r, z, &last);
        groups += files > 0;
        common += files == r->tasks->n;
    }
    put(a, out, "%zu group%s", groups, groups == 1 ? "" : "s");
    if (common == groups) {
        put(a, out, groups == 1 ? " in %s" : ", all in %s", all_files(r));
    } else if (put_sets(r, out) == 1)
        put_none_shared(r, out);
    put_doubts(r, out);
    put(a, out, ".");
    put_strangers(r, out);
    put_maps(r, out);
}

/* "0 of north is 2 of south", or "0 is one group in all 6 files". */
static void put_clusters_of(const report *r, text *out, size_t g)
{
    const job *j = r->job;
    app *a = j->a;
    size_t first = SIZE_MAX, said = 0, last;
    int same = 1;
    for (size_t t = 0; t < r->tasks->n; t++)
        if (has_group(j, t, g)) {
            size_t z = cluster_of(j, t, g);
            first = first == SIZE_MAX ? z : first;
            same &= z == first;
        }
    if (same) {
        put(a, out, "%zu is one group in ", first);
        put_files_of(r, out, g);
        return;
    }
    for (size_t t = 0; t < r->tasks->n && said < PAIRS_SHOWN; t++)
        if (has_group(j, t, g)) {
            put(a, out, said > 1 ? " and " : said == 1 ? " is " : "");
            put(a, out, "%zu of %s", cluster_of(j, t, g),
                visible(a, r->tasks->at[t].name));
            said++;
        }
    size_t files = files_of_group(r, g, &last);
    if (files > said)
        put(a, out, " and one more in %zu others", files - said);
}

/* "; by their centers 0 of north is 2 of south", of numbers that do not fit:
 * the groups that several files have, then how many are alone. */
void put_pairs_across(text *out, const report *r)
{
    const job *j = r->job;
    app *a = j->a;
    size_t pairs = 0, alone = 0, last;
    for (size_t g = 0; g < j->across->groups; g++) {
        if (files_of_group(r, g, &last) < 2) {
            alone++;
            continue;
        }
        if (pairs++ >= PAIRS_SHOWN)
            continue;
        put(a, out, pairs > 1 ? ", " : "; by their centers ");
        put_clusters_of(r, out, g);
    }
    if (pairs > PAIRS_SHOWN)
        put(a, out, ", and %zu more are shared", pairs - PAIRS_SHOWN);
    if (pairs == 0)
        put_none_shared(r, out);
    else if (alone > 0)
        put(a, out, alone == 1 ? "; the other is in one %s alone"
                               : "; the others are each in one %s alone",
            file_word(j->set));
    put(a, out, ".");
    put_maps(r, out);
}

/* ---- JSON ---- */

/* That file's own numbers of group z. */
static void put_clusters(const report *r, text *t, size_t z)
{
    const job *j = r->job;
    size_t said = 0;
    put(j->a, t, ", \"clusters\": {");
    for (size_t i = 0; i < r->tasks->n; i++)
        if (has_group(j, i, z))
            put(j->a, t, "%s%s: %zu", said++ == 0 ? "" : ", ",
                json_text(j->a, r->tasks->at[i].name), cluster_of(j, i, z));
    put(j->a, t, "}");
}

/* `"groups"` and `"maps"`. */
void put_across_members(text *t, const report *r)
{
    static const char *const kinds[] = {"", "scaled", "moved",
                                        "scaled and moved"};
    const job *j = r->job;
    const mtc_across_result *x = j->across;
    app *a = j->a;
    size_t said = 0, last;
    put(a, t, ",\n  \"groups\": [");
    for (size_t z = 0; z < x->groups; z++) {
        size_t in = 0;
        if (files_of_group(r, z, &last) == 0)
            continue;
        put(a, t, "%s{\"group\": %zu, \"in\": [",
            said++ == 0 ? "\n    " : ",\n    ", z);
        for (size_t i = 0; i < r->tasks->n; i++)
            if (has_group(j, i, z))
                put(a, t, "%s%s", in++ == 0 ? "" : ", ",
                    json_text(a, r->tasks->at[i].name));
        put(a, t, "], \"sure\": %.17g, \"perhaps\": ", (double)x->sure[z]);
        put(a, t, x->perhaps[z] < 0 ? "null" : "%d", x->perhaps[z]);
        if (j->numbers != NUMBERS_GIVEN)
            put_clusters(r, t, z);
        put(a, t, "}");
    }
    said = 0;
    put(a, t, "],\n  \"maps\": [");
    for (size_t e = 0; e < r->tasks->n * x->d; e++) {
        size_t i = e / x->d, f = e % x->d;
        double scale, offset;
        if (x->kind[e] == MTC_ACROSS_AS_IS)
            continue;
        in_units(r, i, f, &scale, &offset);
        put(a, t, "%s\n    {\"task\": %s, \"column\": %s, \"kind\": \"%s\", "
            "\"scale\": %.17g, \"offset\": %.17g, \"gain\": %.17g}",
            said++ == 0 ? "" : ",", json_text(a, r->tasks->at[i].name),
            json_text(a, feature_name(a, r->tasks, &r->tasks->at[i], f)),
            kinds[x->kind[e]], 1 / scale,
            offset == 0 ? 0 : -offset / scale, (double)x->gain[i]);
    }
    put(a, t, "]");
}

/* Cluster number y of task t as its labels have it; -1: it has no rows. */
static int cluster_at(const job *j, size_t t, size_t y)
{
    if (j->numbers == NUMBERS_GIVEN)
        return has_group(j, t, y) ? (int)cluster_of(j, t, y) : -1;
    return y < j->across->clusters[t] && j->across->group[t][y] >= 0 ? (int)y
                                                                     : -1;
}

/* How sure each two clusters of tasks `from` and `to` are one group, in the
 * order of their numbers. */
void put_sure_pairs(text *t, const job *j, size_t from, size_t to)
{
    const mtc_across_result *x = j->across;
    const mtc_real *same = x->same[from * x->tasks + to];
    app *a = j->a;
    size_t rows = 0, most = x->groups;
    for (size_t i = 0; i < x->tasks; i++)
        most = x->clusters[i] > most ? x->clusters[i] : most;
    put(a, t, ", \"sure\": [");
    for (size_t y = 0; y < most; y++) {
        size_t cells = 0;
        int p = cluster_at(j, from, y);
        if (p < 0)
            continue;
        put(a, t, rows++ == 0 ? "[" : ", [");
        for (size_t z = 0; z < most; z++) {
            int q = cluster_at(j, to, z);
            if (q >= 0)
                put(a, t, "%s%.17g", cells++ == 0 ? "" : ", ",
                    (double)same[(size_t)p * x->clusters[to] + (size_t)q]);
        }
        put(a, t, "]");
    }
    put(a, t, "]");
}
