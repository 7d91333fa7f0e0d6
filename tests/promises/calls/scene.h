/* SPDX-License-Identifier: MIT
 * A part of calls.h. */
/* ---- scenes: what the rows read ---------------------------------------- */

enum { SCENE_TASKS = 3 };

typedef struct scene {
    mtc_data task[SCENE_TASKS];         /* of one width */
    size_t tasks;                       /* 1..SCENE_TASKS */
    const int *labels[SCENE_TASKS];     /* 0..k-1, if the scene is legal */
    mtc_data positive;                  /* all above 0, if legal */
    mtc_data square;                    /* symmetric, none negative, if legal */
    const mtc_real *plain;              /* [plain_n] any reals */
    size_t plain_n;
    size_t k;                           /* clusters or classes */
    const unsigned char *dice;          /* NULL or [dice_n] */
    size_t dice_n, thrown;
    int hostile;                        /* 2 or 3: plain is, and is used */
} scene;

static unsigned throw_die(scene *s)
{
    return s->thrown < s->dice_n ? s->dice[s->thrown++] : 0;
}

/* low..high; among hostile dice also sizes that cannot be served. */
static size_t pick_size(scene *s, size_t usual, size_t low, size_t high)
{
    static const size_t bad[8] = {0, 1, 2, 1000, 65536, (size_t)1 << 31,
                                  SIZE_MAX / 8, SIZE_MAX};
    unsigned r = throw_die(s);
    if (r == 0)
        return usual;
    if (s->hostile && r >= 240)
        return bad[r % 8];
    return low + (r - 1) % (high - low + 1);
}

static mtc_real hostile_real(unsigned r)
{
    static const double bad[15] = {0, -0.0, 1, -1, 0.5, 1e-300, -1e-320,
                                   1e300, -1e300, 1e150, 9e44, 1e-160,
                                   1e12, -9e44, 1e16};
    static const float small[15] = {0, -0.0f, 1, -1, 0.5f, 1e-30f, -1e-42f,
                                    1e30f, -1e30f, 1e18f, 9e8f, 1e-20f,
                                    1e6f, -9e8f, 1e8f};
    mtc_real zero = (mtc_real)bad[0], inf = MTC_HUGE * 2;
    switch (r % 22) {
    case 15: return inf;
    case 16: return -inf;
    case 17: return inf * zero;
    case 18: return MTC_HUGE;
    case 19: return MTC_HUGE / 2;
    case 20: return MTC_TINY;
    case 21: return MTC_TINY * MTC_EPS;         /* the least there is */
    default: return sizeof(mtc_real) == 8 ? (mtc_real)bad[r % 22]
                                          : (mtc_real)small[r % 22];
    }
}

/* Sizes of weights, costs, supplies and starts: finite, all but the last none
 * negative, while their sums and products may be anything. */
enum { EXTREMES = 12 };
static inline mtc_real extreme_real(size_t b)
{
    static const double sizes[EXTREMES] = {
        1, 0, 5e-324, 1e-300, 1e-160, 1e-20, 1e20, 1e44, 1e150, 1e300, 1e308,
        -1};
    static const float small[EXTREMES] = {
        1, 0, 1e-45f, 1e-38f, 1e-22f, 1e-7f, 1e7f, 1e8f, 1e18f, 1e30f, 3e38f,
        -1};
    return sizeof(mtc_real) == 8 ? (mtc_real)sizes[b] : (mtc_real)small[b];
}

/* low + a multiple of (high - low) / 256. */
static mtc_real pick_real(scene *s, mtc_real usual, mtc_real low,
                          mtc_real high)
{
    unsigned r = throw_die(s);
    if (r == 0)
        return usual;
    if (s->hostile && r >= 220)
        return hostile_real(r);
    return low + (high - low) * (mtc_real)r / 256;
}

/* 0..n-1; among hostile dice numbers that name nothing. */
static int pick_enum(scene *s, int usual, int n)
{
    unsigned r = throw_die(s);
    if (r == 0)
        return usual;
    if (s->hostile && r >= 240)
        return r >= 248 ? -(int)r : (int)r;
    return (int)((r - 1) % (unsigned)n);
}

/* NULL, or weights [n], in (0,2] where the scene is legal. */
static const mtc_real *pick_weights(scene *s, size_t n)
{
    unsigned r = throw_die(s) + (s->hostile & 2 ? 1 : 0);
    return r % 2 == 1 && n <= s->plain_n ? s->plain : NULL;
}

/* NULL, or among hostile dice a start of `count` reals that may be none. */
static const mtc_real *pick_start(scene *s, size_t count)
{
    return s->hostile && count <= s->plain_n
               && (throw_die(s) + (s->hostile & 2 ? 1 : 0)) % 3 == 1
               ? s->plain : NULL;
}

/* ---- witnesses: what a result looks like ------------------------------- */

typedef struct witness {
    uint64_t hash;                      /* FNV-1a of 64-bit words */
    const char *wrong;                  /* NULL if all is well */
    uint64_t choices;                   /* the same hash, of labels and arrays
                                           of indices only */
} witness;

#define WITNESS {UINT64_C(14695981039346656037), NULL, 0}

static uint64_t fold_word(uint64_t hash, uint64_t x)
{
    for (int b = 0; b < 64; b += 8)
        hash = (hash ^ ((x >> b) & 255)) * UINT64_C(1099511628211);
    return hash;
}

static void see_word(witness *w, uint64_t x)
{
    w->hash = fold_word(w->hash, x);
}

static void see_wrong(witness *w, const char *what)
{
    if (w->wrong == NULL)
        w->wrong = what;
}

static void see_size(witness *w, size_t x)
{
    see_word(w, x == MTC_NONE ? UINT64_MAX : (uint64_t)x);
}

static void see_sizes(witness *w, const size_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        see_size(w, x[i]);
        w->choices = fold_word(w->choices, (uint64_t)x[i]);
    }
}

static void see_reals(witness *w, const mtc_real *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
#ifdef MTC_SINGLE
        uint32_t bits;
#else
        uint64_t bits;
#endif
        memcpy(&bits, &x[i], sizeof bits);
        see_word(w, bits);
        if (!MTC_FINITE(x[i]))
            see_wrong(w, "a real that is not finite");
    }
}

/* Objectives: the header says that they never increase. */
static void see_falling(witness *w, const mtc_real *x, size_t n)
{
    see_reals(w, x, n);
    for (size_t i = 1; i < n; i++)
        if (x[i] > x[i - 1])
            see_wrong(w, "an objective that increases");
}

static void see_labels(witness *w, const int *x, size_t n, size_t k)
{
    for (size_t i = 0; i < n; i++) {
        see_word(w, (uint64_t)(int64_t)x[i]);
        w->choices = fold_word(w->choices, (uint64_t)(int64_t)x[i]);
        if (x[i] < 0 || (size_t)x[i] >= k)
            see_wrong(w, "a label out of range");
    }
}

static void see_flag(witness *w, int x)
{
    see_word(w, (uint64_t)(int64_t)x);
    if (x != 0 && x != 1)
        see_wrong(w, "a flag that is neither 0 nor 1");
}

static void see_within(witness *w, mtc_real x, mtc_real low, mtc_real high)
{
    see_reals(w, &x, 1);
    if (!(x >= low && x <= high))
        see_wrong(w, "a measure out of its range");
}

static void see_view(witness *w, const mtc_data *X)
{
    see_size(w, X->n);
    if (X->row != NULL) {
        see_sizes(w, X->row, X->n + 1);
        for (size_t e = 0; e < X->row[X->n]; e++)
            see_word(w, X->column[e]);
        see_reals(w, X->values, X->row[X->n]);
    } else {
        see_reals(w, X->values, X->n * X->d);
    }
}

/* ---- outcomes ---------------------------------------------------------- */

/* What calls write to that own no memory; sizes are exact. */
typedef struct arrays {
    int *labels;
    size_t *index;
    mtc_real *reals;
    size_t n_labels, n_index, n_reals;
} arrays;

enum { ARRAYS_POISON = 0x5a, TOUCHED = 77 };    /* no status is 77 */

static void *take_array(mtc_context *ctx, size_t n, size_t size)
{
    size_t bytes = mtc_mul(n == 0 ? 1 : n, size);
    void *p = ctx->allocate(ctx->memory, bytes);    /* SIZE_MAX: refused */
    if (p != NULL)
        memset(p, ARRAYS_POISON, bytes);
    else
        ctx->error.what = "an array of the test";
    return p;
}

/* The status of a call that takes no context, and so cannot say more. */
static mtc_status bare(mtc_context *ctx, mtc_status s)
{
    if (s != MTC_OK)
        ctx->error.what = mtc_status_text(s);
    return s;
}

static void give_array(mtc_context *ctx, void *p, size_t n, size_t size)
{
    if (p != NULL)
        ctx->release(ctx->memory, p, mtc_mul(n == 0 ? 1 : n, size));
}

static int poisoned(const void *p, size_t size)
{
    const unsigned char *b = (const unsigned char *)p;
    for (size_t i = 0; i < size; i++)
        if (b[i] != ARRAYS_POISON)
            return 0;
    return 1;
}

static void arrays_release(mtc_context *ctx, void *out)
{
    arrays *a = (arrays *)out;          /* last first: an arena is a stack */
    give_array(ctx, a->reals, a->n_reals, sizeof(mtc_real));
    give_array(ctx, a->index, a->n_index, sizeof(size_t));
    give_array(ctx, a->labels, a->n_labels, sizeof(int));
}

static mtc_status arrays_take(mtc_context *ctx, arrays *a, size_t labels,
                              size_t index, size_t reals)
{
    a->n_labels = labels;
    a->n_index = index;
    a->n_reals = reals;
    a->labels = (int *)take_array(ctx, labels, sizeof(int));
    a->index = (size_t *)take_array(ctx, index, sizeof(size_t));
    a->reals = (mtc_real *)take_array(ctx, reals, sizeof(mtc_real));
    if (a->labels != NULL && a->index != NULL && a->reals != NULL)
        return MTC_OK;
    arrays_release(ctx, a);
    return MTC_NO_MEMORY;
}

/* Hands the arrays over to `out`, or sees that nobody touched them. */
static mtc_status arrays_done(mtc_context *ctx, arrays *a, mtc_status s,
                              void *out)
{
    if (s == MTC_OK) {
        memcpy(out, a, sizeof *a);
        return s;
    }
    int clean = poisoned(a->labels, a->n_labels * sizeof(int)) &&
                poisoned(a->index, a->n_index * sizeof(size_t)) &&
                poisoned(a->reals, a->n_reals * sizeof(mtc_real));
    arrays_release(ctx, a);
    return clean ? s : (mtc_status)TOUCHED;
}

/* For calls that destroy their arguments also when they fail. */
static mtc_status arrays_spent(mtc_context *ctx, arrays *a, mtc_status s,
                               void *out)
{
    if (s == MTC_OK)
        memcpy(out, a, sizeof *a);
    else
        arrays_release(ctx, a);
    return s;
}

static void arrays_see(const scene *s, const void *out, witness *w)
{
    const arrays *a = (const arrays *)out;
    see_labels(w, a->labels, a->n_labels, s->k < 2 ? 2 : s->k);
    see_sizes(w, a->index, a->n_index);
    see_reals(w, a->reals, a->n_reals);
}

#define RUN_ROW(NAME)                                                     \
    static mtc_status NAME##_run(mtc_context *ctx, scene *s, void *out)
#define SEE_ROW(NAME)                                                     \
    static void NAME##_see(const scene *s, const void *out, witness *w)

/* Every result begins with its block. */
static void result_release(mtc_context *ctx, void *out)
{
    mtc_free(ctx, (mtc_block *)out);
}
