/* SPDX-License-Identifier: MIT
 *
 * auto_experiment.c - what vote, guard and auto are worth, and what they cost.
 *
 *     build/auto_experiment [--markdown] [DATA [REPLICATES [NAME]]]
 *     build/auto_experiment [--markdown] DATA battery
 *
 * DATA holds folders of LIBSVM files, see the table `collections` below; it
 * may come from MTC_DATA.  Without one, or with -, the program makes tasks of
 * its own.
 * NAME picks one of them, `shared` for all collections in one table, `kinds`
 * (of generated data without DATA), `corners` or `battery`, which is single data
 * sets in DATA/battery.  All of it takes about ten minutes.  With --markdown
 * only the tables of RESULTS.md are printed.
 * A replicate draws 90 % of the samples of every task again, 500 at most; all
 * methods see the same ones.  Figures are the mean NMI over tasks and
 * replicates, and in brackets the paired difference to the first row with
 * its standard error over replicates.  "-perm": the columns of every task
 * permuted independently, so that nothing is shared any more: what gains
 * there is no transfer.
 */
#include "../advice/mtc_advice.h"
#include "lanes.h"
#include "table.h"

enum { MOST_TASKS = 4, MOST_ROWS = 500, MOST_SETS = 10 };

typedef struct collection {
    const char *name, *folder;
    const char *task[MOST_TASKS];
    int permuted;
} collection;

static const collection collections[] = {
    {"webkb4", "webkb4", {"cornell", "texas", "washington", "wisconsin"}, 0},
    {"recvstalk", "recvstalk", {"task1", "task2"}, 0},
    {"tr11", "cluto-tr11", {"task1", "task2"}, 0},
    {"tr45", "cluto-tr45", {"task1", "task2"}, 0},
    {"ng4", "ng4", {"task1", "task2", "task3", "task4"}, 0},
    {"handdigits", "handdigits", {"mnist-crop", "usps"}, 0},
    {"webkb4-perm", "webkb4", {"cornell", "texas", "washington", "wisconsin"},
     1}
};
enum { COLLECTIONS = sizeof collections / sizeof collections[0] };

/* The tasks of one replicate. */
typedef struct problem {
    size_t T, d;
    mtc_data X[MOST_TASKS];
    int *truth[MOST_TASKS];
    size_t k[MOST_TASKS];
} problem;

typedef struct answer {
    int *labels[MOST_TASKS];
} answer;

/* ---- data --------------------------------------------------------------- */

/* order [n]: a permutation. */
static void shuffle(mtc_random *r, size_t n, size_t *order)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n; i > 1; i--) {
        size_t other = mtc_random_below(r, i), keep = order[i - 1];
        order[i - 1] = order[other];
        order[other] = keep;
    }
}

static int ascending(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

typedef struct pair { uint32_t column; mtc_real value; } pair;

static int by_column(const void *a, const void *b)
{
    uint32_t x = ((const pair *)a)->column, y = ((const pair *)b)->column;
    return (x > y) - (x < y);
}

/* 90 % of the rows of a set, at most `most`, in their order; columns renamed
 * by `rename` unless NULL. */
static ex_set draw(const ex_set *all, size_t d, size_t most, mtc_random *r,
                   const size_t *rename)
{
    size_t n = all->X.n * 9 / 10, nnz = 0;
    size_t *order = ex_grow(NULL, all->X.n, sizeof *order);
    n = n < most ? n : most;
    shuffle(r, all->X.n, order);
    qsort(order, n, sizeof *order, ascending);
    for (size_t i = 0; i < n; i++)
        nnz += all->X.row[order[i] + 1] - all->X.row[order[i]];
    size_t *row = ex_grow(NULL, n + 1, sizeof *row);
    uint32_t *column = ex_grow(NULL, nnz + 1, sizeof *column);
    mtc_real *values = ex_grow(NULL, nnz + 1, sizeof *values);
    pair *line = ex_grow(NULL, d, sizeof *line);
    ex_set set = {mtc_csr(n, d, row, column, values),
                  ex_grow(NULL, n, sizeof(int)), 0};
    row[0] = 0;
    for (size_t i = 0; i < n; i++) {
        size_t e0 = all->X.row[order[i]], count = 0;
        for (size_t e = e0; e < all->X.row[order[i] + 1]; e++, count++) {
            uint32_t c = all->X.column[e];
            line[count].column = rename == NULL ? c : (uint32_t)rename[c];
            line[count].value = all->X.values[e];
        }
        qsort(line, count, sizeof *line, by_column);
        for (size_t e = 0; e < count; e++) {
            column[row[i] + e] = line[e].column;
            values[row[i] + e] = line[e].value;
        }
        row[i + 1] = row[i] + count;
        set.labels[i] = all->labels[order[i]];
    }
    set.classes = ex_rank(n, set.labels);
    free(order);
    free(line);
    return set;
}

static size_t features(const ex_set *sets, size_t T)
{
    size_t d = 0;
    for (size_t t = 0; t < T; t++)
        d = sets[t].X.d > d ? sets[t].X.d : d;
    return d;
}

/* `most` rows of each task at most; 0: eight for each class. */
static void replicate(const ex_set *sets, size_t T, size_t most, int permuted,
                      uint64_t seed, ex_set *drawn, problem *p)
{
    mtc_random r = mtc_random_seed(seed);
    size_t d = features(sets, T);
    size_t *rename = ex_grow(NULL, d, sizeof *rename);
    p->T = T;
    p->d = d;
    for (size_t t = 0; t < T; t++) {
        if (permuted)
            shuffle(&r, d, rename);
        drawn[t] = draw(&sets[t], d, most > 0 ? most : 8 * sets[t].classes, &r,
                        permuted ? rename : NULL);
        p->X[t] = drawn[t].X;
        p->truth[t] = drawn[t].labels;
        p->k[t] = drawn[t].classes;
    }
    free(rename);
}

/* Tasks of our own: topics of words, `shared` of 10 words the same in both
 * tasks. */
static ex_set made(uint64_t seed, size_t task, unsigned shared)
{
    enum { N = 160, K = 4, WORDS = 40, LENGTH = 22, D = 2 * K * WORDS + 200 };
    mtc_random r = mtc_random_seed(seed + 1000 * task);
    size_t *row = ex_grow(NULL, N + 1, sizeof *row);
    uint32_t *column = ex_grow(NULL, N * D, sizeof *column);
    mtc_real *values = ex_grow(NULL, N * D, sizeof *values);
    ex_set set = {mtc_csr(N, D, row, column, values),
                  ex_grow(NULL, N, sizeof(int)), K};
    row[0] = 0;
    for (size_t i = 0; i < N; i++) {
        mtc_real count[D] = {0}, length = 0;
        size_t z = i % K, at = row[i];
        set.labels[i] = (int)z;
        for (size_t w = 0; w < LENGTH; w++) {
            size_t word = mtc_random_below(&r, WORDS);
            if (mtc_random_below(&r, 10) < 6)           /* of no topic */
                count[2 * K * WORDS + mtc_random_below(&r, 200)] += 1;
            else
                count[(word % 10 < shared ? 0 : task) * K * WORDS % (2 * K *
                      WORDS) + z * WORDS + word] += 1;
        }
        for (size_t j = 0; j < D; j++)
            length += count[j] * count[j];
        for (size_t j = 0; j < D; j++)
            if (count[j] > 0) {
                column[at] = (uint32_t)j;
                values[at++] = count[j] / (mtc_real)sqrt((double)length);
            }
        row[i + 1] = at;
    }
    return set;
}

/* ---- methods ------------------------------------------------------------ */

static void keep(const problem *p, size_t t, const int *labels, answer *a)
{
    memcpy(a->labels[t], labels, p->X[t].n * sizeof *labels);
}

static void by_kmeans(mtc_context *ctx, const problem *p, answer *a)
{
    for (size_t t = 0; t < p->T; t++) {
        mtc_kmeans_options o = mtc_kmeans_defaults();
        mtc_kmeans_result r;
        o.clusters = p->k[t];
        ex_try(mtc_kmeans(ctx, &p->X[t], &o, &r), "k-means");
        keep(p, t, r.labels, a);
        mtc_free(ctx, &r.block);
    }
}

static void by_vote(const mtc_context *ctx, const problem *p, answer *a)
{
    for (size_t t = 0; t < p->T; t++)
        ex_vote(&p->X[t], p->k[t], ctx->seed, a->labels[t]);
}

static void by_ncut(mtc_context *ctx, const problem *p, answer *a)
{
    for (size_t t = 0; t < p->T; t++) {
        mtc_ncut_options o = mtc_ncut_defaults();
        mtc_ncut_result r;
        o.clusters = p->k[t];
        ex_try(mtc_ncut(ctx, &p->X[t], &o, &r), "normalized cut");
        keep(p, t, r.labels, a);
        mtc_free(ctx, &r.block);
    }
}

/* All tasks as one: as many clusters as the task with most of them has. */
static void by_pooling(mtc_context *ctx, const problem *p, answer *a)
{
    size_t n = 0, nnz = 0, k = 0;
    for (size_t t = 0; t < p->T; t++) {
        n += p->X[t].n;
        nnz += p->X[t].row[p->X[t].n];
        k = p->k[t] > k ? p->k[t] : k;
    }
    size_t *row = ex_grow(NULL, n + 1, sizeof *row);
    uint32_t *column = ex_grow(NULL, nnz, sizeof *column);
    mtc_real *values = ex_grow(NULL, nnz, sizeof *values);
    row[n = nnz = 0] = 0;
    for (size_t t = 0; t < p->T; t++) {
        const mtc_data *X = &p->X[t];
        memcpy(column + nnz, X->column, X->row[X->n] * sizeof *column);
        memcpy(values + nnz, X->values, X->row[X->n] * sizeof *values);
        for (size_t i = 0; i < X->n; i++)
            row[n + i + 1] = nnz + X->row[i + 1];
        n += X->n;
        nnz += X->row[X->n];
    }
    mtc_data all = mtc_csr(n, p->d, row, column, values);
    mtc_kmeans_options o = mtc_kmeans_defaults();
    mtc_kmeans_result r;
    o.clusters = k;
    ex_try(mtc_kmeans(ctx, &all, &o, &r), "pooled k-means");
    for (size_t t = 0, at = 0; t < p->T; at += p->X[t++].n)
        keep(p, t, r.labels + at, a);
    mtc_free(ctx, &r.block);
    free(row);
    free(column);
    free(values);
}

static void by_auto(mtc_context *ctx, const problem *p, answer *a)
{
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r;
    o.clusters_of = p->k;
    ex_try(mtc_auto(ctx, p->X, p->T, &o, &r), "auto");
    for (size_t t = 0; t < p->T; t++)
        keep(p, t, r.labels[t], a);
    mtc_free(ctx, &r.block);
}

/* The same without a word between tasks. */
static void by_auto_alone(mtc_context *ctx, const problem *p, answer *a)
{
    for (size_t t = 0; t < p->T; t++) {
        problem one = {.T = 1, .d = p->d, .X = {p->X[t]}, .k = {p->k[t]}};
        answer of_one = {{a->labels[t]}};
        by_auto(ctx, &one, &of_one);
    }
}

/* A, B and what the guard kept; counts the tasks that kept B. */
static void by_guard(mtc_context *ctx, const problem *p,
                     mtc_guard_method method, const mtc_mbc_options *mbc,
                     answer *A, answer *B, answer *kept, double *shared)
{
    mtc_guard_options o = mtc_guard_defaults();
    mtc_guard_result r;
    o.method = method;
    o.mbc = mbc;
    o.clusters_of = p->k;
    ex_try(mtc_guard(ctx, p->X, p->T, &o, &r), "guard");
    for (size_t t = 0; t < p->T; t++) {
        keep(p, t, r.single[t], A);
        keep(p, t, r.shared[t], B);
        keep(p, t, r.labels[t], kept);
        *shared += r.kept[t] / (double)p->T;
    }
    mtc_free(ctx, &r.block);
}

/* ---- the table ---------------------------------------------------------- */

/* Rows of the table; each is compared with the row `against`. */
typedef struct row {
    const char *name;
    int against;
} row;

enum {
    KMEANS, POOLED, SPECTRAL, VOTED, ALONE, AUTO, MBC_A, MBC_B, MBC_GUARD,
    LSS_A, LSS_B, LSS_GUARD, ROWS
};

static const row rows[ROWS] = {
    {"k-means, best of 10 by loss", KMEANS},
    {"pooled k-means, best of 10", KMEANS},
    {"normalized cut of the cosines", KMEANS},
    {"vote of the 10 k-means runs", KMEANS},
    {"auto of each task alone", KMEANS},
    {"auto", KMEANS},
    {"MBC     A: vote of k-means", MBC_A},
    {"        B: shared", MBC_A},
    {"        guard", MBC_A},
    {"LSSMTC  A: vote of k-means", LSS_A},
    {"        B: shared", LSS_A},
    {"        guard", LSS_A}
};

typedef struct column {
    ex_stat value[ROWS], difference[ROWS], versus_vote, sharing_adds;
    double kept[2];                 /* share of B: mbc, lss */
    double seconds[2];              /* ten k-means runs; auto */
    int even;
} column;

static double nmi_of(mtc_context *ctx, const problem *p, const answer *a)
{
    double sum = 0;
    for (size_t t = 0; t < p->T; t++) {
        mtc_scores s;
        ex_try(mtc_score(ctx, p->X[t].n, p->truth[t], a->labels[t], &s),
               "score");
        sum += (double)s.nmi / (double)p->T;
    }
    return sum;
}

static void new_answers(const problem *p, size_t n, answer *a)
{
    for (size_t r = 0; r < n; r++)
        for (size_t t = 0; t < p->T; t++)
            a[r].labels[t] = ex_grow(NULL, p->X[t].n, sizeof(int));
}

static void free_answers(const problem *p, size_t n, answer *a)
{
    for (size_t r = 0; r < n; r++)
        for (size_t t = 0; t < p->T; t++)
            free(a[r].labels[t]);
}

/* Tasks that are drawn from again and again. */
typedef struct source {
    const ex_set *sets;
    size_t T;
    int permuted;
} source;

/* Figures of a replicate: NMI of each row, what is in `column` besides. */
enum { KEPT = ROWS, SECONDS = KEPT + 2, EVEN = SECONDS + 2, FIGURES };

static void one_problem(const problem *p, uint64_t seed, double *figure)
{
    answer a[ROWS];
    mtc_context ctx = ex_context();
    double at, *kept = figure + KEPT;
    int even = 1;
    ctx.seed = seed;
    for (size_t t = 0; t < p->T; t++)
        even &= p->k[t] == p->k[0];
    figure[EVEN] = even;
    new_answers(p, ROWS, a);
    at = ex_seconds();
    by_kmeans(&ctx, p, &a[KMEANS]);
    figure[SECONDS] = ex_seconds() - at;
    by_pooling(&ctx, p, &a[POOLED]);
    by_ncut(&ctx, p, &a[SPECTRAL]);
    by_vote(&ctx, p, &a[VOTED]);
    at = ex_seconds();
    by_auto(&ctx, p, &a[AUTO]);
    figure[SECONDS + 1] = ex_seconds() - at;
    by_auto_alone(&ctx, p, &a[ALONE]);
    by_guard(&ctx, p, MTC_GUARD_MBC, NULL, &a[MBC_A], &a[MBC_B],
             &a[MBC_GUARD], &kept[0]);
    if (even)
        by_guard(&ctx, p, MTC_GUARD_LSSMTC, NULL, &a[LSS_A], &a[LSS_B],
                 &a[LSS_GUARD], &kept[1]);
    for (size_t r = 0; r < ROWS; r++)
        if (even || r < LSS_A)
            figure[r] = nmi_of(&ctx, p, &a[r]);
    free_answers(p, ROWS, a);
}

/* Figures of replicate r, of rows drawn again by the seed. */
static void of_drawn(const source *s, size_t r, uint64_t seed, double *figure,
                     void one(const problem *p, uint64_t seed, double *figure))
{
    ex_set drawn[MOST_TASKS];
    problem p;
    replicate(s->sets, s->T, MOST_ROWS, s->permuted, seed, drawn, &p);
    one(&p, r + 1, figure);
    for (size_t t = 0; t < s->T; t++)
        ex_free(&drawn[t]);
}

static void one_replicate(const void *of, size_t r, double *figure)
{
    of_drawn((const source *)of, r, 100 + r, figure, one_problem);
}

static void add_replicate(column *c, const double *figure)
{
    c->even = figure[EVEN] > 0;
    for (size_t r = 0; r < ROWS; r++) {
        if (!c->even && r >= LSS_A)
            continue;
        ex_add(&c->value[r], figure[r]);
        ex_add(&c->difference[r], figure[r] - figure[rows[r].against]);
    }
    ex_add(&c->versus_vote, figure[AUTO] - figure[VOTED]);
    ex_add(&c->sharing_adds, figure[AUTO] - figure[ALONE]);
    for (size_t g = 0; g < 2; g++)
        c->kept[g] += figure[KEPT + g];
    for (size_t m = 0; m < 2; m++)
        c->seconds[m] += figure[SECONDS + m];
}

static void print_column(const char *name, const column *c, size_t replicates)
{
    double n = (double)replicates;
    ex_say("\n%s, %zu replicates                NMI   difference (se)\n", name,
           replicates);
    for (size_t r = 0; r < ROWS; r++) {
        if (r == MBC_A || r == LSS_A)
            ex_say("\n");
        if (c->value[r].n == 0) {
            ex_say("  %-32s   -\n", rows[r].name);
            continue;
        }
        ex_say("  %-32s %.3f", rows[r].name, ex_mean(&c->value[r]));
        if (rows[r].against != (int)r)
            ex_say("   %+.3f (%.3f)", ex_mean(&c->difference[r]),
                   ex_error(&c->difference[r]));
        ex_say("\n");
    }
    ex_say("  auto against the vote of k-means: %+.3f (%.3f)\n",
           ex_mean(&c->versus_vote), ex_error(&c->versus_vote));
    ex_say("  of auto's gain, votes that share nothing have %+.3f; sharing "
           "adds %+.3f (%.3f)\n", ex_mean(&c->difference[ALONE]),
           ex_mean(&c->sharing_adds), ex_error(&c->sharing_adds));
    ex_say("  tasks that kept the shared answer: MBC %.0f %%",
           100 * c->kept[0] / n);
    if (c->even)
        ex_say(", LSSMTC %.0f %%", 100 * c->kept[1] / n);
    ex_say("\n  auto: %.1f times the time of ten k-means runs\n",
           c->seconds[1] / c->seconds[0]);
}

/* A mean and its standard error; nothing where there is none. */
static void difference_cell(ex_table *t, const ex_stat *s)
{
    if (s->n > 0)
        ex_cell(t, "%+.3f (%.3f)", ex_mean(s), ex_error(s));
    else
        ex_blank(t);
}

/* A row of a figure of all collections. */
static void value_row(ex_table *t, const char *name, const column *c, size_t r)
{
    ex_cell(t, "%s", name);
    for (size_t i = 0; i < COLLECTIONS; i++)
        ex_cell(t, "%.3f", ex_mean(&c[i].value[r]));
}

static void difference_row(ex_table *t, const char *name, const column *c,
                           size_t r)
{
    ex_cell(t, "%s", name);
    for (size_t i = 0; i < COLLECTIONS; i++)
        difference_cell(t, &c[i].difference[r]);
}

/* Tasks that kept the shared answer of method g. */
static void kept_row(ex_table *t, const char *name, const column *c, size_t g)
{
    ex_cell(t, "%s", name);
    for (size_t i = 0; i < COLLECTIONS; i++)
        if (g == 0 || c[i].even)
            ex_cell(t, "%.0f %%", 100 * c[i].kept[g] / c[i].value[0].n);
        else
            ex_blank(t);
}

/* What stands on the page: columns c of all collections. */
static void print_shared(const column *c)
{
    ex_table t = {COLLECTIONS + 1, 0, NULL};
    ex_cell(&t, "NMI");
    for (size_t i = 0; i < COLLECTIONS; i++)
        ex_cell(&t, "%s", collections[i].name);
    value_row(&t, "k-means, best of 10", c, KMEANS);
    value_row(&t, "vote of ten runs", c, VOTED);
    value_row(&t, "auto, tasks alone", c, ALONE);
    value_row(&t, "**auto**", c, AUTO);
    ex_cell(&t, "auto - vote");
    for (size_t i = 0; i < COLLECTIONS; i++)
        difference_cell(&t, &c[i].versus_vote);
    ex_cell(&t, "auto - tasks alone");
    for (size_t i = 0; i < COLLECTIONS; i++)
        difference_cell(&t, &c[i].sharing_adds);
    difference_row(&t, "MBC shared - vote", c, MBC_B);
    difference_row(&t, "guarded MBC - vote", c, MBC_GUARD);
    kept_row(&t, "guarded MBC, shared kept", c, 0);
    difference_row(&t, "LSSMTC shared - vote", c, LSS_B);
    difference_row(&t, "guarded LSSMTC - vote", c, LSS_GUARD);
    kept_row(&t, "guarded LSSMTC, shared kept", c, 1);
    ex_print(&t);
}

static column run_collection(const char *name, const ex_set *sets, size_t T,
                             int permuted, size_t replicates)
{
    column c;
    memset(&c, 0, sizeof c);
    source of = {sets, T, permuted};
    double *figure = ex_runs_lent(replicates, FIGURES, one_replicate, &of);
    for (size_t r = 0; r < replicates; r++)
        add_replicate(&c, figure + r * FIGURES);
    free(figure);
    print_column(name, &c, replicates);
    return c;
}

/* Those whose name is `only`; all of them, and the table, if it is NULL. */
static void run_collections(const char *dir, const char *only,
                            size_t replicates)
{
    column c[COLLECTIONS];
    for (size_t i = 0; i < COLLECTIONS; i++) {
        const collection *from = &collections[i];
        char folder[1024];
        ex_set sets[MOST_TASKS];
        size_t T = 0;
        if (only != NULL && strcmp(only, from->name) != 0)
            continue;
        ex_progress(i, COLLECTIONS);
        snprintf(folder, sizeof folder, "%s/%s", dir, from->folder);
        for (; T < MOST_TASKS && from->task[T] != NULL; T++)
            sets[T] = ex_load(folder, from->task[T]);
        c[i] = run_collection(from->name, sets, T, from->permuted, replicates);
        for (size_t t = 0; t < T; t++)
            ex_free(&sets[t]);
    }
    if (only == NULL)
        print_shared(c);
}

/* ---- corners: one task, few rows, many rows, another divergence --------- */

typedef struct corner {
    const char *name, *folder;
    const char *task[2];
    size_t most;                    /* rows of a task; 0: eight a class */
    int kl;                         /* the guard's MBC with kl */
} corner;

static const corner corners[] = {
    {"one task: webkb4 cornell", "webkb4", {"cornell"}, 500, 0},
    {"one task: recvstalk 1", "recvstalk", {"task1"}, 500, 0},
    {"one task: tr11 1", "cluto-tr11", {"task1"}, 500, 0},
    {"eight rows a class: webkb4", "webkb4", {"cornell", "texas"}, 0, 0},
    {"eight rows a class: recvstalk", "recvstalk", {"task1", "task2"}, 0, 0},
    {"eight rows a class: tr11", "cluto-tr11", {"task1", "task2"}, 0, 0},
    {"thousands: recvstalk, all", "recvstalk", {"task1", "task2"}, 9999, 0},
    {"thousands: handdigits, all", "handdigits", {"mnist-crop", "usps"}, 9999,
     0},
    {"kl, smooth .001: webkb4", "webkb4", {"cornell", "texas"}, 500, 1},
    {"kl, smooth .001: tr11", "cluto-tr11", {"task1", "task2"}, 500, 1},
    {"kl, smooth .001: recvstalk", "recvstalk", {"task1", "task2"}, 500, 1}
};
enum { CORNERS = sizeof corners / sizeof corners[0], CORNER_ROWS = 6 };

/* A corner and its tasks. */
typedef struct corner_set {
    const corner *c;
    const ex_set *sets;
    size_t T;
} corner_set;

/* nmi [CORNER_ROWS] of replicate i, then how many tasks kept B. */
static void one_corner(const void *of, size_t i, double *nmi)
{
    const corner_set *at = (const corner_set *)of;
    const corner *c = at->c;
    answer a[CORNER_ROWS];
    ex_set drawn[2];
    problem drawn_problem, *p = &drawn_problem;
    mtc_context ctx = ex_context();
    mtc_divergence kl = mtc_kl();
    mtc_mbc_options mbc = mtc_mbc_defaults();
    replicate(at->sets, at->T, c->most, 0, 200 + i, drawn, p);
    ctx.seed = i + 1;
    mbc.iterations = 30;
    mbc.divergence = c->kl ? &kl : NULL;
    mbc.smooth = (mtc_real)0.001;
    new_answers(p, CORNER_ROWS, a);
    by_kmeans(&ctx, p, &a[0]);
    by_vote(&ctx, p, &a[1]);
    by_auto(&ctx, p, &a[2]);
    by_guard(&ctx, p, MTC_GUARD_MBC, &mbc, &a[3], &a[4], &a[5],
             &nmi[CORNER_ROWS]);
    for (size_t r = 0; r < CORNER_ROWS; r++)
        nmi[r] = nmi_of(&ctx, p, &a[r]);
    free_answers(p, CORNER_ROWS, a);
    for (size_t t = 0; t < at->T; t++)
        ex_free(&drawn[t]);
}

static void run_corners(const char *dir, size_t replicates)
{
    ex_table table = ex_head("NMI|k-means|vote|auto - vote|guard: vote|MBC "
                             "shared|guarded - vote|shared kept");
    for (size_t i = 0; i < CORNERS; i++) {
        const corner *c = &corners[i];
        char folder[1024];
        ex_set sets[2];
        ex_stat value[CORNER_ROWS], gain[2];
        double kept = 0;
        size_t T = 0;
        memset(value, 0, sizeof value);
        memset(gain, 0, sizeof gain);
        snprintf(folder, sizeof folder, "%s/%s", dir, c->folder);
        for (; T < 2 && c->task[T] != NULL; T++)
            sets[T] = ex_load(folder, c->task[T]);
        corner_set of = {c, sets, T};
        double *all = ex_runs_lent(replicates, CORNER_ROWS + 1, one_corner,
                                   &of);
        for (size_t r = 0; r < replicates; r++) {
            const double *nmi = all + r * (CORNER_ROWS + 1);
            for (size_t q = 0; q < CORNER_ROWS; q++)
                ex_add(&value[q], nmi[q]);
            ex_add(&gain[0], nmi[2] - nmi[1]);
            ex_add(&gain[1], nmi[5] - nmi[3]);
            kept += nmi[CORNER_ROWS];
        }
        free(all);
        ex_cell(&table, "%s", c->name);
        ex_cell(&table, "%.3f", ex_mean(&value[0]));
        ex_cell(&table, "%.3f", ex_mean(&value[1]));
        difference_cell(&table, &gain[0]);
        ex_cell(&table, "%.3f", ex_mean(&value[3]));
        ex_cell(&table, "%.3f", ex_mean(&value[4]));
        difference_cell(&table, &gain[1]);
        ex_cell(&table, "%.0f %%", 100 * kept / (double)replicates);
        for (size_t t = 0; t < T; t++)
            ex_free(&sets[t]);
    }
    ex_print(&table);
}

/* ---- kinds of data: clusters that differ in place, size, shape ---------- */

typedef enum kind {
    DIAGONAL, TIERS, OVERLAP, UNRELATED, STRETCHED, MOONS, RINGS, ANSWERS,
    BINARY, ROUNDED, SPARSE_SIZES, SPARSE_PROFILES, KINDS
} kind;

static const struct {
    const char *name;
    size_t n, d, k;
} kinds[KINDS] = {
    {"diagonal: 10, 24, 38 times (1, 1)", 150, 2, 3},
    {"tiers: log-normal visits, basket, spend", 180, 3, 3},
    {"overlap: centers 1.25 N(0, I)", 160, 5, 4},
    {"unrelated: as overlap, centers of each task", 160, 5, 4},
    {"stretched: one long axis", 150, 2, 3},
    {"moons, noise .08", 200, 2, 2},
    {"rings, radius 1 and 3", 200, 2, 2},
    {"answers from 1 to 5, six questions", 150, 6, 3},
    {"ten binary columns", 150, 10, 3},
    {"blobs in whole numbers", 160, 2, 4},
    {"sparse counts of three sizes", 150, 200, 3},
    {"sparse counts of four profiles", 160, 400, 4}
};

/* Counts as in the files NAME.counts.svm: rows of unequal length. */
static const collection counted[] = {
    {"webkb4, counts", "webkb4", {"cornell.counts", "texas.counts",
     "washington.counts", "wisconsin.counts"}, 0},
    {"recvstalk, counts", "recvstalk", {"task1.counts", "task2.counts"}, 0},
    {"tr11, counts", "cluto-tr11", {"task1.counts", "task2.counts"}, 0}
};
enum { COUNTED = sizeof counted / sizeof counted[0] };

static double normal(mtc_random *r)
{
    return (double)mtc_random_normal(r);
}

static double poisson(mtc_random *r, double rate)
{
    double level = exp(-rate), product = (double)mtc_random_real(r), n = 0;
    for (; product > level; n++)
        product *= (double)mtc_random_real(r);
    return n;
}

/* Feature j of a sample of class z, the sample having angle a and length l. */
static double value_of(kind what, mtc_random *r, size_t z, size_t j, double a,
                       double l, double (*center)[400], const double *along)
{
    static const double tier[3][3] = {{2, 20, 40}, {8, 45, 300},
                                      {25, 90, 2000}};
    static const double place[3][2] = {{-5, -2}, {0, 0}, {5, 3}};
    static const double rate[3] = {0.02, 0.1, 0.35};
    switch (what) {
    case DIAGONAL: return 10 + 14.14 * (double)z + normal(r);
    case TIERS: return tier[z][j] * exp(0.25 * normal(r));
    case STRETCHED: return place[z][j] * 0.5 + (j == 0 ? 0.6 : -0.4) *
                           along[0] + (j == 0 ? -0.6 : 0.8) * along[1];
    case MOONS: return (j == 0 ? z == 0 ? cos(a) : 1 - cos(a)
                        : z == 0 ? sin(a) : 0.5 - sin(a)) + 0.08 * normal(r);
    case RINGS: return (z == 0 ? 1 : 3) * (j == 0 ? cos(2 * a) : sin(2 * a)) +
                       0.1 * normal(r);
    case ANSWERS: return fmin(5, fmax(1, floor(1.9 + 1.5 * (double)((z + j) % 3)
                                               + 0.7 * normal(r))));
    case BINARY: return (double)mtc_random_real(r) <
                        ((j / 2 + z) % 3 == 0 ? 0.9 : 0.1);
    case ROUNDED: return floor(3 * center[z][j] + normal(r) + 0.5);
    case SPARSE_SIZES: return poisson(r, rate[z] * center[0][j]);
    case SPARSE_PROFILES: return poisson(r, 0.12 * l * center[z][j]);
    default: return center[z][j] + normal(r);
    }
}

/* Two tasks of one population; freed as sets are. */
static void make_kind(kind what, uint64_t seed, ex_set *set, problem *p)
{
    double center[4][400];
    mtc_random r = mtc_random_seed(seed);
    size_t n = kinds[what].n, d = kinds[what].d, k = kinds[what].k;
    p->T = 2;
    p->d = d;
    for (size_t t = 0; t < 2; t++) {
        mtc_real *x = ex_grow(NULL, n * d, sizeof *x);
        set[t] = (ex_set){mtc_dense(n, d, x), ex_grow(NULL, n, sizeof(int)), k};
        for (size_t e = 0; e < 4 * d && (t == 0 || what == UNRELATED); e++) {
            double g = normal(&r);
            center[e / d][e % d] = d < 10 ? 1.25 * g : 0.5 * g * g;
        }
        for (size_t i = 0; i < n; i++) {
            double a = 3.14159265358979 * (double)mtc_random_real(&r);
            double l = exp(0.6 * normal(&r));
            double along[2] = {normal(&r), normal(&r)};
            set[t].labels[i] = (int)(i % k);
            for (size_t j = 0; j < d; j++)
                x[i * d + j] = (mtc_real)value_of(what, &r, i % k, j, a, l,
                                                  center, along);
        }
        p->X[t] = set[t].X;
        p->truth[t] = set[t].labels;
        p->k[t] = k;
    }
}

typedef struct kind_row {
    ex_stat value[3], over_best, over_vote, guard[2];
    double geometry[4], kept;
} kind_row;

/* Behind three NMIs: geometry, share of tasks that kept another than A, what
 * the guards of MBC and LSSMTC gain over their A. */
enum { GEOMETRY = 3, OTHER, GUARDED, KIND_FIGURES = GUARDED + 2 };

static void guard_gains(mtc_context *ctx, const problem *p, double *gain)
{
    static const mtc_guard_method methods[2] = {MTC_GUARD_MBC,
                                                MTC_GUARD_LSSMTC};
    for (size_t m = 0; m < 2; m++) {
        answer a[3];
        double shared = 0;
        int even = 1;
        for (size_t t = 0; t < p->T; t++)
            even &= p->k[t] == p->k[0];
        if (m == 1 && !even)
            continue;
        new_answers(p, 3, a);
        by_guard(ctx, p, methods[m], NULL, &a[0], &a[1], &a[2], &shared);
        gain[m] = nmi_of(ctx, p, &a[2]) - nmi_of(ctx, p, &a[0]);
        free_answers(p, 3, a);
    }
}

static void one_kind(const problem *p, uint64_t seed, double *figure)
{
    answer a[3];
    mtc_context ctx = ex_context();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r;
    ctx.seed = seed;
    o.clusters_of = p->k;
    new_answers(p, 3, a);
    by_kmeans(&ctx, p, &a[0]);
    by_vote(&ctx, p, &a[1]);
    ex_try(mtc_auto(&ctx, p->X, p->T, &o, &r), "auto");
    figure[GEOMETRY] = (double)r.geometry;
    for (size_t t = 0; t < p->T; t++) {
        keep(p, t, r.labels[t], &a[2]);
        figure[OTHER] += (r.kept[t] > 0) / (double)p->T;
    }
    if (r.geometry == MTC_GEOMETRY_DISTANCES)
        guard_gains(&ctx, p, figure + GUARDED);
    mtc_free(&ctx, &r.block);
    for (size_t i = 0; i < 3; i++)
        figure[i] = nmi_of(&ctx, p, &a[i]);
    free_answers(p, 3, a);
}

/* Replicate r of generated data of kind *of. */
static void made_kind(const void *of, size_t r, double *figure)
{
    kind what = *(const kind *)of;
    ex_set set[2];
    problem p;
    make_kind(what, 300 + 20 * r + (uint64_t)what, set, &p);
    one_kind(&p, r + 1, figure);
    ex_free(&set[0]);
    ex_free(&set[1]);
}

static void drawn_kind(const void *of, size_t r, double *figure)
{
    of_drawn((const source *)of, r, 400 + r, figure, one_kind);
}

static kind_row all_of_kind(size_t replicates, ex_run *run, const void *of)
{
    kind_row line;
    double *all = ex_runs_lent(replicates, KIND_FIGURES, run, of);
    memset(&line, 0, sizeof line);
    for (size_t r = 0; r < replicates; r++) {
        const double *figure = all + r * KIND_FIGURES;
        for (size_t i = 0; i < 3; i++)
            ex_add(&line.value[i], figure[i]);
        ex_add(&line.over_best, figure[2] - figure[0]);
        ex_add(&line.over_vote, figure[2] - figure[1]);
        line.geometry[(size_t)figure[GEOMETRY]] += 1;
        line.kept += figure[OTHER];
        for (size_t m = 0; m < 2; m++)
            ex_add(&line.guard[m], figure[GUARDED + m]);
    }
    free(all);
    return line;
}

static void kind_cells(ex_table *t, const char *name, const kind_row *line)
{
    static const char *const word[] = {"", "directions", "sizes", "distances"};
    double n = line->over_best.n;
    size_t most = 1;
    for (size_t g = 2; g < 4; g++)
        most = line->geometry[g] > line->geometry[most] ? g : most;
    ex_cell(t, "%s", name);
    for (size_t i = 0; i < 3; i++)
        ex_cell(t, "%.3f", ex_mean(&line->value[i]));
    difference_cell(t, &line->over_best);
    difference_cell(t, &line->over_vote);
    if (line->geometry[most] < n)
        ex_cell(t, "%s (%.0f of %.0f)", word[most], line->geometry[most], n);
    else
        ex_cell(t, "%s", word[most]);
    if (most != 3) {                /* the cells below are of distances */
        for (size_t i = 0; i < 3; i++)
            ex_blank(t);
        return;
    }
    ex_cell(t, "%.0f %%", 100 * line->kept / n);
    difference_cell(t, &line->guard[0]);
    difference_cell(t, &line->guard[1]);
}

static ex_table kind_head(void)
{
    return ex_head("NMI|k-means, best of 10|vote of ten runs|auto|auto - "
                   "k-means|auto - vote|geometry|not A|guarded MBC - A|"
                   "guarded LSSMTC - A");
}

/* Generated data. */
static void run_made_kinds(size_t replicates)
{
    ex_table t = kind_head();
    for (int what = 0; what < KINDS; what++) {
        kind of = (kind)what;
        ex_progress((size_t)what, KINDS);
        kind_row line = all_of_kind(replicates, made_kind, &of);
        kind_cells(&t, kinds[what].name, &line);
    }
    ex_print(&t);
}

/* The collections, as they are and as counts. */
static void run_drawn_kinds(const char *dir, size_t replicates)
{
    ex_table table = kind_head();
    for (size_t i = 0; i < COLLECTIONS + COUNTED; i++) {
        const collection *c = i < COLLECTIONS ? &collections[i]
                                              : &counted[i - COLLECTIONS];
        char folder[1024];
        ex_set sets[MOST_TASKS];
        size_t T = 0;
        ex_progress(i, COLLECTIONS + COUNTED);
        snprintf(folder, sizeof folder, "%s/%s", dir, c->folder);
        for (; T < MOST_TASKS && c->task[T] != NULL; T++)
            sets[T] = ex_load(folder, c->task[T]);
        source of = {sets, T, c->permuted};
        kind_row line = all_of_kind(replicates, drawn_kind, &of);
        kind_cells(&table, c->name, &line);
        for (size_t t = 0; t < T; t++)
            ex_free(&sets[t]);
    }
    ex_print(&table);
}

/* ---- battery: single data sets of any shape ------------------------------ */

static const char *const battery[] = {
    "fcps-atom", "fcps-chainlink", "fcps-target", "fcps-wingnut",
    "graves-dense", "graves-fuzzyx", "graves-ring", "graves-zigzag",
    "other-iris5", "sipu-a1", "sipu-aggregation", "sipu-d31", "sipu-flame",
    "sipu-spiral", "uci-ecoli", "uci-sonar", "uci-wdbc", "uci-wine",
    "wut-cross", "wut-graph", "wut-mk2", "wut-mk3", "wut-x1", "wut-x2",
    "wut-z1", "wut-z2"
};
enum { BATTERY = sizeof battery / sizeof battery[0], SIDES = 4 };

/* A table of numbers with a header, the last column the class. */
static ex_set load_table(const char *dir, const char *name)
{
    char path[1024];
    ex_set set = {mtc_dense(0, 0, NULL), NULL, 0};
    mtc_real *x = NULL;
    size_t n = 0, d = 0, room = 0;
    double value;
    snprintf(path, sizeof path, "%s/battery/%s.csv", dir, name);
    FILE *f = fopen(path, "r");
    if (f == NULL)
        ex_die(path, "cannot be opened");
    for (int c = fgetc(f); c != '\n' && c != EOF; c = fgetc(f))
        d += c == ',';
    while (fscanf(f, "%lf,", &value) == 1) {
        if (n + 1 > room) {
            room = 2 * room + 64;
            x = ex_grow(x, room * d, sizeof *x);
            set.labels = ex_grow(set.labels, room, sizeof *set.labels);
        }
        x[n * d] = (mtc_real)value;
        for (size_t j = 1; j <= d; j++) {
            if (fscanf(f, "%lf%*1[,\r]", &value) != 1)
                ex_die(path, "a row is too short");
            if (j < d)
                x[n * d + j] = (mtc_real)value;
        }
        set.labels[n++] = (int)value;
    }
    fclose(f);
    set.X = mtc_dense(n, d, x);
    set.classes = ex_rank(n, set.labels);
    return set;
}

/* ARI of k-means, the vote, genie and auto on set number i; then what auto
 * kept, 0 for prototypes, 1 for the graph, else the tree. */
static void one_table(const void *of, size_t i, double *figure)
{
    ex_set set = load_table((const char *)of, battery[i]);
    problem p = {.T = 1, .d = set.X.d, .X = {set.X}, .k = {set.classes}};
    mtc_context ctx = ex_context();
    mtc_auto_options o = mtc_auto_defaults();
    mtc_auto_result r;
    mtc_tree_options to = mtc_tree_defaults();
    mtc_tree_result tree;
    answer a[SIDES];
    new_answers(&p, SIDES, a);
    by_kmeans(&ctx, &p, &a[0]);
    by_vote(&ctx, &p, &a[1]);
    to.clusters = set.classes;
    ex_try(mtc_tree(&ctx, &set.X, &tree), "tree");
    ex_try(mtc_tree_cut(&ctx, &tree, &to, a[2].labels[0]), "tree");
    mtc_free(&ctx, &tree.block);
    o.clusters = set.classes;
    ex_try(mtc_auto(&ctx, &set.X, 1, &o, &r), "auto");
    keep(&p, 0, r.labels[0], &a[3]);
    figure[SIDES] = r.kept[0];
    mtc_free(&ctx, &r.block);
    for (size_t m = 0; m < SIDES; m++) {
        mtc_scores s;
        ex_try(mtc_score(&ctx, set.X.n, set.labels, a[m].labels[0], &s),
               "score");
        figure[m] = (double)s.ari;
    }
    free_answers(&p, SIDES, a);
    ex_free(&set);
}

static void run_battery(const char *dir)
{
    static const char *const kept[] = {"prototypes", "graph", "tree .1",
                                       "tree .3", "tree .5"};
    double *all = ex_runs_lent(BATTERY, SIDES + 1, one_table, dir), mean[SIDES];
    ex_table t = ex_head("ARI|k-means|vote|genie|auto|kept");
    memset(mean, 0, sizeof mean);
    for (size_t i = 0; i < BATTERY; i++) {
        const double *figure = all + i * (SIDES + 1);
        ex_cell(&t, "%s", battery[i]);
        for (size_t m = 0; m < SIDES; m++) {
            ex_cell(&t, "%.2f", figure[m]);
            mean[m] += figure[m] / BATTERY;
        }
        ex_cell(&t, "%s", kept[(size_t)figure[SIDES]]);
    }
    ex_cell(&t, "**mean**");
    for (size_t m = 0; m < SIDES; m++)
        ex_cell(&t, "%.3f", mean[m]);
    ex_print(&t);
    free(all);
}

static void run_made(size_t replicates)
{
    static const char *const name[] = {"made, tasks share all topic words",
                                       "made, tasks share no word of a topic"};
    for (size_t which = 0; which < 2; which++) {
        ex_set sets[2] = {made(1, 0, which == 0 ? 10 : 0),
                          made(2, 1, which == 0 ? 10 : 0)};
        run_collection(name[which], sets, 2, 0, replicates);
        ex_free(&sets[0]);
        ex_free(&sets[1]);
    }
}

int main(int argc, char **argv)
{
    *ex_markdown() = ex_flag(&argc, argv, "--markdown");
    ex_jobs(&argc, argv);
    const char *dir = argc > 1 || getenv("MTC_DATA") != NULL
                          ? ex_directory(argc, argv) : NULL;
    dir = dir != NULL && strcmp(dir, "-") == 0 ? NULL : dir;
    int bare = argc > 2 && strcmp(argv[2], "battery") == 0;
    size_t replicates = argc > 2 && !bare ? (size_t)strtoul(argv[2], NULL, 10)
                                          : 10;
    const char *only = bare ? argv[2] : argc > 3 ? argv[3] : "";
    int all = only[0] == '\0', shared = strcmp(only, "shared") == 0;
    if (replicates == 0)
        ex_die(argv[2], "the number of replicates is at least 1");
    if (all && !*ex_markdown())
        run_made(replicates);
    int kinds_too = all || strcmp(only, "kinds") == 0;
    if (kinds_too && (all || dir == NULL))
        run_made_kinds(replicates);
    if (kinds_too && dir != NULL)
        run_drawn_kinds(dir, replicates);
    if (dir != NULL)
        run_collections(dir, all || shared ? NULL : only, replicates);
    if (dir != NULL && (all || strcmp(only, "corners") == 0))
        run_corners(dir, replicates);
    if (dir != NULL && strcmp(only, "battery") == 0)
        run_battery(dir);
    return 0;
}
