/* SPDX-License-Identifier: MIT
 *
 * test_data.c - data views: what is refused, and the verbs.
 *
 * Every verb is held against triple loops in double, for dense and CSR views
 * in every combination, with and without workspace.  A workspace is exactly
 * as large as its query says, with guards behind it.
 */
#define MTC_INTERNAL                    /* what layouts ask of a shape */
#include "greatest.h"
#include "test_util.h"

#include <math.h>

#define EPS ((double)TEST_EPS)

/* ---- samples ----------------------------------------------------------- */

/* One set of samples, seen as dense (rows `stride` apart) and as CSR. */
typedef struct samples {
    size_t n, d, stride;
    mtc_real *x, *values;
    size_t *row;
    uint32_t *column;
    mtc_data dense, csr;
} samples;

/* `density` of the entries are stored; every tenth of those is a zero, and
 * some rows are empty. */
static samples samples_open(size_t n, size_t d, double density,
                            uint64_t seed)
{
    samples s = {n, d, d + (size_t)(seed % 3), NULL, NULL, NULL, NULL,
                 {0, 0, NULL, 0, NULL, NULL}, {0, 0, NULL, 0, NULL, NULL}};
    mtc_real *coin = test_reals(n * s.stride);
    size_t m = 0;
    s.x = test_reals(n * s.stride);
    s.values = test_reals(n * d);
    s.row = (size_t *)test_malloc((n + 1) * sizeof *s.row);
    s.column = (uint32_t *)test_malloc(n * d * sizeof *s.column);
    test_fill(s.x, n * s.stride, seed, -1, 1);
    test_fill(coin, n * s.stride, seed + 100, 0, 1);
    s.row[0] = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < d; j++) {
            mtc_real *x = s.x + i * s.stride + j;
            double u = (double)coin[i * s.stride + j];
            if (u >= density || i % 7 == 3) {
                *x = 0;
                continue;
            }
            if (u < density / 10)
                *x = 0;
            s.column[m] = (uint32_t)j;
            s.values[m++] = *x;
        }
        s.row[i + 1] = m;
    }
    s.dense = mtc_dense(n, d, s.x);
    s.dense.stride = s.stride;
    s.csr = mtc_csr(n, d, s.row, s.column, s.values);
    free(coin);
    return s;
}

static void samples_close(samples *s)
{
    free(s->x);
    free(s->values);
    free(s->row);
    free(s->column);
}

static double entry(const samples *s, size_t i, size_t j)
{
    return (double)s->x[i * s->stride + j];
}

static const mtc_data *view(const samples *s, int csr)
{
    return csr ? &s->csr : &s->dense;
}

/* A workspace of exactly `size` bytes, or none. */
typedef struct room { unsigned char *base; size_t size; } room;

static room room_open(const mtc_data *X, const mtc_data *Y, size_t p)
{
    room r = {NULL, mtc_data_work(X, Y, p)};
    r.base = (unsigned char *)test_malloc(r.size + TEST_GUARD);
    memset(r.base, TEST_POISON, r.size + TEST_GUARD);
    return r;
}

/* Gives the room back; was nothing written behind it? */
static int room_close(room *r)
{
    int holds = 1;
    for (size_t i = 0; i < TEST_GUARD; i++)
        holds &= r->base[r->size + i] == TEST_POISON;
    free(r->base);
    return holds;
}

static const struct { size_t n, d; double density; } shapes[] = {
    {1, 1, 1}, {1, 9, .5}, {9, 1, .7}, {2, 3, .5}, {5, 40, .1}, {40, 5, .5},
    {17, 23, .3}, {64, 64, 1}, {33, 100, .05}, {70, 31, 0}, {90, 120, .2}};
#define SHAPES (sizeof shapes / sizeof *shapes)

static samples shape_open(size_t t)
{
    return samples_open(shapes[t].n, shapes[t].d, shapes[t].density, t);
}

/* ---- what is refused --------------------------------------------------- */

#define ROW_BOUNDS "row: need 0, then ascending"
#define COLUMNS "column: need ascending, below d"

/* Does the check fail as said, and name the place? */
static int refuses(const mtc_data *X, mtc_status s, const char *what,
                   size_t row, size_t column)
{
    mtc_context ctx = mtc_context_defaults();
    return mtc_data_check(&ctx, X, 5) == s &&
           mtc_data_check(NULL, X, 5) == s &&
           strcmp(ctx.error.what, what) == 0 && ctx.error.task == 5 &&
           ctx.error.row == row && ctx.error.column == column;
}

TEST check_accepts_well_formed_views(void)
{
    for (size_t t = 0; t < SHAPES; t++) {
        samples s = shape_open(t);
        mtc_context ctx = mtc_context_defaults();
        ASSERT_EQ(MTC_OK, mtc_data_check(&ctx, &s.dense, MTC_NONE));
        ASSERT_EQ(MTC_OK, mtc_data_check(&ctx, &s.csr, 0));
        ASSERT_EQ(MTC_OK, mtc_data_check(NULL, &s.csr, 0));
        ASSERT(ctx.error.what == NULL);
        samples_close(&s);
    }
    PASS();
}

TEST check_refuses_what_is_not_there(void)
{
    mtc_real x[6] = {1, 2, 3, 4, 5, 6};
    mtc_data none = mtc_dense(2, 3, NULL);
    mtc_data no_samples = mtc_dense(0, 3, x), no_features = mtc_dense(2, 0, x);
    mtc_data narrow = mtc_dense(2, 3, x);
    narrow.stride = 2;
    ASSERT(refuses(NULL, MTC_INVALID, "data is NULL", MTC_NONE, MTC_NONE));
    ASSERT(refuses(&none, MTC_INVALID, "data is NULL", MTC_NONE, MTC_NONE));
    ASSERT(refuses(&no_samples, MTC_INVALID, "no samples", MTC_NONE,
                   MTC_NONE));
    ASSERT(refuses(&no_features, MTC_INVALID, "no features", MTC_NONE,
                   MTC_NONE));
    ASSERT(refuses(&narrow, MTC_INVALID, "stride is less than d", MTC_NONE,
                   MTC_NONE));
    PASS();
}

TEST check_names_the_place_of_a_bad_value(void)
{
    const mtc_real inf = (mtc_real)HUGE_VAL;
    const mtc_real bad[] = {inf, -inf, inf - inf, TEST_MAX, -TEST_MAX};
    samples s = samples_open(6, 8, 1, 2);
    for (size_t t = 0; t < sizeof bad / sizeof *bad; t++) {
        mtc_real *x = s.x + 4 * s.stride + 6, old = *x;
        *x = bad[t];
        ASSERT(refuses(&s.dense, MTC_DOMAIN,
                       "value is not finite or too large", 4, 6));
        *x = old;
        size_t k = s.row[5] - 2;            /* row 4, last but one: column 6 */
        old = s.values[k];
        s.values[k] = bad[t];
        ASSERT(refuses(&s.csr, MTC_DOMAIN,
                       "value is not finite or too large", 4, 6));
        s.values[k] = old;
    }
    samples_close(&s);
    PASS();
}

/* All values are small: one that is not, or all 0, will do. */
TEST check_refuses_values_without_squares(void)
{
    const mtc_real least = (mtc_real)(sizeof(mtc_real) == 8 ? 1e-45 : 1e-9);
    const char *text = "all values are too small: scale them";
    mtc_real x[6] = {0, -least / 2, 0, TEST_MIN, 0, 0};
    size_t row[3] = {0, 1, 2};
    uint32_t column[2] = {1, 0};
    mtc_real values[2] = {-least / 2, TEST_MIN};
    mtc_data X = mtc_dense(2, 3, x), Y = mtc_csr(2, 3, row, column, values);
    ASSERT(refuses(&X, MTC_DOMAIN, text, MTC_NONE, MTC_NONE));
    ASSERT(refuses(&Y, MTC_DOMAIN, text, MTC_NONE, MTC_NONE));
    x[5] = values[0] = least;
    ASSERT_EQ(MTC_OK, mtc_data_check(NULL, &X, 0));
    ASSERT_EQ(MTC_OK, mtc_data_check(NULL, &Y, 0));
    memset(x, 0, sizeof x);
    ASSERT_EQ(MTC_OK, mtc_data_check(NULL, &X, 0));
    PASS();
}

TEST check_looks_at_no_value_beside_the_rows(void)
{
    mtc_real x[] = {1, 2, 0, 3, 4, 0};
    mtc_data X = mtc_dense(2, 2, x);
    X.stride = 3;
    x[2] = x[5] = (mtc_real)HUGE_VAL;
    ASSERT_EQ(MTC_OK, mtc_data_check(NULL, &X, 0));
    PASS();
}

TEST check_refuses_csr_out_of_order(void)
{
    size_t row[] = {0, 2, 2, 4};
    uint32_t column[] = {0, 2, 1, 3};
    mtc_real values[] = {1, 2, 3, 0};
    mtc_data X = mtc_csr(3, 4, row, column, values);
    ASSERT_EQ(MTC_OK, mtc_data_check(NULL, &X, 0));
    row[0] = 1;
    ASSERT(refuses(&X, MTC_INVALID, ROW_BOUNDS, 0, MTC_NONE));
    row[0] = 0;
    row[2] = 1;
    ASSERT(refuses(&X, MTC_INVALID, ROW_BOUNDS, 1, MTC_NONE));
    row[2] = 2;
    column[3] = 1;
    ASSERT(refuses(&X, MTC_INVALID, COLUMNS, 2, 1));
    column[3] = 0;
    ASSERT(refuses(&X, MTC_INVALID, COLUMNS, 2, 0));
    column[3] = 4;
    ASSERT(refuses(&X, MTC_INVALID, COLUMNS, 2, 4));
    column[3] = UINT32_MAX;
    ASSERT(refuses(&X, MTC_INVALID, COLUMNS, 2, UINT32_MAX));
    PASS();
}

/* Only to measure with; the sizes are checked all the same. */
TEST check_accepts_a_shape_only_where_a_call_is_measured(void)
{
    mtc_data dense = mtc_shape(3, 4, 0), csr = mtc_shape(3, 4, 12);
    mtc_data none = mtc_shape(0, 4, 1);
    mtc_data wide = mtc_shape(SIZE_MAX / 4, 16, 0);
    mtc_context ask = mtc_measure();
    ASSERT(refuses(&dense, MTC_INVALID, "data is NULL", MTC_NONE, MTC_NONE));
    ASSERT(refuses(&csr, MTC_INVALID, "data is NULL", MTC_NONE, MTC_NONE));
    ASSERT(!mtc_is_csr(&dense) && mtc_stored(&dense) == 12);
    ASSERT(mtc_is_csr(&csr) && mtc_stored(&csr) == 12);
    ASSERT_EQ(MTC_OK, mtc_data_check(&ask, &dense, 0));
    ASSERT_EQ(MTC_OK, mtc_data_check(&ask, &csr, 0));
    ASSERT_EQ(MTC_INVALID, mtc_data_check(&ask, &none, 0));
    ASSERT_EQ(MTC_TOO_BIG, mtc_data_check(&ask, &wide, 0));
    PASS();
}

/* n rows have n + 1 bounds, and these have to fit into memory. */
TEST check_counts_the_row_bounds_exactly(void)
{
    size_t size = sizeof(mtc_real) > sizeof(size_t) ? sizeof(mtc_real)
                                                    : sizeof(size_t);
    mtc_context ask = mtc_measure();
    mtc_data most = mtc_shape(SIZE_MAX / size - 1, 4, 1);
    mtc_data more = mtc_shape(SIZE_MAX / size, 4, 1);
    ASSERT_EQ(MTC_OK, mtc_data_check(&ask, &most, 0));
    ASSERT_EQ(MTC_TOO_BIG, mtc_data_check(&ask, &more, 0));
    PASS();
}

/* What a verb takes is told by the shapes of its views. */
TEST work_of_shapes_is_that_of_the_data(void)
{
    for (size_t t = 0; t < SHAPES; t++) {
        samples s = shape_open(t);
        size_t stored = s.row[s.n];
        mtc_data dense = mtc_shape(s.n, s.d, 0);
        mtc_data csr = stored > 0 ? mtc_shape(s.n, s.d, stored) : s.csr;
        const mtc_data *data[2] = {&s.dense, &s.csr};
        const mtc_data *shape[2] = {&dense, &csr};
        for (int a = 0; a < 2; a++) {
            ASSERT_EQ(mtc_data_work(data[a], NULL, 3),
                      mtc_data_work(shape[a], NULL, 3));
            ASSERT_EQ(mtc_project_work(data[a], 2),
                      mtc_project_work(shape[a], 2));
            for (int b = 0; b < 2; b++)
                ASSERT_EQ(mtc_data_work(data[a], data[b], 3),
                          mtc_data_work(shape[a], shape[b], 3));
        }
        samples_close(&s);
    }
    PASS();
}

/* A later bound that is wild must not make an earlier row be read. */
TEST check_reads_nothing_beyond_wild_bounds(void)
{
    size_t row[] = {0, SIZE_MAX / 2, 1};
    uint32_t column[] = {0};
    mtc_real values[] = {1};
    mtc_data X = mtc_csr(2, 4, row, column, values);
    ASSERT(refuses(&X, MTC_INVALID, ROW_BOUNDS, 1, MTC_NONE));
    PASS();
}

TEST csr_without_stored_values_needs_no_arrays(void)
{
    size_t row[] = {0, 0, 0};
    mtc_data X = mtc_csr(2, 4, row, NULL, NULL);
    mtc_real B[4] = {1, 2, 3, 4}, C[4], norms[2] = {7, 7};
    ASSERT_EQ(MTC_OK, mtc_data_check(NULL, &X, 0));
    mtc_data_times(&X, 1, B, 1, C, 1, NULL);
    mtc_data_norms(&X, norms);
    ASSERT(C[0] == 0 && C[1] == 0 && norms[0] == 0 && norms[1] == 0);
    row[2] = 1;
    ASSERT(refuses(&X, MTC_INVALID, "data is NULL", MTC_NONE, MTC_NONE));
    PASS();
}

TEST check_refuses_sizes_that_cannot_be(void)
{
    mtc_real x[1] = {1};
    size_t row[1] = {0};
    mtc_data X = mtc_dense(SIZE_MAX / 4, 16, x);
    mtc_data Y = mtc_dense(3, SIZE_MAX / 8, x);
    mtc_data Z = mtc_csr(SIZE_MAX / 2, 3, row, NULL, NULL);
    ASSERT(refuses(&X, MTC_TOO_BIG, "n times stride", MTC_NONE, MTC_NONE));
    ASSERT(refuses(&Y, MTC_TOO_BIG, "n times stride", MTC_NONE, MTC_NONE));
    ASSERT(refuses(&Z, MTC_TOO_BIG, "n times stride", MTC_NONE, MTC_NONE));
#if SIZE_MAX > UINT32_MAX
    size_t two[2] = {0, 0};
    mtc_data W = mtc_csr(1, (size_t)UINT32_MAX + 1, two, NULL, NULL);
    ASSERT(refuses(&W, MTC_INVALID, "more columns than 32 bits count",
                   MTC_NONE, MTC_NONE));
    W.d = UINT32_MAX;
    ASSERT_EQ(MTC_OK, mtc_data_check(NULL, &W, 0));
#endif
    PASS();
}

/* ---- the verbs --------------------------------------------------------- */

TEST times_agrees_with_triple_loops(void)
{
    static const size_t columns[] = {1, 2, 3, 7, 8, 9, 20};
    for (size_t t = 0; t < SHAPES * 7 * 4; t++) {
        samples s = shape_open(t / 28);
        size_t p = columns[t / 4 % 7], ldb = p + t % 2, ldc = p + t % 3;
        const mtc_data *X = view(&s, (int)(t & 1));
        mtc_real *B = test_reals(s.d * ldb), *C = test_reals(s.n * ldc);
        room work = room_open(X, NULL, p);
        test_fill(B, s.d * ldb, t, -1, 1);
        test_fill(C, s.n * ldc, t, -1, 1);
        mtc_data_times(X, p, B, ldb, C, ldc, t & 2 ? work.base : NULL);
        for (size_t i = 0; i < s.n; i++)
            for (size_t c = 0; c < p; c++) {
                double sum = 0, size = 0;
                for (size_t j = 0; j < s.d; j++) {
                    double x = entry(&s, i, j) * (double)B[j * ldb + c];
                    sum += x;
                    size += fabs(x);
                }
                ASSERT_IN_RANGE(sum, (double)C[i * ldc + c],
                                2 * (double)s.d * EPS * size);
            }
        ASSERT(room_close(&work));
        free(B);
        free(C);
        samples_close(&s);
    }
    PASS();
}

TEST transpose_times_agrees_with_triple_loops(void)
{
    static const size_t columns[] = {1, 2, 3, 7, 8, 9, 20};
    for (size_t t = 0; t < SHAPES * 7 * 4; t++) {
        samples s = shape_open(t / 28);
        size_t p = columns[t / 4 % 7], ldb = p + t % 2, ldc = p + t % 3;
        const mtc_data *X = view(&s, (int)(t & 1));
        mtc_real *B = test_reals(s.n * ldb), *C = test_reals(s.d * ldc);
        room work = room_open(X, NULL, p);
        test_fill(B, s.n * ldb, t, -1, 1);
        test_fill(C, s.d * ldc, t, -1, 1);
        mtc_data_transpose_times(X, p, B, ldb, C, ldc,
                                 t & 2 ? work.base : NULL);
        for (size_t j = 0; j < s.d; j++)
            for (size_t c = 0; c < p; c++) {
                double sum = 0, size = 0;
                for (size_t i = 0; i < s.n; i++) {
                    double x = entry(&s, i, j) * (double)B[i * ldb + c];
                    sum += x;
                    size += fabs(x);
                }
                ASSERT_IN_RANGE(sum, (double)C[j * ldc + c],
                                2 * (double)s.n * EPS * size);
            }
        ASSERT(room_close(&work));
        free(B);
        free(C);
        samples_close(&s);
    }
    PASS();
}

/* Is G = X Y', to rounding?  And untouched beside its rows, where it held
 * `before`? */
static int is_gram(const samples *x, const samples *y, const mtc_real *G,
                   size_t ldg, mtc_real before)
{
    for (size_t i = 0; i < x->n; i++) {
        for (size_t j = 0; j < y->n; j++) {
            double sum = 0, size = 0;
            for (size_t p = 0; p < x->d; p++) {
                double t = entry(x, i, p) * entry(y, j, p);
                sum += t;
                size += fabs(t);
            }
            if (!(fabs((double)G[i * ldg + j] - sum) <=
                  2 * (double)x->d * EPS * size))
                return 0;
        }
        for (size_t j = y->n; j < ldg; j++)
            if (!(G[i * ldg + j] == before))
                return 0;
    }
    return 1;
}

static mtc_real *filled(size_t n, mtc_real value)
{
    mtc_real *x = test_reals(n);
    for (size_t i = 0; i < n; i++)
        x[i] = value;
    return x;
}

TEST gram_agrees_with_triple_loops_in_every_combination(void)
{
    for (size_t t = 0; t < SHAPES; t++)
        for (size_t m = 1; m < 50; m = m * 3 + 1)
            for (int how = 0; how < 8; how++) {
                samples x = shape_open(t);
                samples y = samples_open(m, x.d, .3, t + 7);
                const mtc_data *X = view(&x, how & 1), *Y = view(&y, how & 2);
                size_t ldg = y.n + t % 2;
                mtc_real *G = filled(x.n * ldg, 9);
                room work = room_open(X, Y, 0);
                mtc_data_gram(X, Y, G, ldg, how > 0 ? work.base : NULL);
                ASSERT(is_gram(&x, &y, G, ldg, 9));
                ASSERT(room_close(&work));
                free(G);
                samples_close(&x);
                samples_close(&y);
            }
    PASS();
}

/* X = Y by content of the view, not by its address. */
TEST gram_of_a_view_with_itself_is_exactly_symmetric(void)
{
    for (size_t t = 0; t < SHAPES; t++)
        for (int how = 0; how < 4; how++) {
            samples x = shape_open(t);
            mtc_data X = *view(&x, how & 1), copy = X;
            mtc_real *G = filled(x.n * (x.n + 1), 9);
            room work = room_open(&X, &copy, 0);
            mtc_data_gram(&X, &copy, G, x.n + 1, how > 0 ? work.base : NULL);
            ASSERT(is_gram(&x, &x, G, x.n + 1, 9));
            for (size_t i = 0; i < x.n; i++)
                for (size_t j = 0; j < i; j++)
                    ASSERT(G[i * (x.n + 1) + j] == G[j * (x.n + 1) + i]);
            ASSERT(room_close(&work));
            free(G);
            samples_close(&x);
        }
    PASS();
}

TEST gram_of_mixed_views_of_one_set_agrees_with_itself(void)
{
    samples x = samples_open(30, 50, .2, 1);
    mtc_real *G = filled(30 * 30, 0), *H = filled(30 * 30, 0);
    room work = room_open(&x.dense, &x.csr, 0);
    mtc_data_gram(&x.dense, &x.csr, G, 30, work.base);
    mtc_data_gram(&x.csr, &x.dense, H, 30, work.base);
    ASSERT(is_gram(&x, &x, G, 30, 0));
    for (size_t i = 0; i < 30; i++)
        for (size_t j = 0; j < 30; j++)
            ASSERT(G[i * 30 + j] == H[j * 30 + i]);
    ASSERT(room_close(&work));
    free(G);
    free(H);
    samples_close(&x);
    PASS();
}

TEST norms_dot_and_axpy_agree_with_plain_loops(void)
{
    for (size_t t = 0; t < SHAPES * 2; t++) {
        samples s = shape_open(t / 2);
        const mtc_data *X = view(&s, (int)(t & 1));
        mtc_real *norms = test_reals(s.n);
        mtc_real *v = test_reals(s.d), *w = test_reals(s.d);
        test_fill(v, s.d, t, -1, 1);
        mtc_data_norms(X, norms);
        for (size_t i = 0; i < s.n; i++) {
            double norm = 0, sum = 0, size = 0, slack = 2 * (double)s.d * EPS;
            for (size_t j = 0; j < s.d; j++) {
                norm += entry(&s, i, j) * entry(&s, i, j);
                sum += entry(&s, i, j) * (double)v[j];
                size += fabs(entry(&s, i, j) * (double)v[j]);
            }
            ASSERT_IN_RANGE(norm, (double)norms[i], slack * norm);
            ASSERT_IN_RANGE(sum, (double)mtc_data_dot(X, i, v), slack * size);
            memcpy(w, v, s.d * sizeof *v);
            mtc_data_axpy(X, i, (mtc_real)-1.5, w);
            for (size_t j = 0; j < s.d; j++)
                ASSERT_IN_RANGE((double)v[j] - 1.5 * entry(&s, i, j),
                                (double)w[j], 4 * EPS);
        }
        free(norms);
        free(v);
        free(w);
        samples_close(&s);
    }
    PASS();
}

TEST distances_agree_with_plain_loops_in_every_combination(void)
{
    for (size_t t = 0; t < SHAPES * 4; t++) {
        samples s = shape_open(t / 4);
        const mtc_data *X = view(&s, (int)(t & 1)), *Y = view(&s, (int)(t & 2));
        for (size_t i = 0; i < s.n; i++)
            for (size_t j = 0; j < s.n; j++) {
                double sum = 0;
                for (size_t e = 0; e < s.d; e++)
                    sum += pow(entry(&s, i, e) - entry(&s, j, e), 2);
                ASSERT_IN_RANGE(sum, (double)mtc_data_distance(X, i, Y, j),
                                2 * (double)(s.d + 2) * EPS * sum);
            }
        samples_close(&s);
    }
    PASS();
}

/* Three clusters, of which the second is empty. */
TEST means_agree_with_plain_loops(void)
{
    for (size_t t = 0; t < SHAPES * 2; t++) {
        samples s = shape_open(t / 2);
        mtc_real *mean = test_reals(3 * s.d), share[3];
        int *labels = (int *)test_malloc(s.n * sizeof *labels);
        for (size_t i = 0; i < s.n; i++)
            labels[i] = i % 3 == 1 ? 2 : 0;
        mtc_data_means(view(&s, (int)(t & 1)), labels, 3, mean, share);
        for (int z = 0; z < 3; z++) {
            double rows = 0;
            for (size_t i = 0; i < s.n; i++)
                rows += labels[i] == z;
            ASSERT_IN_RANGE(rows / (double)s.n, (double)share[z], EPS);
            for (size_t e = 0; e < s.d; e++) {
                double sum = 0;
                for (size_t i = 0; i < s.n; i++)
                    sum += labels[i] == z ? entry(&s, i, e) : 0;
                ASSERT_IN_RANGE(rows > 0 ? sum / rows : 0,
                                (double)mean[(size_t)z * s.d + e], 16 * EPS);
            }
        }
        free(labels);
        free(mean);
        samples_close(&s);
    }
    PASS();
}

/* Whole numbers round nowhere: all ways give the same bits. */
TEST verbs_are_exact_on_small_whole_numbers(void)
{
    samples s = samples_open(25, 40, .4, 3);
    for (size_t i = 0; i < s.n * s.stride; i++)
        s.x[i] = (mtc_real)floor(20 * (double)s.x[i]);
    size_t m = test_sparse(s.n, s.stride, s.x, s.row, s.column, s.values);
    ASSERT(m > 0);
    s.dense = mtc_dense(s.n, s.stride, s.x);
    s.csr = mtc_csr(s.n, s.stride, s.row, s.column, s.values);
    mtc_real *G = test_reals(25 * 25), *H = test_reals(25 * 25);
    mtc_data_gram(&s.dense, &s.dense, G, 25, NULL);
    for (int how = 0; how < 8; how++) {
        const mtc_data *X = view(&s, how & 1), *Y = view(&s, how & 2);
        room work = room_open(X, Y, 0);
        mtc_data_gram(X, Y, H, 25, how > 0 ? work.base : NULL);
        ASSERT(memcmp(G, H, 25 * 25 * sizeof *G) == 0);
        ASSERT(room_close(&work));
    }
    free(G);
    free(H);
    samples_close(&s);
    PASS();
}

TEST work_that_cannot_be_is_size_max(void)
{
    size_t row[] = {0, 1};
    uint32_t column[] = {0};
    mtc_real values[] = {1};
    mtc_data dense = mtc_dense(1, SIZE_MAX / 4, values);
    mtc_data csr = mtc_csr(1, SIZE_MAX / 4, row, column, values);
    ASSERT(mtc_data_work(&dense, &csr, 1) == SIZE_MAX);
    ASSERT(mtc_data_work(&csr, &dense, 1) == SIZE_MAX);
    ASSERT(mtc_data_work(&csr, &csr, 1) == SIZE_MAX);
    ASSERT(mtc_data_work(&dense, &dense, SIZE_MAX) < (size_t)8 << 20);
    ASSERT_EQ(0, mtc_data_work(&csr, NULL, SIZE_MAX));
    PASS();
}

/* Whole numbers as CSR, near a far origin: of their squares alone few digits
 * would be left.  The last columns hold zeros too.  Numbers that lie farther
 * away, such as time stamps, are refused as CSR. */
TEST pca_of_sparse_data_far_from_the_origin_is_exact(void)
{
    enum { MOST = 400 };
    static const size_t size[3][2] = {{40, 5}, {7, 30}, {60, 6}};
    const double away = sizeof(mtc_real) == 8 ? 1e6 : 100;
    mtc_random r = mtc_random_seed(11);
    mtc_context ctx = test_context();
    for (int f = 0; f < 3; f++) {
        size_t n = size[f][0], d = size[f][1], row[61] = {0}, at = 0;
        mtc_real x[MOST], values[MOST], scores[MOST];
        uint32_t column[MOST];
        double total = 0;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < d; j++) {
                double spread = (double)mtc_random_below(&r, 10);
                double value = j + 2 < d ? away + spread : spread;
                x[i * d + j] = (mtc_real)value;
                if (!(x[i * d + j] > 0))
                    continue;
                column[at] = (uint32_t)j;
                values[at++] = x[i * d + j];
            }
            row[i + 1] = at;
        }
        for (size_t j = 0; j < d; j++) {
            double mean = 0, from = j + 2 < d ? away : 0;
            for (size_t i = 0; i < n; i++)
                mean += ((double)x[i * d + j] - from) / (double)n;
            for (size_t i = 0; i < n; i++) {
                double off = (double)x[i * d + j] - from - mean;
                total += off * off;
            }
        }
        mtc_data X = mtc_dense(n, d, x), Y = mtc_csr(n, d, row, column, values);
        mtc_data both[2] = {Y, Y};
        mtc_pca_options opt = mtc_pca_defaults();
        mtc_pca_result p, q, own;
        opt.dimension = 3;
        ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &X, 1, &opt, &p));
        ASSERT_EQ(MTC_OK, mtc_pca(&ctx, &Y, 1, &opt, &q));
        opt.mean = MTC_MEAN_OWN;
        ASSERT_EQ(MTC_OK, mtc_pca(&ctx, both, 2, &opt, &own));
        ASSERT_EQ(MTC_OK, mtc_pca_assign(&ctx, &Y, 0, &q, scores));
        double close = 1e4 * (double)TEST_EPS * total;
        ASSERT_IN_RANGE(total, (double)p.total, close);
        ASSERT_IN_RANGE(total, (double)q.total, close);
        ASSERT_IN_RANGE(2 * total, (double)own.total, 2 * close);
        for (size_t e = 0; e < 3 * n; e++) {
            double near = (sizeof(mtc_real) == 8 ? 1e-7 : 1e-3) * sqrt(total);
            ASSERT_IN_RANGE((double)p.scores[e], (double)q.scores[e], near);
            ASSERT_IN_RANGE((double)p.scores[e], (double)scores[e], near);
        }
        mtc_free(&ctx, &own.block);
        mtc_free(&ctx, &q.block);
        mtc_free(&ctx, &p.block);
        for (size_t e = 0; e < at; e++)
            values[e] += (mtc_real)(values[e] > 50 ? 1700 * away : 0);
        ASSERT_EQ(MTC_LIMIT, mtc_pca(&ctx, &Y, 1, &opt, &q));
        ASSERT_STR_EQ("eigenvectors", ctx.error.what);
    }
    PASS();
}

SUITE(data_suite)
{
    RUN_TEST(check_accepts_well_formed_views);
    RUN_TEST(check_refuses_what_is_not_there);
    RUN_TEST(check_names_the_place_of_a_bad_value);
    RUN_TEST(check_refuses_values_without_squares);
    RUN_TEST(check_looks_at_no_value_beside_the_rows);
    RUN_TEST(check_refuses_csr_out_of_order);
    RUN_TEST(check_accepts_a_shape_only_where_a_call_is_measured);
    RUN_TEST(check_counts_the_row_bounds_exactly);
    RUN_TEST(work_of_shapes_is_that_of_the_data);
    RUN_TEST(check_reads_nothing_beyond_wild_bounds);
    RUN_TEST(csr_without_stored_values_needs_no_arrays);
    RUN_TEST(check_refuses_sizes_that_cannot_be);
    RUN_TEST(times_agrees_with_triple_loops);
    RUN_TEST(transpose_times_agrees_with_triple_loops);
    RUN_TEST(gram_agrees_with_triple_loops_in_every_combination);
    RUN_TEST(gram_of_a_view_with_itself_is_exactly_symmetric);
    RUN_TEST(gram_of_mixed_views_of_one_set_agrees_with_itself);
    RUN_TEST(norms_dot_and_axpy_agree_with_plain_loops);
    RUN_TEST(distances_agree_with_plain_loops_in_every_combination);
    RUN_TEST(means_agree_with_plain_loops);
    RUN_TEST(verbs_are_exact_on_small_whole_numbers);
    RUN_TEST(work_that_cannot_be_is_size_max);
    RUN_TEST(pca_of_sparse_data_far_from_the_origin_is_exact);
}
