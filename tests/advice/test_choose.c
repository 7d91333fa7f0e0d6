/* SPDX-License-Identifier: MIT
 *
 * How many clusters: worked cases of an independent program, what must not
 * change an answer, and the answers on generated sets.
 */
#include <math.h>

#include "greatest.h"
#include "test_util.h"
#include "golden/choose.h"

enum { MAX_N = 700, MAX_D = 6, MAX_K = 48 };

static mtc_real rows[MAX_N * MAX_D], other[MAX_N * MAX_D];

/* An answer with its curves, apart from the result's memory. */
typedef struct answer {
    size_t k, best, second, limit;
    mtc_verdict verdict;
    double sure, p[MAX_K], gap[MAX_K], usil[MAX_K], mix[MAX_K],
        mixdep[MAX_K], height[MAX_K];
} answer;

static void copy_curve(size_t K, const mtc_real *from, double *to)
{
    for (size_t k = 0; k < K && k < MAX_K; k++)
        to[k] = (double)from[k];
}

static answer copy_answer(const mtc_choice *c)
{
    answer a;
    memset(&a, 0, sizeof a);
    a.k = c->k;
    a.best = c->best;
    a.second = c->second;
    a.limit = c->limit;
    a.verdict = c->verdict;
    a.sure = (double)c->sure;
    copy_curve(c->limit, c->p, a.p);
    copy_curve(c->limit, c->gap, a.gap);
    copy_curve(c->limit, c->usil, a.usil);
    copy_curve(c->limit, c->mix, a.mix);
    copy_curve(c->limit, c->mixdep, a.mixdep);
    copy_curve(c->limit, c->height, a.height);
    return a;
}

/* The answers of all tasks, and in own [T], unless NULL, of each. */
static answer choose(const mtc_data *tasks, size_t T, uint64_t seed,
                     size_t min, size_t max, answer *own)
{
    mtc_context ctx = test_context();
    mtc_choose_options o = {min, max};
    mtc_choose_result r;
    ctx.seed = seed;
    if (mtc_choose(&ctx, tasks, T, &o, &r) != MTC_OK)
        return (answer){.k = MTC_NONE};
    answer all = copy_answer(&r.common);
    for (size_t t = 0; t < T && own != NULL; t++)
        own[t] = copy_answer(&r.task[t]);
    mtc_free(&ctx, &r.block);
    return all;
}

static answer choose_one(const mtc_data *X)
{
    return choose(X, 1, 1, 1, 12, NULL);
}

/* x [n*d] = k Gaussian blobs, centers `apart` from one another, k <= d. */
static mtc_data blobs(mtc_real *x, size_t n, size_t d, size_t k, double apart,
                      uint64_t seed)
{
    mtc_random rng = mtc_random_seed(seed);
    for (size_t i = 0; i < n; i++)
        for (size_t f = 0; f < d; f++) {
            double center = k > 1 && f == i % k ? apart * sqrt(0.5) : 0;
            x[i * d + f] = (mtc_real)center + mtc_random_normal(&rng);
        }
    return mtc_dense(n, d, x);
}

static double apart(size_t K, const double *a, const double *b)
{
    double most = 0;
    for (size_t k = 0; k < K; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

/* ---- worked cases ------------------------------------------------------- */

/* z-scores over all tasks, where the case is one of columns that differ. */
static void scale_case(const choose_case *c, mtc_real *const *x)
{
    for (size_t f = 0; f < c->d; f++) {
        double n = 0, sum = 0, square = 0;
        for (size_t t = 0; t < c->tasks; t++) {
            n += (double)c->n[t];
            for (size_t i = 0; i < c->n[t]; i++)
                sum += (double)x[t][i * c->d + f];
        }
        for (size_t t = 0; t < c->tasks; t++)
            for (size_t i = 0; i < c->n[t]; i++)
                square += pow((double)x[t][i * c->d + f] - sum / n, 2);
        for (size_t t = 0; t < c->tasks; t++)
            for (size_t i = 0; i < c->n[t]; i++)
                x[t][i * c->d + f] = (mtc_real)(
                    ((double)x[t][i * c->d + f] - sum / n) / sqrt(square / n));
    }
}

/* Are these the curves that were computed elsewhere? */
static int same_curves(const choose_answer *g, const answer *a, double tol)
{
    int same = apart(g->limit, g->p, a->p) < tol;
    for (size_t k = 1; k <= g->limit && g->lambda != NULL; k++) {
        same &= fabs(g->lambda[k - 1] - g->lambda[k] - a->gap[k - 1]) < tol;
        if (k == 1)
            continue;
        double step = log(g->height[k - 2] / g->height[k - 1]);
        same &= fabs(step - a->height[k - 1]) < tol;
        same &= fabs(g->usil[k - 2] - a->usil[k - 1]) < tol;
        same &= fabs(g->mix[k - 2] - a->mix[k - 1]) < tol;
        same &= fabs(g->mixdep[k - 2] - a->mixdep[k - 1]) < tol;
    }
    return same;
}

static int same_answer(const choose_answer *g, const answer *a)
{
    const double tol = sizeof(mtc_real) == 8 ? 1e-8 : 0.02;
    return g->k == a->k && g->best == a->best && g->second == a->second &&
           g->limit == a->limit && g->verdict == (int)a->verdict &&
           fabs(g->sure - a->sure) < tol &&
           (g->p == NULL || same_curves(g, a, tol));
}

TEST worked_cases(size_t at)
{
    const choose_case *c = &choose_cases[at];
    mtc_real *x[2] = {rows, other};
    mtc_data X[2] = {mtc_dense(1, 1, rows), mtc_dense(1, 1, other)};
    answer own[2];
    for (size_t t = 0; t < c->tasks; t++) {
        for (size_t e = 0; e < c->n[t] * c->d; e++)
            x[t][e] = (mtc_real)c->x[t][e];
        X[t] = mtc_dense(c->n[t], c->d, x[t]);
    }
    if (c->scaled)
        scale_case(c, x);
    answer all = choose(X, c->tasks, 1, c->min, 12, own);
    for (size_t t = 0; t < c->tasks; t++)
        ASSERTm(c->name, same_answer(&c->task[t], &own[t]));
    choose_answer common = c->common;
    if (common.p == NULL)                       /* the first one's */
        common.limit = c->task[0].limit;
    ASSERTm(c->name, same_answer(&common, &all));
    PASS();
}

/* ---- what changes nothing ----------------------------------------------- */

/* Order of rows, shift, rotation, scale and seed. */
TEST an_answer_does_not_depend_on_how_a_task_is_put(void)
{
    enum { B = 90, W = 5 };
    const double tol = sizeof(mtc_real) == 8 ? 1e-9 : 0.05;
    mtc_data X = blobs(rows, B, W, 3, 5, 3), Y = mtc_dense(B, W, other);
    answer a = choose_one(&X), b = choose(&X, 1, 99, 1, 12, NULL);
    ASSERT_EQ(3, a.best);
    ASSERT_MEM_EQ(&a, &b, sizeof a);            /* the seed */
    for (int how = 0; how < 4; how++) {
        for (size_t i = 0; i < B; i++) {
            const mtc_real *x = rows + (how == 0 ? i * 7 % B : i) * W;
            mtc_real *y = other + i * W;
            for (size_t f = 0; f < W; f++)
                y[f] = how == 1 ? x[f] + 100
                       : how == 2 ? x[f] * (mtc_real)1e-5 : x[f];
            if (how == 3) {
                y[0] = (mtc_real)0.6 * x[0] + (mtc_real)0.8 * x[1];
                y[1] = (mtc_real)-0.8 * x[0] + (mtc_real)0.6 * x[1];
            }
        }
        b = choose_one(&Y);
        ASSERT(apart(12, a.p, b.p) < tol);
        ASSERT(apart(12, a.gap, b.gap) < tol);
        ASSERT(apart(12, a.usil, b.usil) < tol);
        ASSERT(apart(12, a.mixdep, b.mixdep) < tol);
    }
    PASS();
}

/* T copies of a task: s differs by 30 (T - 1) / T gap(k), from k = 2 on. */
TEST copies_differ_by_the_term_of_their_number(void)
{
    mtc_data X = blobs(rows, 60, 5, 3, 4, 1), T[3] = {X, X, X};
    answer own[3], a = choose_one(&X), b = choose(T, 3, 1, 1, 12, own);
    double sum = 0, p[MAX_K];
    for (size_t k = 0; k < a.limit; k++) {
        p[k] = a.p[k] * exp(k > 0 ? 20 * a.gap[k] : 0);
        sum += p[k];
    }
    for (size_t k = 0; k < a.limit; k++)
        ASSERT_IN_RANGE(p[k] / sum, b.p[k], (double)TOL(1e-9));
    ASSERT(apart(a.limit, a.usil, b.usil) < (double)TOL(1e-12));
    ASSERT(apart(a.limit, a.p, own[2].p) < (double)TOL(1e-12));
    PASS();
}

/* Curves of several tasks are the means; the smallest limit holds. */
TEST tasks_share_one_curve(void)
{
    mtc_data T[2] = {blobs(rows, 60, 5, 3, 6, 1), blobs(other, 90, 5, 2, 6, 2)};
    answer own[2], all = choose(T, 2, 1, 1, 12, own);
    answer a = choose_one(&T[0]), b = choose_one(&T[1]);
    ASSERT_EQ(10, all.limit);
    ASSERT_EQ(12, own[1].limit);
    ASSERT_MEM_EQ(&a, &own[0], sizeof a);
    ASSERT_MEM_EQ(&b, &own[1], sizeof b);
    for (size_t k = 0; k < 10; k++) {
        ASSERT_IN_RANGE((a.gap[k] + b.gap[k]) / 2, all.gap[k],
                        (double)TOL(1e-12));
        ASSERT_IN_RANGE((a.usil[k] + b.usil[k]) / 2, all.usil[k],
                        (double)TOL(1e-12));
        ASSERT_IN_RANGE((a.height[k] + b.height[k]) / 2, all.height[k],
                        (double)TOL(1e-12));
    }
    PASS();
}

/* Dense, CSR, and CSR of 240 000 columns, of which none is written out. */
TEST sparse_rows_are_the_same_rows(void)
{
    enum { B = 48, W = 6 };
    static size_t start[B + 1];
    static uint32_t column[B * W];
    static mtc_real value[B * W];
    test_heap heap;
    mtc_context ctx = test_heap_context(&heap);
    mtc_random rng = mtc_random_seed(3);
    memset(rows, 0, sizeof rows);
    for (size_t i = 0; i < B; i++)
        for (size_t e = 0; e < 4; e++)          /* groups 0 and 1 */
            rows[i * W + e + (i % 2 == 0 ? 0 : 2)] =
                5 + mtc_random_normal(&rng);
    test_sparse(B, W, rows, start, column, value);
    mtc_data X = mtc_dense(B, W, rows);
    mtc_data S = mtc_csr(B, W, start, column, value);
    answer a = choose_one(&X), b = choose_one(&S);
    ASSERT_EQ(2, a.k);
    ASSERT_EQ(2, b.k);
    ASSERT(apart(8, a.p, b.p) < (double)TOL(1e-9));
    for (size_t e = 0; e < start[B]; e++)       /* sparse now: unit rows */
        column[e] *= 40000;
    S = mtc_csr(B, 240000, start, column, value);
    b = choose_one(&S);
    ASSERT_EQ(2, b.k);
    mtc_choose_result r;
    ASSERT_EQ(MTC_OK, mtc_choose(&ctx, &S, 1, NULL, &r));
    ASSERT(heap.peak < 80000000);               /* centers, no rows */
    mtc_free(&ctx, &r.block);
    PASS();
}

/* Rows of sparse data count by their directions: lengths change nothing. */
TEST lengths_of_sparse_rows_do_not_count(void)
{
    enum { B = 60, W = 90 };
    static size_t start[B + 1];
    static uint32_t column[B * W];
    static mtc_real value[B * W], dense[B * W];
    mtc_random rng = mtc_random_seed(8);
    answer a[2];
    for (size_t i = 0; i < B; i++)
        for (size_t e = 0; e < 6; e++)
            dense[i * W + i % 3 * 12 + mtc_random_below(&rng, 12)] += 1;
    for (int how = 0; how < 2; how++) {
        test_sparse(B, W, dense, start, column, value);
        mtc_data S = mtc_csr(B, W, start, column, value);
        a[how] = choose_one(&S);
        for (size_t i = 0; i < B; i++)
            for (size_t f = 0; f < W; f++)
                dense[i * W + f] *= (mtc_real)(1 + i % 4);
    }
    ASSERT_EQ(3, a[0].k);
    ASSERT(apart(10, a[0].p, a[1].p) < (sizeof(mtc_real) == 8 ? 1e-9 : 0.02));
    PASS();
}

/* ---- answers without a curve -------------------------------------------- */

TEST equal_rows_and_few_rows_need_no_curve(void)
{
    for (size_t n = 1; n <= 400; n = n < 13 ? n + 1 : n + 129) {
        for (size_t e = 0; e < n * 2; e++)
            rows[e] = (mtc_real)(e % 2);
        mtc_data X = mtc_dense(n, 2, rows);
        answer a = choose_one(&X);
        ASSERT_EQ(1, a.k);
        ASSERT_EQ(1, a.best);
        ASSERT_EQ(0, a.second);
        ASSERT_EQ(n < 12 ? MTC_VERDICT_FEW : MTC_VERDICT_NONE, a.verdict);
        ASSERT(a.sure == (n < 12 ? 0 : 1));
        ASSERT_EQ(n / 6 < 12 ? n / 6 : 12, a.limit);
    }
    mtc_data T[3] = {blobs(rows, 60, 5, 3, 8, 1), blobs(other, 11, 5, 1, 0, 1)};
    answer own[2], all = choose(T, 2, 1, 1, 12, own);
    answer alone = choose_one(&T[0]);
    ASSERT_EQ(MTC_VERDICT_FEW, own[1].verdict);
    ASSERT_MEM_EQ(&alone, &all, sizeof all);    /* it takes no part */
    ASSERT_EQ(4, choose(&T[1], 1, 1, 4, 12, NULL).k);
    ASSERT_EQ(11, choose(&T[1], 1, 1, 40, 50, NULL).k);
    PASS();
}

/* u values, u <= K; one more than that is a curve at its limit. */
/* One row so far away that all others seem equal beside it: they are not, and
 * no number of clusters is clear. */
TEST a_row_far_away_makes_nothing_clear(void)
{
    enum { N = 90 };
    for (double far = 1e4; far < 1e8; far *= 1.5) {
        mtc_random rng = mtc_random_seed(3);
        for (size_t e = 0; e < 2 * N; e++)
            rows[e] = mtc_random_normal(&rng);
        rows[2 * N] = rows[2 * N + 1] = (mtc_real)far;
        mtc_data X = mtc_dense(N + 1, 2, rows);
        answer a = choose_one(&X);
        ASSERT(a.verdict != MTC_VERDICT_CLEAR || a.k <= 2);
        ASSERT(a.sure == a.p[a.k - 1]);
    }
    PASS();
}

TEST rows_of_few_values_are_counted(void)
{
    for (size_t u = 2; u <= 12; u++) {
        size_t n = 120;
        for (size_t i = 0; i < n; i++) {
            rows[2 * i] = (mtc_real)(i % u * i % u);
            rows[2 * i + 1] = (mtc_real)(i % u);
        }
        mtc_data X = mtc_dense(n, 2, rows);
        answer a = choose(&X, 1, 1, 1, 11, NULL);
        if (u == 12) {
            ASSERT_EQ(11, a.limit);
            ASSERT(a.verdict != MTC_VERDICT_FEW);
            continue;
        }
        ASSERT_EQ(u, a.k);
        ASSERT_EQ(MTC_VERDICT_CLEAR, a.verdict);
        ASSERT(a.sure == 1 && a.second == 0);
        ASSERT(a.p[u - 1] == 1);
    }
    PASS();
}

/* 13 blobs that no edge joins, and K = 12: more parts than can be said. */
TEST more_parts_than_the_limit_are_the_limit(void)
{
    enum { EACH = 15 };
    mtc_random rng = mtc_random_seed(2);
    for (size_t i = 0; i < 13 * EACH; i++) {
        rows[2 * i] = (mtc_real)(i % 13) * 1000 + mtc_random_normal(&rng);
        rows[2 * i + 1] = mtc_random_normal(&rng);
    }
    mtc_data X = mtc_dense(13 * EACH, 2, rows);
    answer a = choose_one(&X);
    ASSERT_EQ(12, a.limit);
    ASSERT_EQ(12, a.k);
    ASSERT_EQ(0, a.second);
    ASSERT_EQ(MTC_VERDICT_UNCLEAR, a.verdict);  /* nothing else is possible */
    ASSERT_IN_RANGE(1, a.sure, (double)TOL(1e-12));
    ASSERT_EQ(13, choose(&X, 1, 1, 1, 20, NULL).k);
    PASS();
}

/* ---- answers ------------------------------------------------------------ */

TEST three_blobs_are_three_clusters(void)
{
    for (uint64_t seed = 1; seed <= 20 / TEST_FEWER; seed++) {
        mtc_data X = blobs(rows, 60, 5, 3, 8, 100 + seed);
        answer a = choose_one(&X);
        ASSERT_EQ(3, a.k);
        ASSERT_EQ(3, a.best);
        ASSERT_EQ(MTC_VERDICT_CLEAR, a.verdict);
    }
    PASS();
}

/* n rows in squares of a grid, with gaps between them. */
static mtc_data squares(size_t n, size_t side, uint64_t seed)
{
    mtc_random rng = mtc_random_seed(seed);
    for (size_t i = 0; i < n; i++) {
        size_t square = i % (side * side);
        rows[2 * i] = (mtc_real)(square % side * 4) +
                      2 * (mtc_real)mtc_random_real(&rng);
        rows[2 * i + 1] = (mtc_real)(square / side * 4) +
                          2 * (mtc_real)mtc_random_real(&rng);
    }
    return mtc_dense(n, 2, rows);
}

/* The first look ends at 12, and the second finds them all. */
TEST more_than_twelve_clusters_are_found(void)
{
    mtc_data X = squares(640, 4, 1);
    answer a = choose(&X, 1, 1, 1, 48, NULL);
    ASSERT_EQ(16, a.k);
    ASSERT_EQ(48, a.limit);
    ASSERT_EQ(MTC_VERDICT_CLEAR, a.verdict);
    X = squares(25 * 14, 5, 2);
    answer own[3], first = choose_one(&X);
    a = choose(&X, 1, 1, 1, 48, NULL);
    ASSERT_EQ(25, a.k);
    ASSERT_EQ(MTC_VERDICT_UNCLEAR, first.verdict);
    ASSERT(apart(12, first.usil, a.usil) < (double)TOL(1e-12));
    ASSERT(apart(12, first.mixdep, a.mixdep) < (double)TOL(1e-12));
    ASSERT(apart(12, first.height, a.height) < (double)TOL(1e-12));
    ASSERT_EQ(20, choose(&X, 1, 1, 1, 20, NULL).limit);
    ASSERT_EQ(350 / 6, choose(&X, 1, 1, 1, 1000, NULL).limit);
    mtc_data T[3] = {X, X, X};
    T[1].n = 180;                               /* 7 or 8 in each square */
    a = choose(T, 3, 1, 1, 48, own);
    ASSERT_EQ(25, a.k);
    ASSERT_EQ(30, a.limit);
    ASSERT_EQ(25, own[0].k);
    PASS();
}

/* A clear answer ends the search: its figures are those of 12. */
TEST clear_answers_need_no_second_look(void)
{
    mtc_data X = blobs(rows, 300, 5, 3, 8, 101);
    answer a = choose_one(&X), b = choose(&X, 1, 1, 1, 48, NULL);
    ASSERT_EQ(3, a.k);
    ASSERT_MEM_EQ(&a, &b, sizeof a);
    for (size_t i = 0; i < 300; i++)            /* 25 values are no groups */
        for (size_t f = 0; f < 2; f++)
            rows[2 * i + f] = (mtc_real)(f == 0 ? i % 5 : i / 5 % 5);
    X = mtc_dense(300, 2, rows);
    a = choose_one(&X), b = choose(&X, 1, 1, 1, 48, NULL);
    ASSERT_MEM_EQ(&a, &b, sizeof a);
    PASS();
}

/* Twenty rows beside two times 150, with six groups 7 deviations apart.  With
 * the least K, 3, the answer could be 3 at most. */
TEST small_tasks_have_no_say(void)
{
    static mtc_real x[3][150 * 6];
    const size_t n[3] = {150, 20, 150};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        mtc_data T[3];
        answer own[3];
        for (size_t t = 0; t < 3; t++)
            T[t] = blobs(x[t], n[t], 6, 6, 7, 10 * seed + t);
        answer a = choose(T, 3, 1, 1, 48, own);
        ASSERT_EQ(6, a.k);
        ASSERT_EQ(12, a.limit);
        ASSERT_EQ(MTC_VERDICT_CLEAR, a.verdict);
        ASSERT_EQ(3, own[1].limit);
    }
    PASS();
}

TEST one_gaussian_is_one_cluster(void)
{
    for (uint64_t seed = 1; seed <= 20 / TEST_FEWER; seed++) {
        mtc_data X = blobs(rows, 100, 5, 1, 0, seed);
        answer a = choose_one(&X);
        ASSERT_EQ(1, a.k);
        ASSERT_EQ(MTC_VERDICT_NONE, a.verdict);
        ASSERT(a.best >= 2 && a.best <= 12);
        ASSERT_EQ(a.best, a.second);
    }
    PASS();
}

/* Skewed in every column, and no gap anywhere. */
TEST one_exponential_cluster_is_kept_whole(void)
{
    size_t one = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        mtc_random rng = mtc_random_seed(seed);
        for (size_t e = 0; e < 400 * 5; e++)
            rows[e] = -mtc_log(1 - mtc_random_real(&rng));
        mtc_data X = mtc_dense(400, 5, rows);
        one += choose_one(&X).k == 1;
    }
    ASSERT(one >= 9);
    PASS();
}

TEST a_range_is_kept(void)
{
    mtc_choose_options usual = mtc_choose_defaults();
    ASSERT(usual.min == 1 && usual.max == 48);
    mtc_data X = blobs(rows, 100, 5, 1, 0, 4);
    ASSERT_EQ(1, choose_one(&X).k);
    answer a = choose(&X, 1, 4, 2, 12, NULL);   /* "there are groups" */
    ASSERT(a.k >= 2 && a.k == a.best && a.verdict != MTC_VERDICT_NONE);
    ASSERT(a.p[0] == 0);
    a = choose(&X, 1, 4, 5, 6, NULL);
    ASSERT(a.k >= 5 && a.k <= 6 && a.second == 11 - a.k);
    a = choose(&X, 1, 4, 4, 4, NULL);           /* nothing else was asked */
    ASSERT_EQ(4, a.k);
    ASSERT_EQ(0, a.second);
    ASSERT_EQ(MTC_VERDICT_UNCLEAR, a.verdict);
    a = choose(&X, 1, 4, 17, 30, NULL);         /* 6 rows a cluster: 16 */
    ASSERT_EQ(MTC_VERDICT_FEW, a.verdict);
    ASSERT_EQ(17, a.k);
    X = blobs(rows, 60, 5, 3, 8, 101);
    a = choose(&X, 1, 1, 1, 3, NULL);
    ASSERT(a.k == 3 && a.limit == 3);           /* at the limit */
    PASS();
}

/* 500 of 700 rows are drawn, others for another seed or another task. */
TEST large_tasks_are_sampled(void)
{
    mtc_data X = blobs(rows, MAX_N, 3, 3, 6, 5), T[2] = {X, X};
    answer own[2], a = choose(T, 2, 1, 1, 12, own);
    ASSERT_EQ(3, a.k);
    ASSERT_EQ(MTC_VERDICT_CLEAR, a.verdict);
    ASSERT(apart(12, own[0].gap, own[1].gap) > 0);
    answer b = choose(&X, 1, 1, 1, 12, NULL), c = choose(&X, 1, 2, 1, 12, NULL);
    ASSERT_MEM_EQ(&own[0], &b, sizeof b);
    ASSERT(apart(12, b.gap, c.gap) > 0);
    ASSERT_EQ(3, c.k);
    PASS();
}

/* Sixteen equal rows, and eight at equal distances from one another.  The equal
 * ones have only eight that differ from them; the two parts do not see each
 * other, and the weights within the second are 1/e. */
TEST rows_with_few_others_have_those_as_neighbors(void)
{
    enum { EQUAL = 16, APART = 8, D = APART + 1 };
    const double e = exp(-1), second = (1 - e) / (1 + (APART - 1) * e);
    mtc_real x[(EQUAL + APART) * D] = {0};
    for (size_t i = 0; i < APART; i++) {
        x[(EQUAL + i) * D] = 100;
        x[(EQUAL + i) * D + 1 + i] = (mtc_real)0.125;
    }
    mtc_data X = mtc_dense(EQUAL + APART, D, x);
    for (size_t i = 0; i < (size_t)EQUAL * D; i++)
        x[i] = -1;                              /* not sparse */
    answer a = choose_one(&X);
    ASSERT_EQ(2, a.k);
    ASSERT_EQ(4, a.limit);
    ASSERT(fabs(a.gap[0]) < 1e-6);
    ASSERT(fabs(a.gap[1] - (1 - second)) < 1e-6);
    PASS();
}

SUITE(choose_suite)
{
    for (size_t c = 0; c < sizeof choose_cases / sizeof choose_cases[0]; c++)
        RUN_TESTp(worked_cases, c);
    RUN_TEST(an_answer_does_not_depend_on_how_a_task_is_put);
    RUN_TEST(copies_differ_by_the_term_of_their_number);
    RUN_TEST(tasks_share_one_curve);
    RUN_TEST(sparse_rows_are_the_same_rows);
    RUN_TEST(lengths_of_sparse_rows_do_not_count);
    RUN_TEST(equal_rows_and_few_rows_need_no_curve);
    RUN_TEST(a_row_far_away_makes_nothing_clear);
    RUN_TEST(rows_of_few_values_are_counted);
    RUN_TEST(more_parts_than_the_limit_are_the_limit);
    RUN_TEST(three_blobs_are_three_clusters);
    RUN_TEST(more_than_twelve_clusters_are_found);
    RUN_TEST(clear_answers_need_no_second_look);
    RUN_TEST(small_tasks_have_no_say);
    RUN_TEST(one_gaussian_is_one_cluster);
    RUN_TEST(one_exponential_cluster_is_kept_whole);
    RUN_TEST(a_range_is_kept);
    RUN_TEST(large_tasks_are_sampled);
    RUN_TEST(rows_with_few_others_have_those_as_neighbors);
}
