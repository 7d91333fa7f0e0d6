/* SPDX-License-Identifier: MIT
 *
 * How a target is brought to a source: worked cases of an independent program,
 * and what must not change an answer.
 */
#include <math.h>

#include "golden/align.h"
#include "greatest.h"
#include "test_util.h"

enum { CASES = sizeof align_cases / sizeof align_cases[0], MAX_N = 100,
       MAX_D = 6 };

static mtc_real from[MAX_N * MAX_D], to[MAX_N * MAX_D];

static int z[MAX_N];

static double apart(double a, mtc_real b)
{
    return fabs(a - (double)b) / fmax(1, fabs(a));
}

static mtc_data source_of(const align_case *c)
{
    for (size_t e = 0; e < c->n_source * c->d; e++)
        from[e] = (mtc_real)c->source[e];
    return mtc_dense(c->n_source, c->d, from);
}

static mtc_data target_of(const align_case *c)
{
    for (size_t e = 0; e < c->n_target * c->d; e++)
        to[e] = (mtc_real)c->target[e];
    return mtc_dense(c->n_target, c->d, to);
}

/* Draws n rows of both sides, of class c about 8 in column c and 0 else. */
static void draw(size_t n, size_t d, size_t classes, uint64_t seed)
{
    mtc_random rng = mtc_random_seed(seed);
    for (size_t i = 0; i < n; i++) {
        z[i] = (int)(i % classes);
        for (size_t f = 0; f < d; f++) {
            mtc_real center = f == i % classes ? 8 : 0;
            from[i * d + f] = center + mtc_random_normal(&rng);
            to[i * d + f] = center + mtc_random_normal(&rng);
        }
    }
}

TEST worked_cases(size_t number)
{
    const align_case *c = &align_cases[number];
    const double tol = sizeof(mtc_real) == 8 ? 1e-8 : 2e-3;
    mtc_context ctx = test_context();
    mtc_align_result r;
    size_t d = c->d;
    mtc_data A = source_of(c), B = target_of(c);
    ASSERT_EQ(MTC_OK, mtc_align(&ctx, &A, c->labels, 3, &B, NULL, &r));
    ASSERT_EQ(c->kept, (int)r.kept);
    ASSERT_EQ(c->together, r.together);
    ASSERT(apart(c->width, r.width) < tol && apart(c->limit, r.limit) < tol);
    for (size_t m = 0; m < MTC_ALIGN_MAPS; m++) {
        ASSERT_EQ(c->tried[m], r.of[m].tried);
        if (!c->tried[m])
            continue;
        ASSERTm(c->name, apart(c->strange[m], r.of[m].strange) < tol);
        ASSERTm(c->name, apart(c->thin[m], r.of[m].thin) < tol);
        ASSERTm(c->name, apart(c->odd[m], r.of[m].odd) < tol);
    }
    for (size_t e = 0; e < c->n_target * d; e++) {
        size_t f = e % d, at = (size_t)r.kept * d + f;
        mtc_real x = (to[e] - r.mean[f]) / r.deviation[f];
        ASSERT(apart(c->mapped[e], r.scale[at] * x + r.shift[at]) < tol);
    }
    for (size_t f = 0; f < d; f++) {
        ASSERT(apart(c->mean[f], r.mean[f]) < tol);
        ASSERT(apart(c->deviation[f], r.deviation[f]) < tol);
        ASSERT_EQ(c->unit[f], (int)r.unit[f]);
    }
    for (size_t i = 0; i < c->n_target; i++)
        ASSERTm(c->name, apart(c->distance[i], r.distance[i]) < tol);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* A target that is the source: as it is, and odd below 0, since each row counts
 * itself.  Of fewer than ten rows nothing else is tried. */
TEST the_source_itself_is_left_as_it_is(void)
{
    const align_case *c = &align_cases[0];
    mtc_context ctx = test_context();
    mtc_align_result r;
    size_t far = 0;
    mtc_data A = source_of(c), B = A;
    ASSERT_EQ(MTC_OK, mtc_align(&ctx, &A, c->labels, 3, &B, NULL, &r));
    ASSERT_EQ(MTC_ALIGN_AS_IS, r.kept);
    ASSERT(r.of[0].odd < 0);
    for (size_t i = 0; i < B.n; i++)
        far += r.distance[i] > 1;
    ASSERT(20 * far <= B.n);
    mtc_free(&ctx, &r.block);
    B.n = 9;
    ASSERT_EQ(MTC_OK, mtc_align(&ctx, &A, c->labels, 3, &B, NULL, &r));
    ASSERT(r.of[0].tried && !r.of[2].tried && !r.of[3].tried);
    mtc_free(&ctx, &r.block);
    for (size_t e = 0; e < A.n * A.d; e++)
        from[e] = 7;                            /* all rows equal */
    B.n = A.n;
    ASSERT_EQ(MTC_OK, mtc_align(&ctx, &A, c->labels, 3, &B, NULL, &r));
    ASSERT(r.kept == MTC_ALIGN_AS_IS && r.width == 0 && r.distance[0] == 0);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* A map that is asked for is kept, also if it is not the least odd, and alone;
 * one that does not apply leaves rows as they are. */
TEST a_map_can_be_asked_for(void)
{
    const align_case *c = &align_cases[0];      /* own, together */
    mtc_context ctx = test_context();
    mtc_align_options o = mtc_align_defaults();
    mtc_align_result r;
    mtc_data A = source_of(c), B = target_of(c);
    for (o.map = 0; o.map < MTC_ALIGN_MAPS; o.map++) {
        ASSERT_EQ(MTC_OK, mtc_align(&ctx, &A, c->labels, 3, &B, &o, &r));
        ASSERT_EQ(c->tried[o.map] ? o.map : 0, (int)r.kept);
        ASSERT(!r.together);
        for (size_t i = 0; i < B.n && o.map == c->kept; i++)
            ASSERT(apart(c->distance[i], r.distance[i]) < 2e-3);
        mtc_free(&ctx, &r.block);
    }
    ASSERT_EQ(MTC_INVALID, mtc_align(&ctx, &A, c->labels, 3, &B, &o, &r));
    PASS();
}

/* One column times 1000 is in other units, and no other. */
TEST a_column_in_other_units_is_named(void)
{
    enum { N = 60, D = 4 };
    mtc_context ctx = test_context();
    mtc_align_result r;
    draw(N, D, 3, 4);
    for (size_t i = 0; i < N; i++)
        to[i * D + 2] *= 1000;
    mtc_data A = mtc_dense(N, D, from), B = mtc_dense(N, D, to);
    ASSERT_EQ(MTC_OK, mtc_align(&ctx, &A, z, 3, &B, NULL, &r));
    ASSERT(r.kept != MTC_ALIGN_AS_IS && !r.together);
    for (size_t f = 0; f < D; f++)
        ASSERT_EQ(f == 2 ? MTC_UNIT_FACTOR : MTC_UNIT_SAME, r.unit[f]);
    ASSERT_IN_RANGE(1000, (double)r.factor[2], 300);
    ASSERT(r.scale[MTC_ALIGN_UNITS * D] == 1);
    ASSERT_IN_RANGE(1, (double)r.scale[MTC_ALIGN_UNITS * D + 2] * 1000, 0.3);
    mtc_free(&ctx, &r.block);
    PASS();
}

/* A column that the source has no deviation of is left, and not called one in
 * other units; beside it all others are moved. */
TEST a_column_without_spread_in_the_source_is_left(void)
{
    enum { N = 40, D = 3 };
    mtc_context ctx = test_context();
    mtc_align_result r;
    draw(N, D, 2, 5);
    for (size_t i = 0; i < N; i++)
        from[i * D] = 3;
    for (size_t e = 0; e < N * D; e++)
        to[e] += 30;
    mtc_data A = mtc_dense(N, D, from), B = mtc_dense(N, D, to);
    ASSERT_EQ(MTC_OK, mtc_align(&ctx, &A, z, 2, &B, NULL, &r));
    size_t at = (size_t)r.kept * D;
    ASSERT(r.kept != MTC_ALIGN_AS_IS && r.unit[0] == MTC_UNIT_SAME);
    ASSERT(r.factor[0] <= 0 && r.scale[at] == 1 && r.shift[at] == 0);
    ASSERT(r.shift[at + 1] < 0);
    mtc_free(&ctx, &r.block);
    PASS();
}

SUITE(align_suite)
{
    for (size_t c = 0; c < CASES; c++)
        RUN_TESTp(worked_cases, c);
    RUN_TEST(the_source_itself_is_left_as_it_is);
    RUN_TEST(a_map_can_be_asked_for);
    RUN_TEST(a_column_in_other_units_is_named);
    RUN_TEST(a_column_without_spread_in_the_source_is_left);
}
