/* SPDX-License-Identifier: MIT
 *
 * Gaps between groups: worked cases of an independent program, what must not
 * change a word, and groups whose boundaries are known.
 */
#include <math.h>

#include "golden/apart.h"
#include "greatest.h"
#include "test_util.h"

enum { CASES = sizeof apart_cases / sizeof apart_cases[0], MAX_N = 1200,
       MAX_D = 40, MAX_K = 8 };

static mtc_real rows[MAX_N * MAX_D], other[MAX_N * MAX_D];
static int labels[MAX_N], renamed[MAX_N];

/* What is said of the pairs, apart from the result's memory. */
typedef struct said {
    size_t rows, count[MAX_K];
    int worst, border[MAX_K * MAX_K], edges[MAX_K * MAX_K];
    double mix[MAX_K * MAX_K], among[MAX_K * MAX_K];
} said;

static said say_seeded(const mtc_data *X, const int *z, size_t k,
                       uint64_t seed, size_t task)
{
    mtc_context ctx = test_context();
    mtc_apart_result r;
    said s;
    memset(&s, 0, sizeof s);
    s.worst = -1;
    ctx.seed = seed;
    if (mtc_apart(&ctx, X, task, z, k, &r) != MTC_OK)
        return s;
    s.rows = r.rows;
    s.worst = (int)r.worst;
    for (size_t a = 0; a < k; a++)
        s.count[a] = r.count[a];
    for (size_t e = 0; e < k * k; e++) {
        s.border[e] = r.border[e];
        s.edges[e] = (int)r.edges[e];
        s.mix[e] = (double)r.mix[e];
        s.among[e] = (double)r.among[e];
    }
    mtc_free(&ctx, &r.block);
    return s;
}

static said say(const mtc_data *X, const int *z, size_t k)
{
    return say_seeded(X, z, k, 1, 0);
}

/* n rows of k normal groups in d columns, `apart` from one another along the
 * first column, in turn. */
static mtc_data in_a_row(size_t n, size_t d, size_t k, double apart,
                         uint64_t seed)
{
    mtc_random rng = mtc_random_seed(seed);
    for (size_t i = 0; i < n; i++) {
        labels[i] = (int)(i % k);
        for (size_t f = 0; f < d; f++)
            rows[i * d + f] = mtc_random_normal(&rng) +
                              (mtc_real)(f == 0 ? apart * labels[i] : 0);
    }
    return mtc_dense(n, d, rows);
}

/* ---- worked cases ------------------------------------------------------- */

static mtc_data case_rows(const apart_case *c)
{
    for (size_t e = 0; e < c->n * c->d; e++)
        rows[e] = (mtc_real)c->x[e];
    return mtc_dense(c->n, c->d, rows);
}

TEST the_worked_cases_are_said_as_they_are(size_t at)
{
    const apart_case *c = &apart_cases[at];
    const double tol = (double)TOL(1e-9);
    mtc_data X = case_rows(c);
    said s = say(&X, c->labels, c->groups);
    int worst = 0;
    ASSERT_EQ(c->n, s.rows);
    for (size_t e = 0; e < c->groups * c->groups; e++) {
        ASSERT_EQm(c->name, c->words[e], s.border[e]);
        ASSERT_EQm(c->name, c->edges[e], s.edges[e]);
        ASSERT_IN_RANGEm(c->name, c->mix[e], s.mix[e], tol);
        ASSERT_IN_RANGEm(c->name, c->among[e], s.among[e], tol);
        worst = c->words[e] > worst ? c->words[e] : worst;
    }
    ASSERT_EQm(c->name, worst, s.worst);
    PASS();
}

/* ---- what changes nothing ----------------------------------------------- */

/* Order of rows, shift, rotation, scale, and up to 500 rows the seed. */
TEST a_word_does_not_depend_on_how_the_rows_are_put(void)
{
    enum { B = 150, W = 3, K = 3 };
    const double tol = sizeof(mtc_real) == 8 ? 1e-9 : 0.05;
    mtc_data X = in_a_row(B, W, K, 3, 3), Y = mtc_dense(B, W, other);
    said a = say(&X, labels, K), b = say_seeded(&X, labels, K, 99, 4);
    ASSERT_EQ(MTC_BORDER_TOUCH, (int)a.worst);
    ASSERT_MEM_EQ(&a, &b, sizeof a);            /* the seed, the task */
    for (int how = 0; how < 4; how++) {
        for (size_t i = 0; i < B; i++) {
            size_t from = how == 0 ? i * 7 % B : i;
            const mtc_real *x = rows + from * W;
            mtc_real *y = other + i * W;
            renamed[i] = labels[from];
            for (size_t f = 0; f < W; f++)
                y[f] = how == 1 ? x[f] + 100
                       : how == 2 ? x[f] * (mtc_real)1e-5 : x[f];
            if (how == 3) {
                y[0] = (mtc_real)0.6 * x[0] + (mtc_real)0.8 * x[1];
                y[1] = (mtc_real)-0.8 * x[0] + (mtc_real)0.6 * x[1];
            }
        }
        b = say(&Y, renamed, K);
        for (size_t e = 0; e < K * K; e++) {
            ASSERT_EQ(a.border[e], b.border[e]);
            ASSERT_IN_RANGE(a.mix[e], b.mix[e], tol);
            ASSERT_IN_RANGE(a.among[e], b.among[e], tol);
        }
    }
    PASS();
}

/* Groups 0 1 2 become 5 0 3; others have no rows. */
TEST names_of_groups_change_only_names(void)
{
    enum { B = 120, K = 3, WIDE = 7 };
    static const int name[K] = {5, 0, 3};
    mtc_data X = in_a_row(B, 2, K, 4, 8);
    for (size_t i = 0; i < B; i++)
        renamed[i] = name[labels[i]];
    said a = say(&X, labels, K), b = say(&X, renamed, WIDE);
    double sum = 0;
    for (size_t p = 0; p < K; p++)
        for (size_t q = 0; q < K; q++) {
            size_t e = p * K + q, f = (size_t)(name[p] * WIDE + name[q]);
            ASSERT_EQ(a.border[e], b.border[f]);
            ASSERT_EQ(a.edges[e], b.edges[f]);
            ASSERT_IN_RANGE(a.mix[e], b.mix[f], (double)TOL(1e-12));
            sum += b.mix[f];
        }
    for (size_t e = 0; e < WIDE * WIDE; e++)
        sum -= b.mix[e];
    ASSERT_IN_RANGE(0, sum, (double)TOL(1e-12));
    ASSERT_EQ(0, (int)b.count[6]);
    PASS();
}

/* Dense, CSR, and sparse rows at any length. */
TEST sparse_rows_count_by_their_directions(void)
{
    static size_t start[MAX_N + 1];
    static uint32_t column[MAX_N * MAX_D];
    static mtc_real value[MAX_N * MAX_D];
    const apart_case *c = apart_cases;
    while (strcmp(c->name, "sparse") != 0)
        c++;
    mtc_data X = case_rows(c);
    said a = say(&X, c->labels, c->groups);
    for (size_t i = 0; i < c->n; i++)
        for (size_t f = 0; f < c->d; f++)
            rows[i * c->d + f] *= (mtc_real)(1 + i % 4);
    test_sparse(c->n, c->d, rows, start, column, value);
    mtc_data S = mtc_csr(c->n, c->d, start, column, value);
    said b = say(&S, c->labels, c->groups);
    for (size_t e = 0; e < c->groups * c->groups; e++) {
        ASSERT_EQ(a.border[e], b.border[e]);
        ASSERT_IN_RANGE(a.mix[e], b.mix[e], (double)TOL(1e-9));
    }
    PASS();
}

/* ---- corners ------------------------------------------------------------ */

TEST equal_rows_touch(void)
{
    for (size_t e = 0; e < 60; e++)
        rows[e] = 3;
    for (size_t i = 0; i < 30; i++)
        labels[i] = (int)(i % 3);
    mtc_data X = mtc_dense(30, 2, rows);
    said s = say(&X, labels, 3);
    ASSERT_EQ(MTC_BORDER_TOUCH, s.worst);
    ASSERT(s.mix[1] == 0.5 && s.among[1] == 0);
    PASS();
}

/* Two coins: four heaps of copies, with nothing between them. */
TEST heaps_of_copies_lie_apart(void)
{
    for (size_t i = 0; i < 40; i++) {
        rows[2 * i] = (mtc_real)(i % 2);
        rows[2 * i + 1] = (mtc_real)(i / 2 % 2);
        labels[i] = (int)(i % 4);
    }
    mtc_data X = mtc_dense(40, 2, rows);
    said s = say(&X, labels, 4);
    ASSERT_EQ(MTC_BORDER_APART, s.worst);
    for (size_t i = 0; i < 40; i++)
        labels[i] = (int)(i % 4 + 4 * (i / 20));    /* each heap in halves */
    ASSERT_EQ(MTC_BORDER_OVERLAP, say(&X, labels, 8).worst);
    PASS();
}

TEST of_one_group_nothing_is_said(void)
{
    mtc_data X = in_a_row(20, 2, 1, 0, 1), one = mtc_dense(1, 2, rows);
    said s = say(&X, labels, 1);
    ASSERT_EQ(MTC_BORDER_APART, s.worst);
    s = say(&X, labels, 4);                     /* 1 to 3 have no rows */
    ASSERT_EQ(MTC_BORDER_APART, s.worst);
    ASSERT_EQ(20, (int)s.rows);
    s = say(&one, labels, 1);
    ASSERT_EQ(1, (int)s.rows);
    PASS();
}

/* Of many rows 500 are drawn, and 20 of each small group. */
TEST small_groups_are_looked_at_too(void)
{
    enum { N = 1200, SMALL = 15, TINY = 40 };
    mtc_data X = in_a_row(N, 2, 1, 0, 5);
    for (size_t i = 0; i < SMALL; i++) {
        labels[i * 70] = 1;
        rows[i * 140] += 40;
    }
    for (size_t i = 0; i < TINY; i++) {
        labels[i * 29 + 1] = 2;
        rows[i * 58 + 2] -= 40;
    }
    said s = say(&X, labels, 3), t = say_seeded(&X, labels, 3, 2, 0),
         u = say_seeded(&X, labels, 3, 1, 1);
    ASSERT_EQ(SMALL, (int)s.count[1]);
    ASSERT(s.count[2] >= 20 && s.count[2] <= TINY);
    ASSERT_EQ(s.rows, s.count[0] + s.count[1] + s.count[2]);
    ASSERT(s.rows >= 500 && s.rows <= 540);
    ASSERT_EQ(MTC_BORDER_APART, s.worst);
    ASSERT_EQ(MTC_BORDER_APART, t.worst);
    for (size_t i = 0; i < N; i++)              /* a cut: others are drawn */
        labels[i] = rows[2 * i] > 0;
    s = say(&X, labels, 2);
    t = say_seeded(&X, labels, 2, 2, 0);
    u = say_seeded(&X, labels, 2, 1, 1);
    ASSERT(s.mix[1] != t.mix[1] && s.mix[1] != u.mix[1]);
    PASS();
}

/* ---- known boundaries --------------------------------------------------- */

TEST a_line_that_is_cut_touches(void)
{
    for (size_t k = 2; k <= 3; k++) {
        mtc_random rng = mtc_random_seed(k);
        for (size_t i = 0; i < 200; i++) {
            rows[2 * i] = (mtc_real)i / 20 +
                          mtc_random_normal(&rng) / 20;
            rows[2 * i + 1] = (mtc_real)i / 20 +
                              mtc_random_normal(&rng) / 20;
            labels[i] = (int)(i * k / 200);
        }
        mtc_data X = mtc_dense(200, 2, rows);
        said s = say(&X, labels, k);
        ASSERT_EQ(MTC_BORDER_TOUCH, s.border[1]);
        if (k == 3)
            ASSERT_EQ(MTC_BORDER_APART, s.border[2]);
    }
    PASS();
}

TEST rings_lie_apart(void)
{
    mtc_random rng = mtc_random_seed(4);
    for (size_t i = 0; i < 300; i++) {
        double turn = 6.2831853 * (double)mtc_random_real(&rng);
        double wide = i % 2 == 0 ? 1 : 3;
        rows[2 * i] = (mtc_real)(wide * cos(turn) +
                                 0.05 * (double)mtc_random_normal(&rng));
        rows[2 * i + 1] = (mtc_real)(wide * sin(turn) +
                                     0.05 * (double)mtc_random_normal(&rng));
        labels[i] = (int)(i % 2);
    }
    mtc_data X = mtc_dense(300, 2, rows);
    ASSERT_EQ(MTC_BORDER_APART, say(&X, labels, 2).worst);
    PASS();
}

TEST labels_by_chance_overlap(void)
{
    mtc_data X = in_a_row(300, 4, 2, 0, 9);
    said s = say(&X, labels, 2);
    ASSERT_EQ(MTC_BORDER_OVERLAP, s.worst);
    ASSERT(s.among[1] > 0.3);
    PASS();
}

SUITE(apart)
{
    for (size_t c = 0; c < CASES; c++)
        RUN_TESTp(the_worked_cases_are_said_as_they_are, c);
    RUN_TEST(a_word_does_not_depend_on_how_the_rows_are_put);
    RUN_TEST(names_of_groups_change_only_names);
    RUN_TEST(sparse_rows_count_by_their_directions);
    RUN_TEST(equal_rows_touch);
    RUN_TEST(heaps_of_copies_lie_apart);
    RUN_TEST(of_one_group_nothing_is_said);
    RUN_TEST(small_groups_are_looked_at_too);
    RUN_TEST(a_line_that_is_cut_touches);
    RUN_TEST(rings_lie_apart);
    RUN_TEST(labels_by_chance_overlap);
}
