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
    if (s->hostile && throw_die(s) % 4 == 1 &&
        mtc_mul(s->k, s->task[0].n) <= s->plain_n)
        o.start = s->plain;
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

/* ---- votes ------------------------------------------------------------- */

/* Enough restarts for a vote over them. */
RUN_ROW(kmeans_vote)
{
    mtc_divergence kl = mtc_kl();
    mtc_kmeans_options o = mtc_kmeans_defaults();
    const mtc_data *X = &s->task[0];
    o.clusters = s->k;
    o.restarts = pick_size(s, 5, 5, 7);
    o.pick = (mtc_pick)pick_enum(s, (int)o.pick, 2);
    o.iterations = pick_size(s, 30, 0, 30);
    if (pick_enum(s, 0, 2) == 1) {
        X = &s->positive;
        o.divergence = &kl;
    }
    return mtc_kmeans(ctx, X, &o, (mtc_kmeans_result *)out);
}

RUN_ROW(ncut_given)
{
    mtc_ncut_options o = mtc_ncut_defaults();
    o.given = 1;
    o.clusters = s->k;
    o.restarts = pick_size(s, 2, 1, 6);
    o.pick = (mtc_pick)pick_enum(s, (int)o.pick, 2);
    if (pick_enum(s, 0, 3) == 1)
        o.start_labels = s->labels[0];
    return mtc_ncut(ctx, &s->square, &o, (mtc_ncut_result *)out);
}

/* Over the samples that all tasks have. */
static size_t fewest(const scene *s)
{
    size_t n = s->task[0].n;
    for (size_t t = 1; t < SCENE_TASKS; t++)
        n = s->task[t].n < n ? s->task[t].n : n;
    return n;
}

RUN_ROW(vote)
{
    mtc_vote_options o = mtc_vote_defaults();
    const int *runs[5] = {s->labels[0], s->labels[1], s->labels[2],
                          s->labels[1], s->labels[0]};
    size_t m = pick_size(s, 3, 1, 5);
    o.clusters = s->k;
    o.weights = pick_weights(s, 5);
    o.restarts = pick_size(s, 2, 1, 3);
    if (pick_enum(s, 0, 3) == 1)
        o.start_labels = s->labels[2];
    return mtc_vote(ctx, fewest(s), runs, m > 5 ? 0 : m, &o,
                    (mtc_vote_result *)out);
}

SEE_ROW(vote)
{
    const mtc_vote_result *r = (const mtc_vote_result *)out;
    size_t n = fewest(s);
    see_labels(w, r->labels, n, r->k);
    see_reals(w, r->embedding, n * r->rank);
    see_reals(w, r->singular_values, r->rank);
    see_reals(w, r->stability, n);
    see_reals(w, r->cluster_stability, r->k);
    see_reals(w, &r->mean_stability, 1);
    see_falling(w, r->objective, r->iterations + 1);
    see_size(w, r->k_effective);
    see_flag(w, r->converged);
}

RELEASE_ROW(vote, mtc_vote_free, mtc_vote_result)

static mtc_ec_options ec_pick(scene *s, size_t d)
{
    mtc_ec_options o = mtc_ec_defaults();
    o.clusters = s->k;
    o.runs = pick_size(s, 3, 1, 4);
    o.columns = pick_size(s, d < 3 ? d : 3, 1, d < 5 ? d : 5);
    o.run_clusters = pick_size(s, 0, 1, 4);
    o.iterations = pick_size(s, 20, 0, 20);
    o.restarts = pick_size(s, 2, 1, 3);
    return o;
}

/* Runs, features and a start that are given: up to four runs of one label
 * each; features 0, 1, .. of every run. */
typedef struct ec_given { const int *runs[4]; size_t features[4 * 5]; } ec_given;

static void ec_give(scene *s, const int *labels, ec_given *g,
                    mtc_ec_options *o)
{
    for (size_t i = 0; i < 4; i++)
        g->runs[i] = labels;
    for (size_t i = 0; i < 20; i++)
        g->features[i] = o->columns == 0 ? 0 : i % o->columns;
    if (pick_enum(s, 0, 4) == 1 && o->runs <= 4)
        o->partitions = g->runs;
    if (pick_enum(s, 0, 4) == 1 && o->runs <= 4 && o->columns <= 5)
        o->features = g->features;
    if (pick_enum(s, 0, 4) == 1)
        o->start_labels = labels;
}

RUN_ROW(ec)
{
    mtc_ec_options o = ec_pick(s, s->task[0].d);
    ec_given g;
    ec_give(s, s->labels[0], &g, &o);
    return mtc_ec(ctx, &s->task[0], &o, (mtc_ec_result *)out);
}

static void see_ensemble(witness *w, const mtc_ensemble *e)
{
    see_labels(w, e->partitions, e->runs * e->n, e->k);
    if (e->features != NULL)
        see_sizes(w, e->features, e->runs * e->columns);
    see_sizes(w, e->sizes, e->runs * e->k);
    see_reals(w, e->centers, e->runs * e->k * e->columns);
    for (size_t i = 0; e->silhouette != NULL && i < e->n; i++)
        see_within(w, e->silhouette[i], -1, 1);
}

SEE_ROW(ec)
{
    const mtc_ec_result *r = (const mtc_ec_result *)out;
    size_t n = r->ensemble.n;
    (void)s;
    see_ensemble(w, &r->ensemble);
    see_labels(w, r->labels, n, r->k);
    see_reals(w, r->embedding, n * r->rank);
    see_reals(w, r->singular_values, r->rank);
    see_reals(w, r->stability, n);
    see_reals(w, r->cluster_stability, r->k);
    see_reals(w, &r->mean_stability, 1);
    see_falling(w, r->objective, r->iterations + 1);
    see_reals(w, r->support, r->ensemble.runs * r->ensemble.k * r->k);
    see_size(w, r->k_effective);
    see_flag(w, r->converged);
}

RELEASE_ROW(ec, mtc_ec_free, mtc_ec_result)

RUN_ROW(ec_assign)
{
    mtc_ec_options o = ec_pick(s, s->task[0].d);
    mtc_ec_result r;
    ec_given g;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[1].n, 0, 0);
    if (st != MTC_OK)
        return st;
    ec_give(s, s->labels[0], &g, &o);
    st = mtc_ec(ctx, &s->task[0], &o, &r);
    if (st == MTC_OK) {
        st = mtc_ec_assign(ctx, &s->task[1], &r, a.labels);
        mtc_ec_free(ctx, &r);
    }
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(trec)
{
    mtc_trec_options o = mtc_trec_defaults();
    ec_given g, h;
    o.meta = (mtc_meta)pick_enum(s, (int)o.meta, 5);
    o.ec = ec_pick(s, s->task[1].d);
    ec_give(s, s->labels[1], &g, &o.ec);
    for (size_t i = 0; i < 4; i++)
        h.runs[i] = s->labels[0];
    if (pick_enum(s, 0, 4) == 1 && o.ec.runs <= 4)
        o.source_partitions = h.runs;
    if (pick_enum(s, 0, 4) == 1 && o.ec.runs <= 4 && o.ec.columns <= 5)
        o.source_features = g.features;
    if (pick_enum(s, 0, 4) == 1)
        o.start_labels = s->labels[1];
    o.source_clusters = pick_size(s, 0, 1, 4);
    o.gamma = pick_real(s, o.gamma, 0, 2);
    o.cost = pick_real(s, o.cost, 0, 20);
    o.tolerance = pick_real(s, (mtc_real)0.125, 0, (mtc_real)0.5);
    o.threshold = pick_real(s, o.threshold, 0, 1);
    o.pairs = pick_size(s, 40, 1, 60);
    o.moves = pick_size(s, 0, 1, 20);
    o.qmin = pick_real(s, 0, 0, 5);
    o.details = pick_enum(s, 0, 2);
    return mtc_trec(ctx, &s->task[0], s->labels[0], &s->task[1], &o,
                    (mtc_trec_result *)out);
}

SEE_ROW(trec)
{
    const mtc_trec_result *r = (const mtc_trec_result *)out;
    size_t n = r->target.ensemble.n;
    see_labels(w, r->labels, n, r->target.k);
    see_labels(w, r->start, n, r->target.k);
    see_ensemble(w, &r->source);
    ec_see(s, &r->target, w);
    if (r->pair_meta != NULL) {
        see_reals(w, r->pair_meta, 2 * r->pairs);
        see_labels(w, r->pair_same, r->pairs, 2);
    }
    see_reals(w, r->same, r->target.ensemble.runs + 1);
    see_reals(w, &r->gap, 1);
    see_size(w, r->support);
    see_size(w, r->moves);
    see_sizes(w, r->moved, r->iterations);
    see_labels(w, r->from, r->iterations, r->target.k);
    see_labels(w, r->to, r->iterations, r->target.k);
    see_falling(w, r->objective, r->iterations + 1);
    if (r->decisions != NULL)
        see_reals(w, r->decisions, n * (n - 1) / 2);
    if (r->Z != NULL)
        see_reals(w, r->Z, n * n);
    see_flag(w, r->converged);
}

RELEASE_ROW(trec, mtc_trec_free, mtc_trec_result)

/* ---- MBC --------------------------------------------------------------- */

/* KL by functions of the caller's own: no closed form is known for it. */
static mtc_real own_value(const void *user, size_t d, const mtc_real *x,
                          const mtc_real *y)
{
    mtc_real sum = 0;
    (void)user;
    for (size_t j = 0; j < d; j++)
        sum += x[j] * (mtc_log(x[j]) - mtc_log(y[j])) - x[j] + y[j];
    return sum > 0 ? sum : 0;
}

static void own_gradient(const void *user, size_t d, const mtc_real *x,
                         mtc_real *g)
{
    (void)user;
    for (size_t j = 0; j < d; j++)
        g[j] = mtc_log(x[j]);
}

static void own_inverse(const void *user, size_t d, const mtc_real *g,
                        mtc_real *x)
{
    (void)user;
    for (size_t j = 0; j < d; j++)
        x[j] = mtc_exp(g[j]);
}

static int own_admits(const void *user, size_t j, mtc_real xj)
{
    (void)user, (void)j;
    return xj > 0 && MTC_FINITE(xj);
}

static mtc_divergence divergence_of(int number)
{
    mtc_divergence own = {own_value, own_gradient, own_inverse, own_admits,
                          NULL};
    return number == 1 ? mtc_kl() : number == 2 ? mtc_itakura_saito()
           : number == 3 ? own : mtc_sqeuclidean();
}

/* Options and what they point to. */
typedef struct mbc_given {
    mtc_mbc_options o;
    mtc_divergence div;
    size_t clusters[SCENE_TASKS];
    const mtc_real *centers[SCENE_TASKS];
} mbc_given;

/* Clusters of each task: NULL, or k and fewer. */
static const size_t *pick_clusters(scene *s, size_t *room)
{
    unsigned r = throw_die(s);
    for (size_t t = 0; t < SCENE_TASKS; t++)
        room[t] = s->k > t && r % 4 == 1 ? s->k - t : s->k;
    return r % 2 == 1 ? room : NULL;
}

static void mbc_pick(scene *s, mbc_given *g)
{
    mtc_mbc_options *o = &g->o;
    int number = pick_enum(s, 0, 4), rows = 1;
    *o = mtc_mbc_defaults();
    g->div = divergence_of(number);
    o->clusters = s->k;
    o->clusters_of = pick_clusters(s, g->clusters);
    o->lambda = pick_real(s, o->lambda, 0, 2);
    o->smooth = pick_real(s, number == 0 ? 0 : (mtc_real)0.125, 0, 1);
    if (number != 0) {
        o->divergence = &g->div;
        o->smooth += s->hostile ? 0 : (mtc_real)0.0625;
    }
    o->centroid = (mtc_mbc_middle)pick_enum(s, (int)o->centroid, 2);
    o->iterations = pick_size(s, 5, 0, 8);
    o->tolerance = pick_real(s, o->tolerance, -1, 1);
    o->restarts = pick_size(s, 1, 1, 2);
    o->spread = pick_enum(s, 0, 2);
    if (pick_enum(s, 0, 3) == 1)
        o->start_labels = s->labels;
    for (size_t t = 0; t < s->tasks; t++) {     /* the first samples */
        g->centers[t] = s->task[t].values;
        rows = rows && s->task[t].row == NULL && s->k <= s->task[t].n;
    }
    if (pick_enum(s, 0, 4) == 1 && rows && (number == 0 || s->hostile))
        o->start_centers = g->centers;
}

RUN_ROW(mbc)
{
    mbc_given g;
    mbc_pick(s, &g);
    return mtc_mbc(ctx, s->task, s->tasks, &g.o, (mtc_mbc_result *)out);
}

SEE_ROW(mbc)
{
    const mtc_mbc_result *r = (const mtc_mbc_result *)out;
    size_t T = r->tasks;
    for (size_t t = 0; t < T; t++) {
        see_labels(w, r->labels[t], s->task[t].n, r->clusters[t]);
        see_reals(w, r->centers[t], r->clusters[t] * r->d);
        for (size_t u = 0; u < T; u++)
            if (u != t) {
                size_t k = r->clusters[t], l = r->clusters[u];
                see_reals(w, r->plans[t * T + u], k * l);
                see_reals(w, r->duals[t * T + u], k + l);
            }
    }
    see_reals(w, &r->gap, 1);
    see_falling(w, r->objective, r->iterations + 1);
    see_reals(w, &r->loss, 1);
    see_reals(w, r->within, T);
    see_sizes(w, r->k_effective, T);
    see_reals(w, r->coherence, T * T);
    for (size_t e = 0; e < T * T; e++) {
        see_within(w, r->relatedness[e], 0, 1);
        see_within(w, r->nmi[e], -1, 1);
    }
    see_flag(w, r->converged);
}

RELEASE_ROW(mbc, mtc_mbc_free, mtc_mbc_result)

/* A metric of its own making: A = 2 I + 1 1'. */
RUN_ROW(mbc_mahalanobis)
{
    size_t d = s->task[0].d;
    mbc_given g;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, mtc_mul(2, mtc_mul(d, d)));
    if (st != MTC_OK)
        return st;
    mtc_metric m = {d, a.reals, a.reals + d * d};
    for (size_t i = 0; i < d * d; i++)
        a.reals[i] = i % (d + 1) == 0 ? 3 : 1;
    memcpy(a.reals + d * d, a.reals, d * d * sizeof(mtc_real));
    st = mtc_cholesky(d, a.reals + d * d, d, NULL);
    mbc_pick(s, &g);
    g.div = mtc_mahalanobis(&m);
    g.o.divergence = &g.div;
    if (st == MTC_OK)
        st = mtc_mbc(ctx, s->task, s->tasks, &g.o, (mtc_mbc_result *)out);
    arrays_release(ctx, &a);
    return st;
}

RUN_ROW(mbc_assign)
{
    mbc_given g;
    mtc_mbc_result r;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[1].n, 0, 0);
    if (st != MTC_OK)
        return st;
    mbc_pick(s, &g);
    st = mtc_mbc(ctx, s->task, s->tasks, &g.o, &r);
    if (st == MTC_OK) {
        st = mtc_mbc_assign(ctx, &s->task[1], pick_size(s, 0, 0, 1), &g.o, &r,
                            a.labels);
        mtc_mbc_free(ctx, &r);
    }
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(mbc_centroid)
{
    size_t d = s->task[0].d < s->plain_n / 2 ? s->task[0].d : s->plain_n / 2;
    mtc_divergence div = divergence_of(pick_enum(s, 1, 4));
    mtc_mbc_middle how = (mtc_mbc_middle)pick_enum(s, 0, 2);
    mtc_real A = pick_real(s, 1, 0, 2), B = pick_real(s, (mtc_real)0.5, 0, 2);
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, d);
    if (st != MTC_OK)
        return st;
    st = mtc_mbc_centroid(ctx, &div, how, d, A, B, s->plain, s->plain + d,
                          a.reals);
    return arrays_done(ctx, &a, st, out);
}

/* ---- MTCFIR and what it is made of ------------------------------------- */

static mtc_msda_options msda_pick(scene *s)
{
    mtc_msda_options o = mtc_msda_defaults();
    o.layers = pick_size(s, 2, 0, 3);
    o.noise = pick_real(s, o.noise, 0, 1);
    o.ridge = pick_real(s, o.ridge, 0, 1);
    o.form = (mtc_msda_form)pick_enum(s, (int)o.form, 3);
    return o;
}

RUN_ROW(msda)
{
    mtc_msda_options o = msda_pick(s);
    return mtc_msda(ctx, s->task, s->tasks, &o, (mtc_msda_result *)out);
}

SEE_ROW(msda)
{
    const mtc_msda_result *r = (const mtc_msda_result *)out;
    size_t map = r->dual ? r->n * r->n : (r->d + 1) * r->d;
    (void)s;
    see_reals(w, r->h, r->layers * r->n * r->d);
    see_reals(w, r->map, r->layers * map);
    if (r->dual) {
        see_reals(w, r->weight, r->layers * r->d);
        see_reals(w, r->u, r->layers * r->n);
    }
    see_reals(w, &r->keep, 1);
    see_flag(w, r->dual);
}

RELEASE_ROW(msda, mtc_msda_free, mtc_msda_result)

RUN_ROW(msda_assign)
{
    mtc_msda_options o = msda_pick(s);
    mtc_msda_result r;
    arrays a;
    const mtc_data *X = &s->task[SCENE_TASKS - 1];
    mtc_status st = mtc_msda(ctx, s->task, s->tasks, &o, &r);
    if (st != MTC_OK)
        return st;
    st = arrays_take(ctx, &a, 0, 0, mtc_mul(r.layers, mtc_mul(X->n, X->d)));
    if (st == MTC_OK)
        st = arrays_done(ctx, &a, mtc_msda_assign(ctx, X, s->task, s->tasks,
                                                  &r, a.reals), out);
    mtc_msda_free(ctx, &r);
    return st;
}

/* Neighbours of each task: NULL, or any. */
static const size_t *pick_neighbors(scene *s, size_t *room)
{
    unsigned r = throw_die(s);
    for (size_t t = 0; t < SCENE_TASKS; t++)
        room[t] = pick_size(s, t + 1, 1, 6);
    return r % 4 == 1 ? room : NULL;
}

RUN_ROW(consistent)
{
    size_t clusters[SCENE_TASKS], neighbors[SCENE_TASKS];
    mtc_consistent_options o = mtc_consistent_defaults();
    o.clusters = s->k;
    o.clusters_of = pick_clusters(s, clusters);
    o.share = pick_real(s, o.share, 0, 1);
    o.neighbors_of = pick_neighbors(s, neighbors);
    o.uniform = pick_enum(s, 0, 2);
    o.direct = pick_enum(s, 0, 3) == 1;
    o.keep = pick_enum(s, 0, 3) == 1 && (!o.direct || s->hostile);
    return mtc_consistent(ctx, s->task, s->tasks, &o,
                          (mtc_consistent_result *)out);
}

SEE_ROW(consistent)
{
    const mtc_consistent_result *r = (const mtc_consistent_result *)out;
    size_t T = r->tasks;
    for (size_t t = 0; t < T; t++) {
        size_t n = s->task[t].n;
        see_view(w, &r->M[t]);
        if (r->V != NULL) {
            see_reals(w, r->A[t], n * n);
            see_reals(w, r->raw[t], n * n);
        }
    }
    if (r->V != NULL)
        see_reals(w, r->V, r->n * r->n);
    see_sizes(w, r->neighbors, T);
    see_reals(w, r->threshold, T);
    see_reals(w, r->alpha, T * T);
    see_reals(w, r->relatedness, T * T);
}

RELEASE_ROW(consistent, mtc_consistent_free, mtc_consistent_result)

typedef struct mtcfir_given {
    mtc_mtcfir_options o;
    size_t clusters[SCENE_TASKS], neighbors[SCENE_TASKS];
} mtcfir_given;

static void mtcfir_pick(scene *s, mtcfir_given *g)
{
    mtc_mtcfir_options *o = &g->o;
    *o = mtc_mtcfir_defaults();
    o->variant = (mtc_mtcfir_variant)pick_enum(s, (int)o->variant, 4);
    o->clusters = s->k;
    o->clusters_of = pick_clusters(s, g->clusters);
    o->layers = pick_size(s, 2, 0, 2);
    o->noise = pick_real(s, o->noise, 0, 1);
    o->ridge = pick_real(s, o->ridge, 0, 1);
    o->neighbors = pick_real(s, o->neighbors, 0, 1);
    o->neighbors_of = pick_neighbors(s, g->neighbors);
    o->normalize = pick_enum(s, 0, 2);
    o->iterations = pick_size(s, 10, 0, 20);
    o->tolerance = pick_real(s, o->tolerance, -1, 1);
    o->restarts = pick_size(s, 2, 1, 3);
    if (pick_enum(s, 0, 3) == 1)
        o->start_labels = s->labels;
}

RUN_ROW(mtcfir)
{
    mtcfir_given g;
    mtcfir_pick(s, &g);
    return mtc_mtcfir(ctx, s->task, s->tasks, &g.o, (mtc_mtcfir_result *)out);
}

SEE_ROW(mtcfir)
{
    const mtc_mtcfir_result *r = (const mtc_mtcfir_result *)out;
    size_t T = r->tasks;
    for (size_t t = 0; t < T; t++) {
        size_t n = s->task[t].n, k = r->clusters[t];
        see_labels(w, r->labels[t], n, k);
        see_reals(w, r->Y[t], n * k);
        see_falling(w, r->objective[t], r->iterations[t] + 1);
        see_flag(w, r->converged[t]);
        see_view(w, &r->M[t]);
        for (size_t u = 0; u < T; u++) {
            see_reals(w, r->cosine[t * T + u], k * r->clusters[u]);
            see_reals(w, r->plan[t * T + u], k * r->clusters[u]);
        }
    }
    see_sizes(w, r->k_effective, T);
    see_sizes(w, r->neighbors, T);
    see_reals(w, r->threshold, T);
    see_reals(w, r->alpha, T * T);
    see_reals(w, r->relatedness, T * T);
    msda_see(s, r->features, w);
}

RELEASE_ROW(mtcfir, mtc_mtcfir_free, mtc_mtcfir_result)

RUN_ROW(mtcfir_assign)
{
    mtcfir_given g;
    mtc_mtcfir_result r;
    arrays a;
    const mtc_data *X = &s->task[SCENE_TASKS - 1];
    mtc_status st = arrays_take(ctx, &a, X->n, 0, 0);
    if (st != MTC_OK)
        return st;
    mtcfir_pick(s, &g);
    st = mtc_mtcfir(ctx, s->task, s->tasks, &g.o, &r);
    if (st == MTC_OK) {
        st = mtc_mtcfir_assign(ctx, X, s->task, s->tasks,
                               pick_size(s, 0, 0, 1), &r, a.labels);
        mtc_mtcfir_free(ctx, &r);
    }
    return arrays_done(ctx, &a, st, out);
}

/* ---- TTL and the choice of a bridge ------------------------------------ */

/* Options, and starts cut out of the plain numbers where these suffice. */
typedef struct ttl_given {
    mtc_ttl_options o;
    const mtc_real *bridge[2];
    mtc_ttl_factors factors[2];
} ttl_given;

static void ttl_pick(scene *s, ttl_given *g, const mtc_data *target,
                     size_t widest, size_t bridge_n)
{
    mtc_ttl_options *o = &g->o;
    mtc_real *plain;
    memcpy(&plain, &s->plain, sizeof plain);    /* read all the same */
    *o = mtc_ttl_defaults();
    o->classes = s->k;
    o->common = pick_size(s, 3, 1, 4);
    o->features = pick_size(s, 5, 4, 6);
    o->variant = (mtc_ttl_variant)pick_enum(s, (int)o->variant, 2);
    o->tie = pick_real(s, o->tie, 0, 2);
    o->chain = pick_size(s, 2, 0, 4);
    o->start = (mtc_ttl_start)pick_enum(s, (int)o->start, 2);
    o->rows = (mtc_ttl_rows)pick_enum(s, (int)o->rows, 3);
    o->sweeps = pick_size(s, 6, 0, 8);
    o->warm = pick_size(s, 0, 0, 3);
    o->tolerance = pick_real(s, 0, 0, (mtc_real)0.125);
    o->root = pick_enum(s, 0, 2);
    o->as_printed = pick_enum(s, 0, 4) == 1;
    o->trace = pick_enum(s, 0, 2);
    if (pick_enum(s, 0, 4) == 1)
        o->start_labels = s->labels[1];
    if (pick_enum(s, 0, 4) == 1 && mtc_mul(target->n, s->k) <= s->plain_n)
        o->start_target = s->plain;
    g->bridge[0] = g->bridge[1] = s->plain;
    if (pick_enum(s, 0, 4) == 1 && mtc_mul(bridge_n, s->k) <= s->plain_n)
        o->start_bridge = g->bridge;
    for (size_t b = 0; b < 2; b++)
        for (size_t l = 0; l < 2; l++) {
            g->factors[b].F1[l] = g->factors[b].A1[l] = plain;
            g->factors[b].F2[l][0] = g->factors[b].F2[l][1] = plain;
            g->factors[b].A2[l][0] = g->factors[b].A2[l][1] = plain;
        }
    if (pick_enum(s, 0, 4) == 1 && mtc_mul(widest, o->features) <= s->plain_n
        && mtc_mul(o->features, s->k) <= s->plain_n)
        o->start_factors = g->factors;
    o->evidence = pick_real(s, o->evidence, 0, 4);
}

/* Task 0 by way of task 1, or of `positive` too, to task 2. */
RUN_ROW(ttl)
{
    mtc_data bridges[2] = {s->task[1], s->positive};
    size_t n = s->task[1].n < s->positive.n ? s->positive.n : s->task[1].n;
    size_t many = pick_size(s, 1, 1, 2);
    ttl_given g;
    ttl_pick(s, &g, &s->task[2], s->task[0].d, n);
    if (g.o.start_labels != NULL)
        g.o.start_labels = s->labels[2];
    return mtc_ttl(ctx, s->task, s->labels, 1, bridges, NULL,
                   many > 2 ? 0 : many, &s->task[2], &g.o,
                   (mtc_ttl_result *)out);
}

/* Task 0 by way of `positive`, seen a second time as `square`, to a target
 * of as many features as that has. */
RUN_ROW(ttl_views)
{
    ttl_given g;
    size_t d = s->square.d > s->task[0].d ? s->square.d : s->task[0].d;
    ttl_pick(s, &g, &s->square, d, s->positive.n);
    if (g.o.start_labels != NULL)
        g.o.start_labels = s->labels[0];
    return mtc_ttl(ctx, s->task, s->labels, 1, &s->positive, &s->square, 1,
                   &s->square, &g.o, (mtc_ttl_result *)out);
}

static void see_ttl(witness *w, const mtc_ttl_result *r, const scene *s,
                    size_t first_bridge)
{
    size_t c = r->classes;
    see_labels(w, r->labels, r->n, c);
    see_reals(w, r->target, r->n * c);
    for (size_t b = 0; b < r->bridges; b++) {
        size_t n = b == 0 ? first_bridge : s->positive.n;
        const mtc_ttl_factors *f = &r->factors[b];
        see_labels(w, r->bridge_labels[b], n, c);
        see_reals(w, r->bridge[b], n * c);
        for (size_t l = 0; l < 2; l++) {
            size_t m = l == 0 ? s->task[0].d : r->d;
            see_reals(w, f->F1[l], m * r->common);
            see_reals(w, f->A1[l], r->common * c);
            for (size_t i = 0; i < 2; i++) {
                see_reals(w, f->F2[l][i], m * r->own);
                see_reals(w, f->A2[l][i], r->own * c);
            }
        }
    }
    see_sizes(w, r->shared, 2 * r->bridges);
    see_reals(w, r->objective, r->sweeps + 1);
    if (r->trace != NULL)
        see_reals(w, r->trace, r->sweeps * r->steps);
    see_reals(w, r->center, r->d * c);
    see_reals(w, r->gram, c * c);
    see_size(w, r->k_effective);
    see_flag(w, r->converged);
    see_reals(w, &r->evidence, 1);
    see_flag(w, r->untaught);
}

SEE_ROW(ttl)
{
    see_ttl(w, (const mtc_ttl_result *)out, s, s->task[1].n);
}

SEE_ROW(ttl_views)
{
    see_ttl(w, (const mtc_ttl_result *)out, s, s->positive.n);
}

RELEASE_ROW(ttl, mtc_ttl_free, mtc_ttl_result)

RUN_ROW(ttl_assign)
{
    ttl_given g;
    mtc_ttl_result r;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[0].n, 0, 0);
    if (st != MTC_OK)
        return st;
    ttl_pick(s, &g, &s->task[2], s->task[0].d, s->task[1].n);
    g.o.start_labels = NULL;
    st = mtc_ttl(ctx, s->task, s->labels, 1, &s->task[1], NULL, 1,
                 &s->task[2], &g.o, &r);
    if (st == MTC_OK) {
        st = mtc_ttl_assign(ctx, &s->task[0], &r, a.labels);
        mtc_ttl_free(ctx, &r);
    }
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(bridge_features)
{
    arrays a;
    mtc_status st = arrays_take(ctx, &a, 0, 0, MTC_BRIDGE_FEATURES);
    if (st != MTC_OK)
        return st;
    st = mtc_bridge_features(ctx, &s->task[0], &s->positive, &s->task[1],
                             a.reals);
    return arrays_done(ctx, &a, st, out);
}

/* A model, and what it and none say of the first triple. */
RUN_ROW(bridge_fit)
{
    enum { MOST = 12 };
    mtc_bridge_model m;
    int helped[MOST];
    arrays a;
    size_t n = s->plain_n / MTC_BRIDGE_FEATURES;
    n = n < s->task[0].n ? n : s->task[0].n;
    n = n < MOST ? n : MOST;
    for (size_t i = 0; i < n; i++)
        helped[i] = s->hostile ? s->labels[0][i] : s->labels[0][i] % 2;
    mtc_real ridge = pick_real(s, (mtc_real)1e-3, 0, 1);
    mtc_bridge_form form = (mtc_bridge_form)pick_enum(s, 0, 2);
    mtc_status st = arrays_take(ctx, &a, 0, 0, MTC_BRIDGE_FEATURES + 4);
    if (st != MTC_OK)
        return st;
    st = mtc_bridge_fit(ctx, n, s->plain, helped, form, ridge, &m);
    if (st == MTC_OK) {
        memcpy(a.reals, m.weight, sizeof m.weight);
        a.reals[MTC_BRIDGE_FEATURES] = m.bias;
        a.reals[MTC_BRIDGE_FEATURES + 1] = mtc_bridge_score(&m, s->plain);
        a.reals[MTC_BRIDGE_FEATURES + 2] = mtc_bridge_score(NULL, s->plain);
        a.reals[MTC_BRIDGE_FEATURES + 3] = m.link;
    }
    return arrays_done(ctx, &a, st, out);
}

RUN_ROW(bridge_try)
{
    mtc_real gamma = pick_real(s, 1, 0, 4);
    return mtc_bridge_try(ctx, &s->task[0], s->labels[0], &s->positive,
                          &s->task[1], s->labels[1], s->k, gamma,
                          (mtc_bridge_gain *)out);
}

SEE_ROW(bridge_try)
{
    const mtc_bridge_gain *r = (const mtc_bridge_gain *)out;
    (void)s;
    see_within(w, r->direct, 0, 1);
    see_within(w, r->bridged, 0, 1);
    see_flag(w, r->helps);
}

/* ---- guard and auto ---------------------------------------------------- */

typedef struct guard_given {
    mtc_guard_options o;
    size_t clusters[SCENE_TASKS];
    mtc_mbc_options mbc;
    mtc_lssmtc_options lssmtc;
    mtc_mtcfir_options mtcfir;
} guard_given;

static void guard_pick(scene *s, guard_given *g)
{
    mtc_guard_options *o = &g->o;
    *o = mtc_guard_defaults();
    o->method = (mtc_guarded)pick_enum(s, (int)o->method, 3);
    o->clusters = s->k;
    o->clusters_of = pick_clusters(s, g->clusters);
    if (o->method == MTC_GUARD_LSSMTC && !s->hostile)
        o->clusters_of = NULL;                  /* has to be equal */
    o->gate = (mtc_gate)pick_enum(s, (int)o->gate, 2);
    o->runs = pick_size(s, 2, 2, 3);
    if (o->runs == 1000)                /* legal: half a million comparisons */
        o->runs = 100;
    o->folds = pick_size(s, 2, 2, 3);
    o->margin = pick_real(s, -1, 0, 1);
    g->mbc = mtc_mbc_defaults();
    g->mbc.lambda = pick_real(s, (mtc_real)0.5, 0, 2);
    g->mbc.iterations = pick_size(s, 4, 0, 4);
    g->lssmtc = mtc_lssmtc_defaults();
    g->lssmtc.lambda = pick_real(s, (mtc_real)0.5, 0, 1);
    g->lssmtc.mode = (mtc_subspace_mode)pick_enum(s, 0, 2);
    g->lssmtc.iterations = pick_size(s, 3, 0, 4);
    g->lssmtc.restarts = 1;
    g->mtcfir = mtc_mtcfir_defaults();
    g->mtcfir.layers = pick_size(s, 1, 0, 2);
    g->mtcfir.iterations = pick_size(s, 4, 0, 8);
    g->mtcfir.restarts = 1;
    if (pick_enum(s, 0, 3) != 1) {
        o->mbc = &g->mbc;
        o->lssmtc = &g->lssmtc;
        o->mtcfir = &g->mtcfir;
    }
}

RUN_ROW(guard)
{
    guard_given g;
    guard_pick(s, &g);
    return mtc_guard(ctx, s->task, s->tasks, &g.o, (mtc_guard_result *)out);
}

SEE_ROW(guard)
{
    const mtc_guard_result *r = (const mtc_guard_result *)out;
    size_t T = r->tasks;
    for (size_t t = 0; t < T; t++) {
        see_labels(w, r->labels[t], s->task[t].n, r->clusters[t]);
        see_labels(w, r->single[t], s->task[t].n, r->clusters[t]);
        see_labels(w, r->shared[t], s->task[t].n, r->clusters[t]);
        see_flag(w, r->kept[t]);
        see_within(w, r->stability_single[t], -1, 1);
        see_within(w, r->stability_shared[t], -1, 1);
        see_within(w, r->agreement[t], -1, 1);
        see_reals(w, r->centers[t], r->clusters[t] * r->d);
    }
    see_reals(w, r->loss_single, T);
    see_reals(w, r->loss_shared, T);
    see_sizes(w, r->k_effective, T);
}

RELEASE_ROW(guard, mtc_guard_free, mtc_guard_result)

RUN_ROW(guard_assign)
{
    guard_given g;
    mtc_guard_result r;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[1].n, 0, 0);
    if (st != MTC_OK)
        return st;
    guard_pick(s, &g);
    g.o.gate = MTC_GATE_SEEDS;                  /* the folds have a row */
    st = mtc_guard(ctx, s->task, s->tasks, &g.o, &r);
    if (st == MTC_OK) {
        st = mtc_guard_assign(ctx, &s->task[1], pick_size(s, 0, 0, 1), &r,
                              a.labels);
        mtc_guard_free(ctx, &r);
    }
    return arrays_done(ctx, &a, st, out);
}

static mtc_auto_options auto_pick(scene *s, size_t *clusters)
{
    mtc_auto_options o = mtc_auto_defaults();
    o.clusters = s->k;
    o.clusters_of = pick_clusters(s, clusters);
    o.rich = pick_enum(s, 0, 2);
    o.runs = pick_size(s, 2, 1, 3);
    o.sample = pick_size(s, o.sample, 5, 12);
    o.limit = pick_size(s, o.limit, 12, 20);
    if (!s->hostile && o.sample > o.limit)
        o.sample = o.limit;
    return o;
}

RUN_ROW(auto)
{
    size_t clusters[SCENE_TASKS];
    mtc_auto_options o = auto_pick(s, clusters);
    return mtc_auto(ctx, s->task, s->tasks, &o, (mtc_auto_result *)out);
}

SEE_ROW(auto)
{
    const mtc_auto_result *r = (const mtc_auto_result *)out;
    size_t T = r->tasks;
    for (size_t t = 0; t < T; t++) {
        see_labels(w, r->labels[t], s->task[t].n, r->clusters[t]);
        see_reals(w, r->centers[t], r->clusters[t] * r->d);
        see_within(w, r->agreement[t], -1, 1);
        see_within(w, r->sharing[t], -1, 1);
    }
    for (size_t f = 0; f < r->families; f++) {
        for (const char *c = r->name[f]; *c != '\0'; c++)
            see_word(w, (uint64_t)(unsigned char)*c);
        see_flag(w, r->shares[f]);
    }
    see_reals(w, r->by_family, T * r->families);
    see_sizes(w, r->k_effective, T);
    see_sizes(w, r->voting, T);
}

RELEASE_ROW(auto, mtc_auto_free, mtc_auto_result)

RUN_ROW(auto_assign)
{
    size_t clusters[SCENE_TASKS];
    mtc_auto_options o = auto_pick(s, clusters);
    mtc_auto_result r;
    arrays a;
    mtc_status st = arrays_take(ctx, &a, s->task[1].n, 0, 0);
    if (st != MTC_OK)
        return st;
    st = mtc_auto(ctx, s->task, s->tasks, &o, &r);
    if (st == MTC_OK) {
        st = mtc_auto_assign(ctx, &s->task[1], pick_size(s, 0, 0, 1), &r,
                             a.labels);
        mtc_auto_free(ctx, &r);
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
                         bare(ctx, mtc_project_simplex(
                                       n, s->plain, pick_real(s, 1, 0, 3),
                                       a.reals, work)), out);
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
        return bare(ctx, st != MTC_OK ? st : MTC_INVALID);
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
    st = bare(ctx, mtc_cholesky(n, C, n, work));
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
                      : bare(ctx, mtc_qr(n, p, a.reals, n, a.reals + n * n, p,
                                         work));
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
        st = bare(ctx, mtc_jacobi(n, a.reals, n, w, V, n, work));
    else if (road == 1)
        st = mtc_symeig(ctx, n, a.reals, n, w, V, n, work);
    else
        st = mtc_symeig_range(ctx, n, a.reals, n, first, count, w, V, n, work);
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
    mtc_vote_result vote;
    mtc_ec_result ec;
    mtc_trec_result trec;
    mtc_mbc_result mbc;
    mtc_msda_result msda;
    mtc_consistent_result consistent;
    mtc_mtcfir_result mtcfir;
    mtc_ttl_result ttl;
    mtc_bridge_gain bridge;
    mtc_guard_result guard;
    mtc_auto_result automatic;
    arrays array;
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
    ROW_AS(kmeans_vote, kmeans),
    ROW_AS(ncut_given, ncut),
    ROW(vote),
    ROW(ec),
    ROW_ARRAYS(ec_assign),
    ROW(trec),
    ROW(mbc),
    ROW_AS(mbc_mahalanobis, mbc),
    ROW_ARRAYS(mbc_assign),
    ROW_ARRAYS(mbc_centroid),
    ROW(msda),
    ROW_ARRAYS(msda_assign),
    ROW(consistent),
    ROW(mtcfir),
    ROW_ARRAYS(mtcfir_assign),
    ROW(ttl),
    {"ttl_views", ttl_views_run, ttl_views_see, ttl_release},
    ROW_ARRAYS(ttl_assign),
    ROW_ARRAYS(bridge_features),
    ROW_ARRAYS(bridge_fit),
    {"bridge_try", bridge_try_run, bridge_try_see, no_release},
    ROW(guard),
    ROW_ARRAYS(guard_assign),
    ROW(auto),
    ROW_ARRAYS(auto_assign),
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
