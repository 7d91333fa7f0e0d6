/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- legal scenes, generated ------------------------------------------- */

/* Three tasks of blobs: task t has SCENE_N - 7 t samples, the last but one
 * fewer than features (so that principal components go by the Gram matrix).
 * No call of libm, sums exact or in a fixed order: the same everywhere. */
enum { SCENE_N = 96, SCENE_D = 40, SCENE_PLAIN = 512, SCENE_DICE = 48 };

typedef struct stage {
    scene s;
    mtc_real x[SCENE_TASKS][SCENE_N * SCENE_D], positive[SCENE_N * SCENE_D];
    mtc_real square[SCENE_N * SCENE_N], plain[SCENE_PLAIN];
    mtc_real x_value[SCENE_TASKS][SCENE_N * SCENE_D];
    mtc_real square_value[SCENE_N * SCENE_N];
    uint32_t x_column[SCENE_TASKS][SCENE_N * SCENE_D];
    uint32_t square_column[SCENE_N * SCENE_N];
    size_t x_row[SCENE_TASKS][SCENE_N + 1], square_row[SCENE_N + 1];
    int label[SCENE_TASKS][SCENE_N];
    unsigned char dice[SCENE_DICE];
} stage;

/* A generator apart from the library's; 8 bits, exact in any real. */
static inline mtc_real stage_real(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005)
             + UINT64_C(1442695040888963407);
    return (mtc_real)(*state >> 56) / 256;
}

static mtc_data stage_csr(size_t n, size_t d, const mtc_real *x, size_t *row,
                          uint32_t *column, mtc_real *values)
{
    size_t e = 0;
    row[0] = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < d; j++)
            if (!(x[i * d + j] == 0)) {
                column[e] = (uint32_t)j;
                values[e++] = x[i * d + j];
            }
        row[i + 1] = e;
    }
    return mtc_csr(n, d, row, column, values);
}

/* The views of the numbers as they are: after a test has changed them. */
static inline void stage_views(stage *g, const size_t *n, size_t d, int csr)
{
    for (size_t t = 0; t < SCENE_TASKS; t++)
        g->s.task[t] = csr ? stage_csr(n[t], d, g->x[t], g->x_row[t],
                                       g->x_column[t], g->x_value[t])
                           : mtc_dense(n[t], d, g->x[t]);
    g->s.square = csr ? stage_csr(n[0], n[0], g->square, g->square_row,
                                  g->square_column, g->square_value)
                      : mtc_dense(n[0], n[0], g->square);
    g->s.positive = mtc_dense(n[0], d, g->positive);
}

/* Task t: half of the values 0; sample i is of class (i + t) mod k, whose
 * features stand out. */
static inline void stage_task(stage *g, size_t t, size_t n, size_t d,
                              uint64_t *state)
{
    mtc_real *x = g->x[t];
    for (size_t i = 0; i < n; i++) {
        g->label[t][i] = (int)((i + t) % g->s.k);
        for (size_t j = 0; j < d; j++) {
            mtc_real u = stage_real(state);
            x[i * d + j] = u < (mtc_real)0.5 ? 0 : u;
            if (j % g->s.k == (size_t)g->label[t][i])
                x[i * d + j] += 1 + stage_real(state);
        }
    }
    g->s.labels[t] = g->label[t];
}

/* Products of the samples of task 0; small ones 0 where it is to be sparse. */
static inline void stage_square(stage *g, size_t n, size_t d, int csr)
{
    const mtc_real *x = g->x[0];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            mtc_real dot = 0;
            for (size_t f = 0; f < d; f++)
                dot += x[i * d + f] * x[j * d + f];
            g->square[i * n + j] = csr && dot < (mtc_real)d / 2 ? 0 : dot;
        }
}

/* variant 0: options by default; others: by dice of that number. */
static inline void stage_set(stage *g, size_t n, size_t d, int csr,
                             unsigned variant)
{
    uint64_t state = n * 1000 + d * 10 + (csr ? 1 : 0);
    size_t sizes[SCENE_TASKS] = {n, d - 2, n - 7};
    g->s.k = 2 + (size_t)variant % 3;
    g->s.tasks = variant % 2 == 0 ? 2 : 3;
    for (size_t t = 0; t < SCENE_TASKS; t++)
        stage_task(g, t, sizes[t], d, &state);
    stage_square(g, n, d, csr);
    for (size_t i = 0; i < n * d; i++)
        g->positive[i] = g->x[0][i] + (mtc_real)0.125;
    for (size_t i = 0; i < SCENE_PLAIN; i++)
        g->plain[i] = stage_real(&state) * 4 + (mtc_real)0.125;
    for (size_t i = 0; i < SCENE_DICE; i++)
        g->dice[i] = variant == 0 ? 0
                     : (unsigned char)(255 * stage_real(&state));
    stage_views(g, sizes, d, csr);
    g->s.plain = g->plain;
    g->s.plain_n = SCENE_PLAIN < 4 * n ? SCENE_PLAIN : 4 * n;
    g->s.dice = g->dice;
    g->s.dice_n = SCENE_DICE;
    g->s.thrown = 0;
    g->s.hostile = 0;
}

/* Runs one variant of a row over one shape and folds it into a witness.  A
 * status other than OK is part of it, and wrong where options are defaults. */
static inline void stage_run_one(stage *g, const method_row *row,
                                 mtc_context *ctx, size_t n, size_t d,
                                 int csr, unsigned variant, witness *w)
{
    outcome out;
    stage_set(g, n, d, csr, variant);
    mtc_status st = row->run(ctx, &g->s, &out);
    see_word(w, (uint64_t)(int64_t)st);
    if (st == MTC_OK) {
        row->see(&g->s, &out, w);
        row->release(ctx, &out);
    } else if (variant == 0) {
        see_wrong(w, mtc_status_text(st));
    }
}
