/* SPDX-License-Identifier: MIT
 *
 * propagate.c - labels that spread over a similarity graph.
 *
 * W is a graph over the samples of sources and target, d its degrees, Y the
 * one-hot rows of the labeled samples.  compared.h has the two systems; with
 * v = f, or F = d^1/2 v, both are one for each class,
 *   (A v)_i = a sum_j w_ij (v_i - v_j) + m d_i v_i = b_i
 * harmonic     a = 1,        m = 0,           b = W_ul Y, v_l = 0
 * consistency  a = 1/(1+mu), m = mu/(1+mu),   b = d^1/2 Y
 * The differences keep the digits that D - W loses where v is all but constant.
 *
 *   A1  the graph, its degrees and components
 *   A2  who is solved for: whoever has neighbors; harmonic, whoever has no
 *       label, but one in its component.  There the system is definite.
 *   A3  for each class: b; v by conjugate gradients preconditioned by D, from
 *       the constant that makes the residual sum to 0 on each component
 *   A4  the scores of the target, class mass normalization, labels
 *
 * Consistency looks at every sample: where |b - A v|_i <= q m d_i v_i, v is the
 * answer for a mu off by q at most; else the gradients go on to a smaller |g|.
 * A small |g| says little of harmonic scores where links are weak: the gradients
 * go on until they move none by more than q, and |g_i| <= q d_i.
 */
#define CMP_INTERNAL
#include "compared.h"

#define PROP_ENOUGH (sizeof(mtc_real) == 8 ? (mtc_real)1e-10 : (mtc_real)1e-5)
#define PROP_OFF (10 * ADV_SQRT(PROP_ENOUGH))       /* q; g itself is rounded */
enum { PROP_ROUNDS = 3 };       /* harmonic: |g| goes on by 1e-9 at least */

typedef struct prop_job {
    cmp_propagate_result r;
    const cmp_propagate_options *o;
    cmp_world w;
    mtc_data W;
    int harmonic;
    mtc_real a, m;                      /* as above */
    size_t *piece;                      /* [N] lowest sample of its component */
    mtc_real *active, *d, *links;       /* [N] 1: solved for; A 1 by piece */
    mtc_real *x, *b, *g, *dir, *image;  /* [N] v, b, b - A v, direction */
    mtc_real *before;                   /* [N] v at the last look */
} prop_job;

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

static void propagate_shape(adv_carver *c, void *result)
{
    cmp_propagate_result *r = (cmp_propagate_result *)result;
    r->labels = ADV_CARVE(c, r->n, int);
    r->scores = ADV_CARVE(c, adv_mul(r->n, r->classes), mtc_real);
}

/* image = A v on the active samples, 0 elsewhere. */
static void prop_apply(const prop_job *s, const mtc_real *v, mtc_real *image)
{
    for (size_t i = 0; i < s->w.N; i++) {
        mtc_real flow = 0;
        size_t b = adv_begin(&s->W, i), e = b;
        for (; e < adv_end(&s->W, i) && s->active[i] > 0; e++)
            flow += s->W.values[e] * (v[i] - v[adv_column(&s->W, b, e)]);
        image[i] = s->active[i] > 0 ? s->a * flow + s->m * s->d[i] * v[i] : 0;
    }
}

static size_t prop_root(size_t *piece, size_t i)
{
    while (piece[i] != i)
        i = piece[i] = piece[piece[i]];             /* and shortens the way */
    return i;
}

/* A1, A2. */
static void prop_prepare(prop_job *s)
{
    mtc_real labeled = 0;
    for (size_t i = 0; i < s->w.N; i++)
        s->piece[i] = i;
    for (size_t i = 0; i < s->w.N; i++) {
        size_t b = adv_begin(&s->W, i);
        for (size_t e = b; e < adv_end(&s->W, i); e++) {
            size_t j = s->W.values[e] > 0 ? adv_column(&s->W, b, e) : i;
            size_t p = prop_root(s->piece, i), q = prop_root(s->piece, j);
            s->piece[p > q ? p : q] = p < q ? p : q;
            s->d[i] += s->W.values[e];              /* d = W 1 */
        }
        labeled += s->w.y[i] >= 0;
    }
    for (size_t c = 0; c < s->w.c; c++)
        s->w.count[c] /= labeled;                   /* shares */
    for (size_t i = 0; i < s->w.N; i++) {
        s->piece[i] = prop_root(s->piece, i);
        if (s->w.y[i] >= 0)
            s->x[s->piece[i]] = 1;                  /* this one has a label */
    }
    for (size_t i = 0; i < s->w.N; i++)
        s->active[i] = s->d[i] > 0 && (!s->harmonic || (s->w.y[i] < 0 &&
                                                        s->x[s->piece[i]] > 0));
    prop_apply(s, s->active, s->image);             /* links to labels, m d */
    for (size_t i = 0; i < s->w.N; i++)
        s->links[s->piece[i]] += s->image[i];
}

/* image = D^-1 v on the active samples, 0 elsewhere; returns <v, image>.  D is
 * the diagonal of A: a + m = 1. */
static mtc_real prop_precondition(const prop_job *s, const mtc_real *v,
                                  mtc_real *image)
{
    for (size_t i = 0; i < s->w.N; i++)
        image[i] = s->active[i] > 0 ? v[i] / s->d[i] : 0;       /* d > 0 */
    return mtc_dot(s->w.N, v, image);
}

/* b of class c, and x = sum b / links on each component.  A Y = -W_ul Y. */
static void prop_begin(prop_job *s, int c)
{
    mtc_real *pull = s->image;                      /* [components] */
    for (size_t i = 0; i < s->w.N; i++)
        s->x[i] = s->w.y[i] == c;                   /* Y */
    prop_apply(s, s->x, s->b);
    memset(pull, 0, s->w.N * sizeof *pull);
    for (size_t i = 0; i < s->w.N; i++) {
        s->b[i] = s->harmonic ? 0 - s->b[i]
                              : s->active[i] * ADV_SQRT(s->d[i]) * s->x[i];
        pull[s->piece[i]] += s->b[i];
    }
    for (size_t i = 0; i < s->w.N; i++)
        s->x[i] = s->active[i] > 0 ? pull[s->piece[i]] / s->links[s->piece[i]]
                                   : 0;
}

/* g = b - A x.  Consistency: is it within q m d x in every sample?  A score
 * below the normal numbers has lost its digits.  Harmonic: did x stay? */
static int prop_residual(prop_job *s)
{
    int fair = 1;
    prop_apply(s, s->x, s->image);
    for (size_t i = 0; i < s->w.N; i++) {
        mtc_real limit = PROP_OFF * s->m * s->d[i] * s->x[i];
        s->g[i] = s->b[i] - s->image[i];
        fair &= s->harmonic ? cmp_abs(s->x[i] - s->before[i]) <= PROP_OFF &&
                              cmp_abs(s->g[i]) <= PROP_OFF * s->d[i]
                            : cmp_abs(s->g[i]) <= limit &&
                              (limit >= ADV_TINY || s->x[i] == 0);
        s->before[i] = s->x[i];
    }
    return fair;
}

/* x of class c until |g| <= goal, in the norm of D^-1, and on from the true
 * residual while a sample needs it.  Iterations and residual of the
 * result are those of the worst class. */
static mtc_status prop_solve(mtc_context *ctx, prop_job *s, int c)
{
    cmp_propagate_result *r = &s->r;
    size_t N = s->w.N, it = 0;
    prop_begin(s, c);
    mtc_real norm = ADV_SQRT(prop_precondition(s, s->b, s->dir)), rho = 0;
    mtc_real goal = s->o->tolerance * norm, least = norm;   /* least |g| */
    int fair = 0;
    size_t from = 0;                                /* it before this round */
    for (int round = 0;; round++, goal /= 1000) {
        int seen = s->harmonic ? round > PROP_ROUNDS && (it > from || rho == 0)
                               : round > 0;
        fair = prop_residual(s) && (seen || round == 12);
        if (fair || round == 12)                    /* 1e-36: below rounding */
            break;
        from = it;
        rho = prop_precondition(s, s->g, s->dir);   /* dir = D^-1 g */
        for (; it < s->o->iterations && ADV_SQRT(rho) > goal; it++) {
            ADV_TRY(adv_tick(ctx, "propagation", (size_t)c, r->classes));
            prop_apply(s, s->dir, s->image);        /* A dir */
            mtc_real curvature = mtc_dot(N, s->dir, s->image), old = rho;
            if (!(curvature > 0))
                break;                              /* rounding dominates */
            mtc_axpy(N, rho / curvature, s->dir, s->x);
            mtc_axpy(N, -rho / curvature, s->image, s->g);
            rho = prop_precondition(s, s->g, s->image);
            for (size_t i = 0; i < N; i++)          /* A-conjugate to it */
                s->dir[i] = s->image[i] + rho / old * s->dir[i];
        }
        least = ADV_SQRT(rho) < least ? ADV_SQRT(rho) : least;
    }
    mtc_real left = norm > 0 ? least / norm : 0;            /* 0: no sample */
    r->residual = left > r->residual ? left : r->residual;
    r->iterations = it > r->iterations ? it : r->iterations;
    r->converged &= fair && left <= s->o->tolerance;
    return MTC_OK;
}

/* A4, class after class.  F is about 1/mu where labels are many.  Mass
 * normalization [ZGL03, section 4]: column c times share_c over its sum. */
static mtc_status prop_classes(mtc_context *ctx, prop_job *s)
{
    cmp_propagate_result *r = &s->r;
    int scaled = s->harmonic && s->o->mass_normalization;
    for (size_t c = 0, k = r->classes; c < k; c++) {
        mtc_real *score = r->scores + c, sum = 0;   /* k apart */
        ADV_TRY(adv_tick(ctx, "propagation", c, k));
        ADV_TRY(prop_solve(ctx, s, (int)c));
        for (size_t i = 0, t = s->w.u0; i < r->n; i++, t++) {
            mtc_real f = !s->harmonic ? ADV_SQRT(s->d[t]) * s->x[t]
                         : s->active[t] > 0 ? s->x[t] : s->w.count[c];
            r->converged &= !s->harmonic ||
                            cmp_is_real(f, -PROP_OFF, 1 + PROP_OFF);
            if (!ADV_FINITE(f))
                return adv_refuse(ctx, MTC_DOMAIN, "mu: scores overflow");
            score[i * k] = f;
            sum += f;
        }
        for (size_t i = 0; scaled && i < r->n; i++)
            score[i * k] = sum > 0 ? s->w.count[c] * (score[i * k] / sum) : 0;
    }
    return MTC_OK;
}

/* The largest score wins, the most frequent class where none arrived. */
static mtc_status prop_work(adv_desk *desk, void *job)
{
    prop_job *s = (prop_job *)job;
    cmp_propagate_result *r = &s->r;
    mtc_graph graph;
    ADV_REALS(desk, s->w.N, &s->active, &s->d, &s->links, &s->x, &s->b, &s->g,
              &s->dir, &s->image, &s->before);
    s->piece = ADV_TAKE(desk, s->w.N, size_t);
    ADV_TRY(cmp_gather(desk, &s->w));
    ADV_TRY(mtc_graph_build(desk->ctx, s->w.sets, s->w.n_sources + 1,
                            &s->o->graph, &graph));
    ADV_TRY(adv_keep(desk, graph.block));
    s->W = graph.weights;
    prop_prepare(s);
    r->converged = 1;
    ADV_TRY(prop_classes(desk->ctx, s));
    for (size_t i = 0, k = r->classes; i < r->n; i++) {
        size_t best = adv_argmax(k, r->scores + i * k);
        int any = r->scores[i * k + best] > 0;
        r->labels[i] = (int)(any ? best : adv_argmax(k, s->w.count));
        r->unreached += s->harmonic ? !(s->active[s->w.u0 + i] > 0) : !any;
    }
    return MTC_OK;
}

mtc_status cmp_propagate(mtc_context *ctx, const mtc_data *sources,
                         const int *const *source_labels, size_t n_sources,
                         const mtc_data *target,
                         const cmp_propagate_options *opt,
                         cmp_propagate_result *res)
{
    const cmp_propagate_options usual = cmp_propagate_defaults(),
                                *o = opt != NULL ? opt : &usual;
    prop_job s = {.w = CMP_WORLD, .o = o, .harmonic = o->kind == CMP_HARMONIC};
    ADV_TRY(cmp_enter(
        ctx, res == NULL ? "result"
             : o->kind != CMP_HARMONIC && o->kind != CMP_CONSISTENCY
                 ? "kind: need harmonic or consistency"
             : !(o->mu > 0) || !ADV_FINITE(o->mu) ? "mu: need above 0"
             : !cmp_is_real(o->tolerance, 0, 1)   ? "tolerance: need 0..1"
                                                  : NULL, CMP_SOME, &s.w));
    s.r.n = target->n;
    s.r.classes = o->classes;
    s.m = s.harmonic ? 0 : o->mu / (1 + o->mu);
    s.a = s.harmonic ? 1 : 1 / (1 + o->mu);
    return cmp_run(ctx, propagate_shape, prop_work, &s, sizeof s.r, res);
}
