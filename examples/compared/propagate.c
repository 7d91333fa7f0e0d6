/* SPDX-License-Identifier: MIT
 *
 * propagate.c - labels that spread over a similarity graph.
 *
 * W is a graph over the samples of sources and target, d its degrees, Y the
 * one-hot rows of the labeled samples, u the others.
 *   harmonic      (D_uu - W_uu) f = W_ul Y                           [ZGL03]
 *   consistency   (I - a S) F = Y,  S = D^-1/2 W D^-1/2,
 *                 a = 1/(1+mu)                                       [ZBL04]
 * With v = f, or F = d^1/2 v, both are one system for each class,
 *   a sum_j w_ij (v_i - v_j) + m d_i v_i = b_i
 * harmonic     a = 1,        m = 0,           b_i = (W_ul Y)_i, v_l = 0
 * consistency  a = 1/(1+mu), m = mu/(1+mu),   b_i = d_i^1/2 Y_i
 * The differences keep the digits that D - W loses where v is all but constant.
 *
 *   A1  the graph, its connected components, degrees
 *   A2  who is solved for: whoever has neighbors; harmonic, whoever has no
 *       label, but one in its component.  There the system is definite.
 *   A3  for each class: b; v by conjugate gradients preconditioned by D, from
 *       the constant that makes the residual sum to 0 on each component
 *   A4  the scores of the target, class mass normalization, labels
 *
 *   v  x [N]    b  b [N]    b - A v  g [N]    d  degree [N]
 *
 * The residual is measured over all samples: small scores may be lost in it.
 * Consistency therefore looks at every sample: where |g_i| <= q m d_i v_i, v is
 * the answer for a mu that is off by at most q; if not, the gradients go on to
 * a smaller residual.
 * Cost: the graph, then O(entries of W) a step.  Memory O(entries + N).
 */
#define CMP_INTERNAL
#include "compared.h"

#define PROP_ROUNDS 12                  /* of ever smaller residuals */
#define PROP_ENOUGH (sizeof(mtc_real) == 8 ? (mtc_real)1e-10 : (mtc_real)1e-5)
#define PROP_OFF (10 * cmp_sqrt(PROP_ENOUGH))       /* q; g itself is rounded */

typedef struct prop_system {
    const cmp_propagate_options *o;
    mtc_graph graph;
    size_t N, n;                        /* all samples; the target's, last */
    mtc_real a, m;                      /* as above */
    int *known;                         /* [N] class, or -1 */
    size_t *piece, *todo;               /* [N] component; nodes to visit */
    unsigned char *active;              /* [N] solved for? */
    mtc_real *degree;                   /* [N] */
    mtc_real *x, *b, *g, *dir, *image;  /* [N] dir: direction; image: A dir */
    mtc_real *links;                    /* [N] for each component, sum of what
                                           draws v towards 0 */
    mtc_real *share;                    /* [classes] of the labeled samples */
} prop_system;

cmp_propagate_options cmp_propagate_defaults(void)
{
    cmp_propagate_options o = {.classes = 2, .kind = CMP_HARMONIC, .mu = 1,
                               .tolerance = PROP_ENOUGH, .iterations = 1000};
    o.graph = mtc_graph_defaults();
    o.graph.similarity = MTC_SIMILARITY_GAUSSIAN;
    o.graph.neighbors = 50;
    o.graph.width = (mtc_real)0.125;                /* of the mean |x - y|^2 */
    return o;
}

static const char *propagate_wrong(const cmp_propagate_options *o)
{
    return o->kind != CMP_HARMONIC && o->kind != CMP_CONSISTENCY
               ? "kind: need harmonic or consistency"
           : !(o->mu > 0) || !CMP_FINITE(o->mu) ? "mu: need above 0"
           : !cmp_is_real(o->tolerance, 0, 1)   ? "tolerance: need 0..1"
                                                : NULL;
}

static void propagate_shape(cmp_carver *c, void *result)
{
    cmp_propagate_result *r = (cmp_propagate_result *)result;
    r->labels = CMP_CARVE(c, r->n, int);
    r->scores = CMP_CARVE(c, cmp_mul(r->n, r->classes), mtc_real);
}

/* ---- A1, A2: the system ------------------------------------------------ */

/* piece [N]: the lowest sample of each one's component.  Returns how many
 * components there are. */
static size_t prop_pieces(prop_system *s)
{
    const mtc_data *W = &s->graph.weights;
    size_t pieces = 0;
    for (size_t i = 0; i < s->N; i++)
        s->piece[i] = MTC_NONE;
    for (size_t from = 0; from < s->N; from++) {
        size_t left = s->piece[from] == MTC_NONE;   /* samples to visit */
        s->piece[from] = left ? from : s->piece[from];
        pieces += left;
        for (s->todo[0] = from; left > 0;) {
            size_t i = s->todo[--left], begin = cmp_begin(W, i);
            for (size_t e = begin; e < cmp_end(W, i); e++) {
                size_t j = cmp_column(W, begin, e);
                if (W->values[e] > 0 && s->piece[j] == MTC_NONE) {
                    s->piece[j] = from;             /* so each comes once */
                    s->todo[left++] = j;
                }
            }
        }
    }
    return pieces;
}

/* sum_j w_ij over j with a label of class c, of any class if c is -1. */
static mtc_real prop_from_labels(const prop_system *s, size_t i, int c)
{
    const mtc_data *W = &s->graph.weights;
    size_t begin = cmp_begin(W, i);
    mtc_real sum = 0;
    for (size_t e = begin; e < cmp_end(W, i); e++) {
        int known = s->known[cmp_column(W, begin, e)];
        sum += known >= 0 && (c < 0 || known == c) ? W->values[e] : 0;
    }
    return sum;
}

/* Degrees, class shares, who is active, and the links of each component: the
 * weights to labels if harmonic, m d if not. */
static void prop_prepare(prop_system *s)
{
    const mtc_data *W = &s->graph.weights;
    int harmonic = s->o->kind == CMP_HARMONIC;
    mtc_real labeled = 0;
    for (size_t i = 0; i < s->N; i++) {
        for (size_t e = cmp_begin(W, i); e < cmp_end(W, i); e++)
            s->degree[i] += W->values[e];           /* d = W 1 */
        if (s->known[i] >= 0) {
            s->share[s->known[i]] += 1;
            s->x[s->piece[i]] = 1;                  /* this one has a label */
            labeled += 1;
        }
    }
    for (size_t c = 0; c < s->o->classes; c++)
        s->share[c] /= labeled;                     /* one is, at least */
    for (size_t i = 0; i < s->N; i++) {
        int taught = s->known[i] < 0 && s->x[s->piece[i]] > 0;  /* can be */
        s->active[i] = s->degree[i] > 0 && (taught || !harmonic);
        if (s->active[i])
            s->links[s->piece[i]] += harmonic ? prop_from_labels(s, i, -1)
                                              : s->m * s->degree[i];
    }
}

/* ---- A3: conjugate gradients ------------------------------------------- */

/* image = A v on the active samples, 0 elsewhere. */
static void prop_apply(const prop_system *s, const mtc_real *v,
                       mtc_real *image)
{
    const mtc_data *W = &s->graph.weights;
    for (size_t i = 0; i < s->N; i++) {
        size_t begin = cmp_begin(W, i);
        mtc_real flow = 0;
        for (size_t e = begin; e < cmp_end(W, i) && s->active[i]; e++)
            flow += W->values[e] * (v[i] - v[cmp_column(W, begin, e)]);
        image[i] = s->active[i] ? s->a * flow + s->m * s->degree[i] * v[i] : 0;
    }
}

/* image = D^-1 v on the active samples, 0 elsewhere; returns <v, image>.  D is
 * the diagonal of A: a + m = 1. */
static mtc_real prop_precondition(const prop_system *s, const mtc_real *v,
                                  mtc_real *image)
{
    for (size_t i = 0; i < s->N; i++)
        image[i] = s->active[i] ? v[i] / s->degree[i] : 0;      /* d > 0 */
    return mtc_dot(s->N, v, image);
}

/* b of class c, and x = sum b / links on each component. */
static void prop_begin(prop_system *s, int c)
{
    mtc_real *pull = s->image;                      /* [components] */
    memset(pull, 0, s->N * sizeof *pull);
    for (size_t i = 0; i < s->N; i++) {
        s->b[i] = !s->active[i] ? 0
                  : s->o->kind == CMP_HARMONIC ? prop_from_labels(s, i, c)
                  : s->known[i] == c ? cmp_sqrt(s->degree[i]) : 0;
        pull[s->piece[i]] += s->b[i];               /* of the labels */
    }
    for (size_t i = 0; i < s->N; i++)
        s->x[i] = s->active[i] ? pull[s->piece[i]] / s->links[s->piece[i]]
                               : 0;
}

/* g = b - A x.  Consistency: is it within q m d x in every sample?  A score
 * below the normal numbers has lost its digits. */
static int prop_residual(prop_system *s)
{
    int fair = 1;
    prop_apply(s, s->x, s->image);
    for (size_t i = 0; i < s->N; i++) {
        mtc_real limit = PROP_OFF * s->m * s->degree[i] * s->x[i];
        s->g[i] = s->b[i] - s->image[i];
        fair &= cmp_abs(s->g[i]) <= limit &&
                (limit >= CMP_TINY || s->x[i] == 0);
    }
    return fair || s->o->kind == CMP_HARMONIC;
}

/* Conjugate gradients from x and its g until |g| <= goal, in the norm of D^-1;
 * counts on in *it, leaves |g| in *left.  `image` is A dir, then D^-1 g. */
static mtc_status prop_gradients(mtc_context *ctx, prop_system *s, int c,
                                 mtc_real goal, size_t *it, mtc_real *left)
{
    size_t N = s->N;
    mtc_real rho = prop_precondition(s, s->g, s->dir);  /* dir = D^-1 g */
    mtc_status status = MTC_OK;
    for (; *it < s->o->iterations && cmp_sqrt(rho) > goal; ++*it) {
        status = cmp_tick(ctx, "propagation", (size_t)c, s->o->classes);
        if (status != MTC_OK)
            break;
        prop_apply(s, s->dir, s->image);            /* A dir */
        mtc_real curvature = mtc_dot(N, s->dir, s->image), old = rho;
        if (!(curvature > 0))
            break;                                  /* rounding dominates */
        mtc_axpy(N, rho / curvature, s->dir, s->x); /* x += step dir */
        mtc_axpy(N, -rho / curvature, s->image, s->g);
        rho = prop_precondition(s, s->g, s->image);
        for (size_t i = 0; i < N; i++)              /* A-conjugate to it */
            s->dir[i] = s->image[i] + rho / old * s->dir[i];
    }
    *left = cmp_sqrt(rho);
    return status;
}

/* x of class c, to `tolerance` of b; consistency goes on from the true
 * residual while a sample needs it.  Iterations and residual of the result are
 * those of the worst class. */
static mtc_status prop_solve(mtc_context *ctx, prop_system *s, int c,
                             cmp_propagate_result *r)
{
    mtc_status status = cmp_tick(ctx, "propagation", (size_t)c, r->classes);
    prop_begin(s, c);
    mtc_real norm = cmp_sqrt(prop_precondition(s, s->b, s->dir)), left = 0;
    mtc_real goal = s->o->tolerance * norm;
    size_t it = 0;
    int fair = 0;
    prop_residual(s);                               /* of the start */
    for (int i = 0; status == MTC_OK && !fair && i < PROP_ROUNDS; i++) {
        status = prop_gradients(ctx, s, c, goal, &it, &left);
        fair = prop_residual(s);
        goal /= 1000;                               /* for small scores */
    }
    left = norm > 0 ? left / norm : 0;              /* 0: class is absent */
    r->residual = left > r->residual ? left : r->residual;
    r->iterations = it > r->iterations ? it : r->iterations;
    r->converged &= fair && left <= s->o->tolerance;
    return status;
}

/* ---- A4: scores and labels --------------------------------------------- */

/* Scores of class c.  F is about 1/mu where labels are many: not a number for
 * a mu that is too small.  Mass normalization [ZGL03, section 4]: column c
 * times share_c over its sum. */
static mtc_status prop_scores(mtc_context *ctx, const prop_system *s, int c,
                              cmp_propagate_result *r)
{
    int harmonic = s->o->kind == CMP_HARMONIC;
    mtc_real *score = r->scores + c, sum = 0;       /* r->classes apart */
    for (size_t i = 0, t = s->N - s->n; i < s->n; i++, t++) {
        mtc_real f = !harmonic ? cmp_sqrt(s->degree[t]) * s->x[t]
                     : s->active[t] ? s->x[t] : s->share[c];
        if (!CMP_FINITE(f))
            return cmp_fail(ctx, MTC_DOMAIN, "mu: scores overflow", MTC_NONE,
                            MTC_NONE, MTC_NONE);
        r->converged &= !harmonic || cmp_is_real(f, -PROP_OFF, 1 + PROP_OFF);
        score[i * r->classes] = f;
        sum += f;
    }
    for (size_t i = 0; harmonic && s->o->mass_normalization && i < r->n; i++)
        score[i * r->classes] = sum > 0 ? s->share[c] *
                                          (score[i * r->classes] / sum) : 0;
    return MTC_OK;
}

/* The classes of all samples, then A1 to A4.  The largest score wins, the
 * most frequent class where none arrived. */
static mtc_status prop_work(mtc_context *ctx, const mtc_data *sets,
                            size_t n_sets, const int *const *labels,
                            prop_system *s, cmp_propagate_result *r)
{
    mtc_status status = mtc_graph_build(ctx, sets, n_sets, &s->o->graph,
                                        &s->graph);             /* A1 */
    if (status != MTC_OK)
        return status;
    for (size_t t = 0, at = 0; t < n_sets; at += sets[t++].n)
        for (size_t i = 0; i < sets[t].n; i++)
            s->known[at + i] = t + 1 < n_sets && labels[t] != NULL
                                   ? labels[t][i] : -1;
    s->a = s->o->kind == CMP_HARMONIC ? 1 : 1 / (1 + s->o->mu);
    s->m = s->o->kind == CMP_HARMONIC ? 0 : s->o->mu / (1 + s->o->mu);
    r->components = prop_pieces(s);
    r->converged = 1;
    prop_prepare(s);                                            /* A2 */
    for (int c = 0; status == MTC_OK && c < (int)r->classes; c++) {
        status = prop_solve(ctx, s, c, r);                      /* A3 */
        if (status == MTC_OK)
            status = prop_scores(ctx, s, c, r);                 /* A4 */
    }
    for (size_t i = 0; i < r->n; i++) {
        const mtc_real *score = r->scores + i * r->classes;
        size_t best = cmp_argmax(r->classes, score);
        r->labels[i] = (int)(score[best] > 0
                                 ? best : cmp_argmax(r->classes, s->share));
    }
    return status;
}

mtc_status cmp_propagate(mtc_context *ctx, const mtc_data *sources,
                         const int *const *source_labels, size_t n_sources,
                         const mtc_data *target,
                         const cmp_propagate_options *opt,
                         cmp_propagate_result *res)
{
    const cmp_propagate_options usual = cmp_propagate_defaults();
    const cmp_propagate_options *o = opt != NULL ? opt : &usual;
    mtc_status s = cmp_check_options(ctx, res == NULL ? "result"
                                                      : propagate_wrong(o));
    if (s == MTC_OK)
        s = cmp_check_transfer(ctx, sources, source_labels, n_sources, target,
                               o->classes, 1);
    if (s != MTC_OK)
        return s;
    cmp_room room = cmp_open(ctx);
    cmp_propagate_result r = {.n = target->n, .classes = o->classes};
    prop_system system = {.o = o, .n = target->n};
    system.N = cmp_add(cmp_count(sources, n_sources), target->n);
    cmp_result(&room, propagate_shape, &r, sizeof r);
    mtc_data *sets = cmp_with_target(&room, sources, n_sources, target);
    mtc_real **vector[] = {&system.degree, &system.x, &system.b, &system.g,
                           &system.dir, &system.image, &system.links};
    for (size_t i = 0; i < 7; i++)
        *vector[i] = CMP_TAKE(&room, system.N, mtc_real);
    system.known = CMP_TAKE(&room, system.N, int);
    system.piece = CMP_TAKE(&room, system.N, size_t);
    system.todo = CMP_TAKE(&room, system.N, size_t);
    system.active = CMP_TAKE(&room, system.N, unsigned char);
    system.share = CMP_TAKE(&room, o->classes, mtc_real);
    if ((s = room.status) == MTC_OK)
        s = prop_work(ctx, sets, n_sources + 1, source_labels, &system, &r);
    mtc_free(ctx, &system.graph.block);             /* 0 if there is none */
    return cmp_close(&room, s, &r, sizeof r, res);
}
