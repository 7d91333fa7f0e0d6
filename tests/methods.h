/* SPDX-License-Identifier: MIT
 *
 * methods.h - one table of everything the library computes, for the programs
 * that hold all of it to the same promise: hash.c (the same bits everywhere),
 * threads.c (at the same time), fuzz_methods.c (hostile input).
 *
 * A row has three functions.  run() picks its options by throwing dice, field
 * by field: a die that shows 0 (or is missing) means the default, others a
 * legal value, and among hostile dice any value at all.  see() shows every
 * part of a result to a witness that hashes it and says what is wrong with
 * it.  release() gives it back.  A new method is one more row.
 *
 * The hash does not depend on the byte order or the width of size_t.  Arrays
 * the caller has to provide come from the context too, in exact sizes, so
 * that whoever watches over the heap watches over them.
 */
#ifndef METHODS_H
#define METHODS_H

#ifndef MTC_INTERNAL
#define MTC_INTERNAL                    /* no fused multiply-add here either */
#endif
#include "../mtc.h"

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
    int hostile;
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
                                   1e300, -1e300, 1e150, 9e147, 1e-160,
                                   1e12, -9e147, 1e16};
    static const float small[15] = {0, -0.0f, 1, -1, 0.5f, 1e-30f, -1e-42f,
                                    1e30f, -1e30f, 1e18f, 9e12f, 1e-20f,
                                    1e6f, -9e12f, 1e8f};
    mtc_real zero = (mtc_real)bad[0], inf = MTC_HUGE * 2;
    switch (r % 18) {
    case 15: return inf;
    case 16: return -inf;
    case 17: return inf * zero;
    default: return sizeof(mtc_real) == 8 ? (mtc_real)bad[r % 18]
                                          : (mtc_real)small[r % 18];
    }
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

/* NULL, or weights [n] in (0,2] taken from the plain numbers. */
static const mtc_real *pick_weights(scene *s, size_t n)
{
    unsigned r = throw_die(s);
    return r % 2 == 1 && n <= s->plain_n ? s->plain : NULL;
}

/* ---- witnesses: what a result looks like ------------------------------- */

typedef struct witness {
    uint64_t hash;                      /* FNV-1a of 64-bit words */
    const char *wrong;                  /* NULL if all is well */
} witness;

#define WITNESS {UINT64_C(14695981039346656037), NULL}

static void see_word(witness *w, uint64_t x)
{
    for (int b = 0; b < 64; b += 8)
        w->hash = (w->hash ^ ((x >> b) & 255)) * UINT64_C(1099511628211);
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
    for (size_t i = 0; i < n; i++)
        see_size(w, x[i]);
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
    return p;
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
#define RELEASE_ROW(NAME, FREE, TYPE)                                     \
    static void NAME##_release(mtc_context *ctx, void *out)               \
    {                                                                     \
        FREE(ctx, (TYPE *)out);                                           \
    }

/* ---- k-means ----------------------------------------------------------- */

static mtc_kmeans_options kmeans_pick(scene *s, const mtc_data *X)
{
    mtc_kmeans_options o = mtc_kmeans_defaults();
    o.clusters = s->k;
    o.restarts = pick_size(s, 2, 1, 3);
    o.iterations = pick_size(s, 30, 0, 30);
    o.tolerance = pick_real(s, 0, 0, (mtc_real)0.25);
    o.weights = pick_weights(s, X->n);
    if (pick_enum(s, 0, 3) == 1)
        o.start_labels = s->labels[0];
    return o;
}

RUN_ROW(kmeans)
{
    mtc_kmeans_options o = kmeans_pick(s, &s->task[0]);
    if (pick_enum(s, 0, 3) == 1 && s->task[0].row == NULL
        && s->k <= s->task[0].n && s->task[0].stride == s->task[0].d)
        o.start_centers = s->task[0].values;    /* the first k samples */
    return mtc_kmeans(ctx, &s->task[0], &o, (mtc_kmeans_result *)out);
}

SEE_ROW(kmeans)
{
    const mtc_kmeans_result *r = (const mtc_kmeans_result *)out;
    see_labels(w, r->labels, s->task[0].n, r->k);
    see_reals(w, r->centers, r->k * r->d);
    see_reals(w, r->mass, r->k);
    see_falling(w, r->objective, r->iterations + 1);
    see_reals(w, &r->loss, 1);
    see_size(w, r->k_effective);
    see_flag(w, r->converged);
}

RELEASE_ROW(kmeans, mtc_kmeans_free, mtc_kmeans_result)

RUN_ROW(kmeans_bregman)
{
    mtc_divergence div = pick_enum(s, 0, 2) == 0 ? mtc_kl()
                                                 : mtc_itakura_saito();
    mtc_kmeans_options o = kmeans_pick(s, &s->positive);
    o.divergence = &div;
    return mtc_kmeans(ctx, &s->positive, &o, (mtc_kmeans_result *)out);
}

/* A metric of its own making: A = 2 I + 1 1'. */
RUN_ROW(kmeans_mahalanobis)
{
    size_t d = s->task[0].d;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, mtc_mul(2, mtc_mul(d, d)));
    if (st != MTC_OK)
        return st;
    mtc_metric m = {0, NULL, NULL};
    for (size_t i = 0; i < d * d; i++)
        a.reals[i] = i % (d + 1) == 0 ? 3 : 1;
    memcpy(a.reals + d * d, a.reals, d * d * sizeof(mtc_real));
    st = mtc_cholesky(d, a.reals + d * d, d, NULL);
    m.d = d;
    m.A = a.reals;
    m.L = a.reals + d * d;
    mtc_divergence div = mtc_mahalanobis(&m);
    mtc_kmeans_options o = kmeans_pick(s, &s->task[0]);
    o.divergence = &div;
    if (st == MTC_OK)
        st = mtc_kmeans(ctx, &s->task[0], &o, (mtc_kmeans_result *)out);
    /* An arena gives back in any order; the block is simply lost there. */
    arrays_release(ctx, &a);
    return st;
}

RUN_ROW(kmeans_assign)
{
    mtc_kmeans_options o = kmeans_pick(s, &s->task[0]);
    mtc_kmeans_result r;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[1].n, 0, 0);
    if (st != MTC_OK)
        return st;
    st = mtc_kmeans(ctx, &s->task[0], &o, &r);
    if (st == MTC_OK) {
        st = mtc_kmeans_assign(ctx, &s->task[1], &o, &r, a.labels);
        mtc_kmeans_free(ctx, &r);
    }
    return arrays_done(ctx, &a, st, out);
}

/* ---- neighbours, graphs, propagation ----------------------------------- */

RUN_ROW(neighbors)
{
    const mtc_data *Q = pick_enum(s, 0, 2) == 0 ? &s->task[1] : &s->task[0];
    int own = Q == &s->task[0];
    size_t k = pick_size(s, s->k, 1, 5);
    size_t room = mtc_mul(Q->n, k);
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, room, room);
    if (st != MTC_OK)
        return st;
    st = mtc_neighbors(ctx, &s->task[0], Q, k, own, pick_enum(s, 0, 2),
                       a.index, a.reals);
    return arrays_done(ctx, &a, st, out);
}

static mtc_graph_options graph_pick(scene *s, mtc_graph_options o)
{
    o.similarity = (mtc_similarity)pick_enum(s, (int)o.similarity, 2);
    o.neighbors = pick_size(s, o.neighbors, 0, 6);
    o.width = pick_real(s, o.width, 0, 2);
    o.absolute = pick_enum(s, 0, 2);
    return o;
}

RUN_ROW(graph)
{
    mtc_graph_options o = graph_pick(s, mtc_graph_defaults());
    return mtc_graph_build(ctx, s->task, s->tasks, &o, (mtc_graph *)out);
}

SEE_ROW(graph)
{
    const mtc_graph *g = (const mtc_graph *)out;
    (void)s;
    see_view(w, &g->weights);
    see_size(w, g->components);
    see_reals(w, &g->width, 1);
}

RELEASE_ROW(graph, mtc_graph_free, mtc_graph)

RUN_ROW(propagate)
{
    mtc_propagate_options o = mtc_propagate_defaults();
    o.classes = s->k;
    o.consistency = pick_enum(s, 0, 2);
    o.graph = graph_pick(s, o.graph);
    o.mu = pick_real(s, o.mu, 0, 10);
    o.mass_normalisation = pick_enum(s, 0, 2);
    o.iterations = pick_size(s, o.iterations, 0, 100);
    return mtc_propagate(ctx, s->task, s->labels, s->tasks - 1,
                         &s->task[s->tasks - 1], &o,
                         (mtc_propagate_result *)out);
}

SEE_ROW(propagate)
{
    const mtc_propagate_result *r = (const mtc_propagate_result *)out;
    size_t n = s->task[s->tasks - 1].n;
    see_labels(w, r->labels, n, s->k);
    see_reals(w, r->scores, n * s->k);
    see_reals(w, &r->residual, 1);
    see_size(w, r->components);
    see_size(w, r->iterations);
    see_flag(w, r->converged);
}

RELEASE_ROW(propagate, mtc_propagate_free, mtc_propagate_result)

/* ---- classifiers ------------------------------------------------------- */

static mtc_logistic_options logistic_pick(scene *s)
{
    mtc_logistic_options o = mtc_logistic_defaults();
    o.classes = s->k;
    o.ridge = pick_real(s, o.ridge, 0, 1);
    o.weights = pick_weights(s, s->task[0].n);
    o.iterations = pick_size(s, 15, 0, 15);
    o.tolerance = pick_real(s, o.tolerance, 0, 1);
    return o;
}

RUN_ROW(logistic)
{
    mtc_logistic_options o = logistic_pick(s);
    return mtc_logistic(ctx, &s->task[0], s->labels[0], &o,
                        (mtc_logistic_result *)out);
}

SEE_ROW(logistic)
{
    const mtc_logistic_result *r = (const mtc_logistic_result *)out;
    (void)s;
    see_reals(w, r->W, r->classes * r->d);
    see_reals(w, r->bias, r->classes);
    see_falling(w, r->objective, r->iterations + 1);
    see_reals(w, &r->gradient, 1);
    see_flag(w, r->converged);
}

RELEASE_ROW(logistic, mtc_logistic_free, mtc_logistic_result)

RUN_ROW(logistic_assign)
{
    mtc_logistic_options o = logistic_pick(s);
    mtc_logistic_result r;
    arrays a;
    size_t n = s->task[1].n;
    mtc_status st = arrays_take(ctx, &a, n, 0, mtc_mul(n, s->k));
    if (st != MTC_OK)
        return st;
    st = mtc_logistic(ctx, &s->task[0], s->labels[0], &o, &r);
    if (st == MTC_OK) {
        st = mtc_logistic_assign(ctx, &s->task[1], &r, a.labels, a.reals);
        mtc_logistic_free(ctx, &r);
    }
    return arrays_done(ctx, &a, st, out);
}

static mtc_svm_options svm_pick(scene *s)
{
    mtc_svm_options o = mtc_svm_defaults();
    o.classes = s->k;
    o.kernel = (mtc_kernel)pick_enum(s, (int)o.kernel, 2);
    o.gamma = pick_real(s, 0, 0, 2);
    o.cost = pick_real(s, 1, 0, 100);
    o.costs = pick_weights(s, s->task[0].n);
    o.tolerance = pick_real(s, o.tolerance, 0, (mtc_real)0.5);
    o.iterations = pick_size(s, 5000, 1, 5000);
    o.cache = pick_size(s, o.cache, 0, 2000);
    o.shrinking = pick_enum(s, 1, 2);
    return o;
}

RUN_ROW(svm)
{
    mtc_svm_options o = svm_pick(s);
    return mtc_svm(ctx, &s->task[0], s->labels[0], &o, (mtc_svm_result *)out);
}

SEE_ROW(svm)
{
    const mtc_svm_result *r = (const mtc_svm_result *)out;
    (void)s;
    see_reals(w, r->coefficients, r->problems * r->n);
    see_reals(w, r->bias, r->problems);
    see_reals(w, r->objective, r->problems);
    see_reals(w, r->gap, r->problems);
    see_sizes(w, r->support, r->problems);
    see_size(w, r->iterations);
    see_flag(w, r->converged);
}

RELEASE_ROW(svm, mtc_svm_free, mtc_svm_result)

RUN_ROW(svm_assign)
{
    mtc_svm_options o = svm_pick(s);
    mtc_svm_result r;
    arrays a;
    size_t n = s->task[1].n, p = s->k < 2 ? 0 : s->k == 2 ? 1 : s->k;
    mtc_status st = arrays_take(ctx, &a, n, 0, mtc_mul(n, p));
    if (st != MTC_OK)
        return st;
    st = mtc_svm(ctx, &s->task[0], s->labels[0], &o, &r);
    if (st == MTC_OK) {
        st = mtc_svm_assign(ctx, &s->task[1], &s->task[0], &r, a.labels,
                            a.reals);
        mtc_svm_free(ctx, &r);
    }
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(tsvm)
{
    mtc_tsvm_options o = mtc_tsvm_defaults();
    o.classes = s->k;
    o.kernel = (mtc_kernel)pick_enum(s, (int)o.kernel, 2);
    o.gamma = pick_real(s, 0, 0, 2);
    o.cost = pick_real(s, 1, 0, 4);
    o.cost_target = pick_real(s, 0, 0, 4);
    o.tolerance = pick_real(s, (mtc_real)0.125, 0, (mtc_real)0.5);
    o.iterations = pick_size(s, 500, 1, 500);
    return mtc_tsvm(ctx, s->task, s->labels, s->tasks - 1,
                    &s->task[s->tasks - 1], &o, (mtc_tsvm_result *)out);
}

SEE_ROW(tsvm)
{
    const mtc_tsvm_result *r = (const mtc_tsvm_result *)out;
    size_t n = s->task[s->tasks - 1].n;
    see_labels(w, r->labels, n, s->k);
    see_reals(w, r->decisions, n * r->problems);
    see_size(w, r->solved);
    see_size(w, r->exchanged);
    see_flag(w, r->converged);
}

RELEASE_ROW(tsvm, mtc_tsvm_free, mtc_tsvm_result)

/* ---- spectral, factors ------------------------------------------------- */

RUN_ROW(ncut)
{
    mtc_ncut_options o = mtc_ncut_defaults();
    o.clusters = s->k;
    o.graph = graph_pick(s, o.graph);
    o.restarts = pick_size(s, 2, 1, 3);
    if (pick_enum(s, 0, 3) == 1)
        o.start_labels = s->labels[0];
    return mtc_ncut(ctx, &s->task[0], &o, (mtc_ncut_result *)out);
}

SEE_ROW(ncut)
{
    const mtc_ncut_result *r = (const mtc_ncut_result *)out;
    size_t n = s->task[0].n;
    see_labels(w, r->labels, n, s->k);
    see_reals(w, r->embedding, n * s->k);
    see_reals(w, r->eigenvalues, s->k);
    see_reals(w, &r->cut, 1);
    see_falling(w, r->objective, r->iterations + 1);
    see_size(w, r->components);
    see_size(w, r->k_effective);
    see_flag(w, r->converged);
}

RELEASE_ROW(ncut, mtc_ncut_free, mtc_ncut_result)

RUN_ROW(snmf)
{
    mtc_snmf_options o = mtc_snmf_defaults();
    o.clusters = s->k;
    o.iterations = pick_size(s, 30, 0, 60);
    o.tolerance = pick_real(s, o.tolerance, -1, 1);
    if (pick_enum(s, 0, 2) == 1)
        o.start_labels = s->labels[0];
    return mtc_snmf(ctx, &s->square, &o, (mtc_snmf_result *)out);
}

SEE_ROW(snmf)
{
    const mtc_snmf_result *r = (const mtc_snmf_result *)out;
    see_labels(w, r->labels, s->square.n, s->k);
    see_reals(w, r->Y, s->square.n * s->k);
    see_falling(w, r->objective, r->iterations + 1);
    see_size(w, r->k_effective);
    see_flag(w, r->converged);
}

RELEASE_ROW(snmf, mtc_snmf_free, mtc_snmf_result)

static mtc_pca_options pca_pick(scene *s)
{
    mtc_pca_options o = mtc_pca_defaults();
    o.dimension = pick_size(s, 0, 1, 8);
    o.keep = pick_real(s, o.keep, 0, 1);
    o.uncentred = pick_enum(s, 0, 2);
    return o;
}

RUN_ROW(pca)
{
    mtc_pca_options o = pca_pick(s);
    return mtc_pca(ctx, &s->task[0], &o, (mtc_pca_result *)out);
}

/* More columns than rows: by the Gram matrix. */
RUN_ROW(pca_wide)
{
    mtc_pca_options o = pca_pick(s);
    return mtc_pca(ctx, &s->task[1], &o, (mtc_pca_result *)out);
}

static void see_components(witness *w, const mtc_pca_result *r, size_t n)
{
    see_size(w, r->dimension);
    see_reals(w, r->mean, r->d);
    see_reals(w, r->components, r->dimension * r->d);
    see_reals(w, r->variance, r->dimension);
    see_reals(w, &r->total, 1);
    see_reals(w, r->scores, n * r->dimension);
}

SEE_ROW(pca)
{
    see_components(w, (const mtc_pca_result *)out, s->task[0].n);
}

SEE_ROW(pca_wide)
{
    see_components(w, (const mtc_pca_result *)out, s->task[1].n);
}

RELEASE_ROW(pca, mtc_pca_free, mtc_pca_result)

RUN_ROW(pca_assign)
{
    mtc_pca_options o = pca_pick(s);
    mtc_pca_result r;
    arrays a;
    mtc_status st = mtc_pca(ctx, &s->task[0], &o, &r);
    if (st != MTC_OK)
        return st;
    st = arrays_take(ctx, &a, 0, 0, mtc_mul(s->task[1].n, r.dimension));
    if (st == MTC_OK)
        st = arrays_done(ctx, &a, mtc_pca_assign(ctx, &s->task[1], &r,
                                                 a.reals), out);
    mtc_pca_free(ctx, &r);
    return st;
}

/* ---- measures ---------------------------------------------------------- */

RUN_ROW(contingency)
{
    size_t n = s->task[0].n < s->task[1].n ? s->task[0].n : s->task[1].n;
    return mtc_contingency(ctx, n, s->labels[0], s->labels[1],
                           (mtc_contingency_result *)out);
}

SEE_ROW(contingency)
{
    const mtc_contingency_result *r = (const mtc_contingency_result *)out;
    (void)s;
    for (size_t i = 0; i < r->rows; i++)
        see_word(w, (uint64_t)(int64_t)r->row_label[i]);
    for (size_t j = 0; j < r->columns; j++)
        see_word(w, (uint64_t)(int64_t)r->column_label[j]);
    see_sizes(w, r->count, r->rows * r->columns);
    see_sizes(w, r->match, r->rows);
}

RELEASE_ROW(contingency, mtc_contingency_free, mtc_contingency_result)

RUN_ROW(score)
{
    size_t n = s->task[0].n < s->task[1].n ? s->task[0].n : s->task[1].n;
    return mtc_score(ctx, n, s->labels[0], s->labels[1], (mtc_scores *)out);
}

SEE_ROW(score)
{
    const mtc_scores *r = (const mtc_scores *)out;
    (void)s;
    see_within(w, r->accuracy, 0, 1);
    see_within(w, r->nmi, 0, 1);
    see_within(w, r->nmi_arithmetic, 0, 1);
    see_within(w, r->nmi_min, 0, 1);
    see_within(w, r->nmi_max, 0, 1);
    see_within(w, r->ari, -1, 1);
    see_within(w, r->purity, 0, 1);
    see_within(w, r->direct, 0, 1);
}

RUN_ROW(silhouette)
{
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, mtc_add(s->task[0].n, 1));
    if (st != MTC_OK)
        return st;
    st = mtc_silhouette(ctx, &s->task[0], s->labels[0], s->k, a.reals + 1,
                        a.reals);
    return arrays_done(ctx, &a, st, out);
}

SEE_ROW(silhouette)
{
    const arrays *a = (const arrays *)out;
    (void)s;
    for (size_t i = 0; i < a->n_reals; i++)
        see_within(w, a->reals[i], -1, 1);
}

/* Calls that answer with one real. */
#define RUN_REAL(NAME, CALL)                                              \
    RUN_ROW(NAME)                                                         \
    {                                                                     \
        arrays a;                                                         \
        mtc_status st = arrays_take(ctx, &a, 0, 0, 1);                    \
        if (st != MTC_OK)                                                 \
            return st;                                                    \
        return arrays_done(ctx, &a, CALL, out);                           \
    }

RUN_REAL(mmd, mtc_mmd(ctx, &s->task[0], &s->task[1], pick_real(s, 0, 0, 4),
                      a.reals))
RUN_REAL(a_distance, mtc_a_distance(ctx, &s->task[0], &s->task[1], a.reals))
RUN_REAL(complexity, mtc_complexity(ctx, &s->task[0],
                                    pick_real(s, (mtc_real)0.5, 0, 1),
                                    a.reals))
RUN_REAL(partition_emd,
         mtc_partition_emd(ctx, &s->task[0], s->labels[0], s->k, &s->task[1],
                           s->labels[1], s->k, NULL, a.reals))

SEE_ROW(a_distance)
{
    (void)s;
    see_within(w, ((const arrays *)out)->reals[0], 0, 2);
}

/* ---- the methods ------------------------------------------------------- */

static mtc_lssmtc_options lssmtc_pick(scene *s, mtc_lssmtc_options o)
{
    o.clusters = s->k;
    o.mode = (mtc_subspace_mode)pick_enum(s, (int)o.mode, 3);
    o.lambda = pick_real(s, o.lambda, 0, 1);
    o.subspace = pick_size(s, o.subspace, 1, 6);
    o.rank = pick_size(s, o.rank, 1, 12);
    o.offset = pick_real(s, o.offset, 0, 1);
    o.start = (mtc_start)pick_enum(s, (int)o.start, 3);
    o.iterations = pick_size(s, 6, 0, 6);
    o.tolerance = pick_real(s, 0, 0, (mtc_real)0.25);
    o.restarts = pick_size(s, 2, 1, 3);
    if (pick_enum(s, 0, 3) == 1)
        o.start_labels = s->labels;
    return o;
}

RUN_ROW(lssmtc)
{
    mtc_lssmtc_options o = lssmtc_pick(s, mtc_lssmtc_defaults());
    return mtc_lssmtc(ctx, s->task, s->tasks, &o, (mtc_lssmtc_result *)out);
}

/* Sources first, the target last: the order of the scene. */
RUN_ROW(lssttc)
{
    mtc_lssmtc_options o = lssmtc_pick(s, mtc_lssttc_defaults());
    if (o.start_labels != NULL)
        o.start_labels += s->tasks - 1;
    return mtc_lssttc(ctx, s->task, s->labels, s->tasks - 1,
                      &s->task[s->tasks - 1], &o, (mtc_lssmtc_result *)out);
}

SEE_ROW(lssmtc)
{
    const mtc_lssmtc_result *r = (const mtc_lssmtc_result *)out;
    for (size_t t = 0; t < r->tasks; t++) {
        see_labels(w, r->labels[t], s->task[t].n, r->clusters);
        see_reals(w, r->P[t], s->task[t].n * r->clusters);
        see_reals(w, r->own[t], r->clusters * r->d);
    }
    see_reals(w, r->W, r->d * r->width);
    see_reals(w, r->M, r->clusters * r->width);
    see_falling(w, r->objective, r->iterations + 1);
    see_sizes(w, r->k_effective, r->tasks);
    see_sizes(w, r->zero_rows, r->tasks);
    see_reals(w, r->relatedness, r->tasks * r->tasks);
    see_sizes(w, r->match, r->tasks * r->tasks * r->clusters);
    see_flag(w, r->converged);
}

RELEASE_ROW(lssmtc, mtc_lssmtc_free, mtc_lssmtc_result)

RUN_ROW(lssmtc_assign)
{
    mtc_lssmtc_options o = lssmtc_pick(s, mtc_lssmtc_defaults());
    mtc_lssmtc_result r;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[1].n, 0, 0);
    if (st != MTC_OK)
        return st;
    st = mtc_lssmtc(ctx, s->task, s->tasks, &o, &r);
    if (st == MTC_OK) {
        st = mtc_lssmtc_assign(ctx, &s->task[1], pick_size(s, 0, 0, 1), &o,
                               &r, a.labels);
        mtc_lssmtc_free(ctx, &r);
    }
    return arrays_done(ctx, &a, st, out);
}

/* ---- lp.c -------------------------------------------------------------- */

/* m x n problems cut out of the plain numbers: costs first, then supplies
 * and demands, none negative where the scene is legal. */
RUN_ROW(emd)
{
    mtc_emd_options o = mtc_emd_defaults();
    size_t m = s->plain_n / 16 + 1, n = s->plain_n / 24 + 1, total = m * n;
    if (total + m + n > s->plain_n)
        m = n = total = s->plain_n >= 3 ? 1 : 0;
    o.pivots = pick_size(s, o.pivots, 0, 1000);
    o.imbalance = pick_real(s, o.imbalance, 0, (mtc_real)0.875);
    o.partial = pick_enum(s, 1, 2);
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, total + m + n);
    if (st != MTC_OK)
        return st;
    size_t bytes = mtc_emd_work(m, n);
    void *work = take_array(ctx, bytes, 1);
    mtc_emd_info info;
    if (work == NULL)
        return arrays_done(ctx, &a, MTC_NO_MEMORY, out);
    st = mtc_emd(ctx, m, n, s->plain, n, s->plain + total,
                 s->plain + total + m, &o, a.reals, a.reals + total,
                 a.reals + total + m, &info, work);
    give_array(ctx, work, bytes, 1);
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(assignment)
{
    size_t m = pick_size(s, 5, 1, 9), n = pick_size(s, 7, 1, 9);
    if (mtc_mul(m, n) > s->plain_n)
        m = n = s->plain_n > 0;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, m, m + n + 1);
    if (st != MTC_OK)
        return st;
    size_t bytes = mtc_assignment_work(m, n);
    void *work = take_array(ctx, bytes, 1);
    if (work == NULL)
        return arrays_done(ctx, &a, MTC_NO_MEMORY, out);
    st = mtc_assignment(ctx, m, n, s->plain, n, a.index, a.reals,
                        a.reals + m, a.reals + m + n, work);
    give_array(ctx, work, bytes, 1);
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(project_simplex)
{
    size_t n = s->plain_n;
    arrays a;
    mtc_real *work = (mtc_real *)take_array(ctx, n, sizeof *work);
    if (work == NULL)
        return MTC_NO_MEMORY;
    mtc_status st = arrays_take(ctx, &a, 0, 0, n);
    if (st == MTC_OK)
        st = arrays_done(ctx, &a,
                         mtc_project_simplex(n, s->plain,
                                             pick_real(s, 1, 0, 3), a.reals,
                                             work), out);
    give_array(ctx, work, n, sizeof *work);
    return st;
}

/* ---- linalg.c ---------------------------------------------------------- */

static mtc_real logarithm_of_size(mtc_real x)
{
    return mtc_log(MTC_FABS(x) + MTC_TINY);
}

static mtc_real exponential_below(mtc_real x)
{
    return mtc_exp(x > 80 ? 80 : x);            /* finite in float too */
}

RUN_ROW(functions)
{
    size_t n = s->plain_n;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, 3 * n);
    if (st != MTC_OK)
        return st;
    for (size_t i = 0; i < n; i++) {
        mtc_real x = s->plain[i];
        x = MTC_FINITE(x) ? x : 1;
        a.reals[3 * i] = exponential_below(x);
        a.reals[3 * i + 1] = logarithm_of_size(x);
        a.reals[3 * i + 2] = mtc_tanh(x);
    }
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(random)
{
    size_t n = 64;
    arrays a;
    mtc_random r = mtc_random_seed(throw_die(s));
    mtc_status st = arrays_take(ctx, &a, 0, 2 * n, 2 * n);
    if (st != MTC_OK)
        return st;
    for (size_t i = 0; i < n; i++) {
        a.reals[i] = mtc_random_real(&r);
        a.reals[n + i] = mtc_random_normal(&r);
        a.index[i] = mtc_random_below(&r, i * i);
        a.index[n + i] = (size_t)(mtc_random_bits(&r) & 0xffffff);
    }
    return arrays_done(ctx, &a, st, out);
}

/* The verbs, with and without work: X B, X' C, X X', norms. */
RUN_ROW(verbs)
{
    const mtc_data *X = &s->task[0];
    size_t n = X->n, d = X->d, p = 3;
    mtc_status st = mtc_data_check(ctx, X, 0);
    if (st != MTC_OK)
        return st;
    size_t need = mtc_add(mtc_mul(n, n), mtc_mul(p + 1, mtc_add(n, d)));
    arrays a;
    if ((st = arrays_take(ctx, &a, 0, 0, need)) != MTC_OK)
        return st;
    size_t bytes = mtc_data_work(X, X, p);
    void *work = throw_die(s) % 2 == 0 ? take_array(ctx, bytes, 1) : NULL;
    mtc_real *B = a.reals, *C = B + d * p, *norm = C + n * p;
    mtc_real *G = norm + n;
    for (size_t i = 0; i < d * p; i++)
        B[i] = (mtc_real)(i % 7) / 4 - 1;
    mtc_data_times(X, p, B, p, C, p, work);
    mtc_data_gram(X, X, G, n, work);
    mtc_data_norms(X, norm);
    mtc_data_transpose_times(X, p, C, p, B, p, work);
    for (size_t j = 0; j < d; j++)
        G[n * n + j] = 1;
    mtc_data_axpy(X, 0, mtc_data_dot(X, 0, B) > 0 ? 1 : -1, G + n * n);
    give_array(ctx, work, bytes, 1);
    return arrays_done(ctx, &a, st, out);
}

/* Results may overflow where data may: that is arithmetic, not an error. */
SEE_ROW(verbs)
{
    const arrays *a = (const arrays *)out;
    witness mute = WITNESS;
    (void)s;
    see_reals(&mute, a->reals, a->n_reals);
    see_word(w, mute.hash);
}

/* A copy of the square as a plain matrix [n*n], made symmetric. */
static mtc_status square_take(mtc_context *ctx, const scene *s, size_t extra,
                              arrays *a)
{
    size_t n = s->square.n;
    mtc_status st = mtc_data_check(NULL, &s->square, 0);
    if (st != MTC_OK || s->square.d != n)
        return st != MTC_OK ? st : MTC_INVALID;
    st = arrays_take(ctx, a, 0, 0, mtc_add(mtc_mul(n, n), extra));
    if (st != MTC_OK)
        return st;
    memset(a->reals, 0, n * n * sizeof(mtc_real));
    for (size_t i = 0; i < n; i++)
        mtc_data_axpy(&s->square, i, 1, a->reals + i * n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            a->reals[j * n + i] = a->reals[i * n + j];
    return st;
}

/* A A + A, its Cholesky factor made safe by a diagonal, and a solve. */
RUN_ROW(cholesky)
{
    size_t n = s->square.n;
    arrays a;
    mtc_status st = square_take(ctx, s, mtc_add(mtc_mul(n, n), n), &a);
    if (st != MTC_OK)
        return st;
    mtc_real *C = a.reals + n * n, *b = C + n * n;
    size_t bytes = mtc_gemm_work(n, n, n);
    void *work = throw_die(s) % 2 == 0 ? take_array(ctx, bytes, 1) : NULL;
    memcpy(C, a.reals, n * n * sizeof(mtc_real));
    mtc_syrk(0, n, n, 1, a.reals, n, 1, C, n, work);
    mtc_gemm(0, 1, n, n, n, (mtc_real)0.5, a.reals, n, a.reals, n, 1, C, n,
             work);
    for (size_t i = 0; i < n; i++) {
        C[i * n + i] += (mtc_real)n;
        b[i] = (mtc_real)i;
    }
    st = mtc_cholesky(n, C, n, work);
    if (st == MTC_OK)
        mtc_cholesky_solve(n, 1, C, n, b, 1, work);
    give_array(ctx, work, bytes, 1);
    return arrays_spent(ctx, &a, st, out);
}

RUN_ROW(qr)
{
    size_t n = s->square.n, p = n < 5 ? n : 5;
    arrays a;
    mtc_status st = square_take(ctx, s, mtc_mul(p, p), &a);
    if (st != MTC_OK)
        return st;
    size_t bytes = mtc_qr_work(n, p);
    void *work = take_array(ctx, bytes, 1);
    st = work == NULL ? MTC_NO_MEMORY
                      : mtc_qr(n, p, a.reals, n, a.reals + n * n, p, work);
    give_array(ctx, work, bytes, 1);
    return arrays_spent(ctx, &a, st, out);
}

/* Eigenpairs by one of three roads. */
static mtc_status eigen_any(mtc_context *ctx, scene *s, int road, void *out)
{
    size_t n = s->square.n, count = n < 4 ? n : 4, first = (n - count) / 2;
    arrays a;
    mtc_status st = square_take(ctx, s, mtc_add(mtc_mul(n, n), n), &a);
    if (st != MTC_OK)
        return st;
    mtc_real *V = a.reals + n * n, *w = V + n * n;
    size_t bytes = road == 0 ? mtc_jacobi_work(n)
                   : road == 1 ? mtc_symeig_work(n)
                               : mtc_symeig_range_work(n, count);
    void *work = take_array(ctx, bytes, 1);
    if (work == NULL)
        return arrays_spent(ctx, &a, MTC_NO_MEMORY, out);
    memset(V, 0, (n * n + n) * sizeof(mtc_real));
    if (road == 0)
        st = mtc_jacobi(n, a.reals, n, w, V, n, work);
    else if (road == 1)
        st = mtc_symeig(n, a.reals, n, w, V, n, work);
    else
        st = mtc_symeig_range(n, a.reals, n, first, count, w, V, n, work);
    memset(a.reals, 0, n * n * sizeof(mtc_real));
    give_array(ctx, work, bytes, 1);
    return arrays_spent(ctx, &a, st, out);
}

RUN_ROW(jacobi)
{
    return eigen_any(ctx, s, 0, out);
}

RUN_ROW(symeig)
{
    return eigen_any(ctx, s, 1, out);
}

RUN_ROW(symeig_range)
{
    return eigen_any(ctx, s, 2, out);
}

static mtc_status square_times(void *user, size_t n, size_t p,
                               const mtc_real *V, mtc_real *AV)
{
    (void)n;
    mtc_data_times((const mtc_data *)user, p, V, p, AV, p, NULL);
    return MTC_OK;
}

RUN_ROW(eigen_operator)
{
    size_t n = s->square.n, count = pick_size(s, 2, 1, 4);
    arrays a;
    mtc_status st = mtc_data_check(ctx, &s->square, 0);
    if (st != MTC_OK || s->square.d != n)
        return st != MTC_OK ? st : MTC_INVALID;
    st = arrays_take(ctx, &a, 0, 0,
                     mtc_add(mtc_mul(n, count), mtc_add(count, 1)));
    if (st != MTC_OK)
        return st;
    size_t bytes = mtc_eigen_operator_work(n, count);
    void *work = take_array(ctx, bytes, 1);
    if (work == NULL)
        return arrays_done(ctx, &a, MTC_NO_MEMORY, out);
    mtc_real tolerance = pick_real(s, 0, 0, 1);
    size_t applications = pick_size(s, 60, 1, 60);
    st = mtc_eigen_operator(ctx, n, square_times, &s->square, count,
                            tolerance, applications, a.reals,
                            a.reals + count + 1, count, a.reals + count,
                            work);
    give_array(ctx, work, bytes, 1);
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(spectral)
{
    size_t n = s->square.n, k = pick_size(s, 2, 1, 5);
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, mtc_add(mtc_mul(n, k), k));
    if (st != MTC_OK)
        return st;
    size_t bytes = mtc_spectral_work(n, k, s->square.row != NULL);
    void *work = take_array(ctx, bytes, 1);
    if (work == NULL)
        return arrays_done(ctx, &a, MTC_NO_MEMORY, out);
    st = mtc_spectral(ctx, &s->square, k, a.reals + k, a.reals, work);
    give_array(ctx, work, bytes, 1);
    return arrays_done(ctx, &a, st, out);
}

/* ---- the table --------------------------------------------------------- */

typedef union outcome {
    mtc_kmeans_result kmeans;
    mtc_graph graph;
    mtc_propagate_result propagate;
    mtc_logistic_result logistic;
    mtc_svm_result svm;
    mtc_tsvm_result tsvm;
    mtc_ncut_result ncut;
    mtc_snmf_result snmf;
    mtc_pca_result pca;
    mtc_contingency_result contingency;
    mtc_scores score;
    mtc_lssmtc_result lssmtc;
    arrays array;
    unsigned char room[512];            /* of any result to come */
} outcome;

typedef struct method_row {
    const char *name;
    mtc_status (*run)(mtc_context *ctx, scene *s, void *out);
    void (*see)(const scene *s, const void *out, witness *w);
    void (*release)(mtc_context *ctx, void *out);
} method_row;

static void no_release(mtc_context *ctx, void *out)
{
    (void)ctx, (void)out;
}

#define ROW(NAME) {#NAME, NAME##_run, NAME##_see, NAME##_release}
#define ROW_AS(NAME, SEE) {#NAME, NAME##_run, SEE##_see, SEE##_release}
#define ROW_ARRAYS(NAME) {#NAME, NAME##_run, arrays_see, arrays_release}

static const method_row method_rows[] = {
    ROW(kmeans),
    ROW_AS(kmeans_bregman, kmeans),
    ROW_AS(kmeans_mahalanobis, kmeans),
    ROW_ARRAYS(kmeans_assign),
    ROW_ARRAYS(neighbors),
    ROW(graph),
    ROW(propagate),
    ROW(logistic),
    ROW_ARRAYS(logistic_assign),
    ROW(svm),
    ROW_ARRAYS(svm_assign),
    ROW(tsvm),
    ROW(ncut),
    ROW(snmf),
    ROW(pca),
    {"pca_wide", pca_wide_run, pca_wide_see, pca_release},
    ROW_ARRAYS(pca_assign),
    ROW(contingency),
    {"score", score_run, score_see, no_release},
    {"silhouette", silhouette_run, silhouette_see, arrays_release},
    ROW_ARRAYS(mmd),
    {"a_distance", a_distance_run, a_distance_see, arrays_release},
    ROW_ARRAYS(complexity),
    ROW_ARRAYS(partition_emd),
    ROW(lssmtc),
    ROW_AS(lssttc, lssmtc),
    ROW_ARRAYS(lssmtc_assign),
    ROW_ARRAYS(emd),
    ROW_ARRAYS(assignment),
    ROW_ARRAYS(project_simplex),
    ROW_ARRAYS(functions),
    ROW_ARRAYS(random),
    {"verbs", verbs_run, verbs_see, arrays_release},
    ROW_ARRAYS(cholesky),
    ROW_ARRAYS(qr),
    ROW_ARRAYS(jacobi),
    ROW_ARRAYS(symeig),
    ROW_ARRAYS(symeig_range),
    ROW_ARRAYS(eigen_operator),
    ROW_ARRAYS(spectral),
};

enum { METHOD_ROWS = sizeof method_rows / sizeof method_rows[0] };

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

static inline void stage_task(stage *g, size_t t, size_t n, size_t d, int csr,
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
    g->s.task[t] = csr ? stage_csr(n, d, x, g->x_row[t], g->x_column[t],
                                   g->x_value[t])
                       : mtc_dense(n, d, x);
}

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
    g->s.square = csr ? stage_csr(n, n, g->square, g->square_row,
                                  g->square_column, g->square_value)
                      : mtc_dense(n, n, g->square);
}

/* variant 0: options by default; others: by dice of that number. */
static inline void stage_set(stage *g, size_t n, size_t d, int csr,
                             unsigned variant)
{
    uint64_t state = n * 1000 + d * 10 + (csr ? 1 : 0);
    g->s.k = 2 + (size_t)variant % 3;
    g->s.tasks = variant % 2 == 0 ? 2 : 3;
    stage_task(g, 0, n, d, csr, &state);
    stage_task(g, 1, d - 2, d, csr, &state);
    stage_task(g, 2, n - 7, d, csr, &state);
    stage_square(g, n, d, csr);
    for (size_t i = 0; i < n * d; i++)
        g->positive[i] = g->x[0][i] + (mtc_real)0.125;
    for (size_t i = 0; i < SCENE_PLAIN; i++)
        g->plain[i] = stage_real(&state) * 4 + (mtc_real)0.125;
    for (size_t i = 0; i < SCENE_DICE; i++)
        g->dice[i] = variant == 0 ? 0
                     : (unsigned char)(255 * stage_real(&state));
    g->s.positive = mtc_dense(n, d, g->positive);
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

#endif /* METHODS_H */
