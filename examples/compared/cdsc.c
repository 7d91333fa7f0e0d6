/* SPDX-License-Identifier: MIT
 *
 * cdsc.c - cross-domain spectral classification (Ling et al. 2008), in two
 * forms.  compared.h says what they minimize.
 *
 *   A1  M = W + lambda W_O, degrees d, S = D^-1/2 M D^-1/2, e ~ D^1/2 1
 *   A2  the top eigenvectors of P (S - beta (I - v v')_sources) P less
 *       far (I - P), P to samples with an edge and the complement of e
 *   A3  binary: sign and scale of the first one
 *       transducer (beta = 0): for each class a = (G - mu)^-1 b with
 *       G = V'CV + Theta, b = V'Cy, mu below G's spectrum with |a|^2 = nodes
 *
 * The binary form's penalty, with x = D^-1/2 z, sums over pairs of sources:
 *   z'(I - v v')z = sum_ij d_i d_j (x_i y_j - x_j y_i)^2 / (2 sum_i d_i y_i^2)
 * Without the complement of e the answer would be constant on the target.
 */
#define CMP_INTERNAL
#include "compared.h"

#define CDSC_MOST ((mtc_real)1e9)       /* of lambda, beta, trust */

typedef struct cdsc_job {
    cmp_cdsc_result r;
    const cmp_cdsc_options *o;
    cmp_world w;                        /* N samples, the sources' u0 first */
    mtc_real *mass;                     /* [c] degrees of a class */
    mtc_real *S, *d, *e, *v;            /* [N*N] W, M, the operator; [N] */
    mtc_real *G, *Q, *b, *u, *value;    /* of A3: [m*m]; [m] */
    void *work;                         /* of the product */
} cdsc_job;

cmp_cdsc_options cmp_cdsc_defaults(void)
{
    return (cmp_cdsc_options){.classes = 2, .form = CMP_CDSC_AUTO,
                              .lambda = 1, .beta = 15, .vectors = 10,
                              .trust = 3200};
}

static const char *cdsc_wrong(const cmp_cdsc_options *o)
{
    return (int)o->form < CMP_CDSC_AUTO || o->form > CMP_CDSC_TRANSDUCER
               ? "form: need auto, binary or transducer"
           : o->form == CMP_CDSC_BINARY && o->classes != 2
               ? "form: binary needs two classes"
           : !cmp_is_real(o->lambda, 0, CDSC_MOST) ? "lambda: need 0..1e9"
           : !cmp_is_real(o->beta, 0, CDSC_MOST)   ? "beta: need 0..1e9"
           : !cmp_is_real(o->trust, 0, CDSC_MOST)  ? "trust: need 0..1e9"
           : o->vectors == 0 ? "vectors: need 1 or more" : NULL;
}

static void cdsc_shape(adv_carver *c, void *result)
{
    cmp_cdsc_result *r = (cmp_cdsc_result *)result;
    r->labels = ADV_CARVE(c, r->n, int);
    CMP_CARVE_REALS(c, adv_mul(r->n, r->classes), &r->scores);
    CMP_CARVE_REALS(c, r->vectors, &r->eigenvalues);
    CMP_CARVE_REALS(c, adv_mul(r->nodes, r->vectors), &r->V);
    CMP_CARVE_REALS(c, adv_mul(r->classes, r->vectors), &r->a);
    CMP_CARVE_REALS(c, r->classes, &r->multipliers);
}

/* The degrees.  Returns how many samples have an edge. */
static size_t cdsc_degrees(cdsc_job *j)
{
    size_t nodes = 0;
    for (size_t i = 0; i < j->w.N; i++) {
        mtc_real *row = j->S + i * j->w.N;
        for (size_t k = 0; k < j->w.N; k++) {
            row[k] *= i < j->w.u0 || k < j->w.u0 ? 1 : 1 + j->o->lambda;
            j->d[i] += row[k];
        }
        nodes += j->d[i] > 0;
        if (i < j->w.u0)
            j->mass[j->w.y[i]] += j->d[i];
    }
    return nodes;
}

/* M becomes the operator of A2, binary or not, whose spectrum off P is below
 * all the rest.  S e = e and v'e = 0: of the projection this is left,
 *   - e_i e_k (1 + far + beta (|e|^2_sources - [i source] - [k source])) */
static void cdsc_operator(cdsc_job *j, int binary)
{
    mtc_real q = j->mass[0], p = binary ? j->mass[1] : 0, all = 0, own = 0;
    const mtc_real beta = binary ? j->o->beta : 0, far = 2 + beta;
    for (size_t i = 0; i < j->w.N; i++)
        all += j->d[i];
    for (size_t i = 0; i < j->w.N; i++) {
        j->e[i] = ADV_SQRT(j->d[i]) / ADV_SQRT(all);
        own += i < j->w.u0 ? j->e[i] * j->e[i] : 0;
        if (binary && i < j->w.u0)        /* sum_i d_i y_i^2 = p + q */
            j->v[i] = ADV_SQRT(j->d[i] / (p + q)) *
                      (j->w.y[i] == 1 ? ADV_SQRT(q / p) : -ADV_SQRT(p / q));
    }
    for (size_t i = 0; i < j->w.N; i++) {
        mtc_real *row = j->S + i * j->w.N, at = own - (i < j->w.u0);
        for (size_t k = 0; k < j->w.N; k++)
            row[k] = (row[k] > 0 ? row[k] / j->e[i] / j->e[k] / all : 0) +
                     beta * j->v[i] * j->v[k] - j->e[i] * j->e[k] *
                     (1 + far + beta * (at - (k < j->w.u0)));
        row[i] = j->d[i] > 0 ? row[i] - (i < j->w.u0 ? beta : 0) : -far;
    }
}

static mtc_status cdsc_apply(void *user, size_t N, size_t p, const mtc_real *V,
                             mtc_real *AV)
{
    const cdsc_job *j = (const cdsc_job *)user;
    mtc_gemm(0, 0, N, p, N, 1, j->S, N, V, p, 0, AV, p, j->work);
    return MTC_OK;
}

static mtc_status cdsc_spectrum(mtc_context *ctx, cdsc_job *j)
{
    cmp_cdsc_result *r = &j->r;
    mtc_real residual;
    ADV_TRY(mtc_eigen_operator(ctx, j->w.N, cdsc_apply, j, r->vectors, 0, 0,
                               r->eigenvalues, r->V, r->vectors, &residual));
    for (size_t k = 0; k < r->vectors; k++) {
        r->eigenvalues[k] = 1 - r->eigenvalues[k];
        for (size_t i = 0; i < j->w.N; i++)
            if (!(j->d[i] > 0))
                r->V[i * r->vectors + k] = 0;       /* but for rounding */
    }
    r->converged = residual <= 4096 * CMP_EPS;
    return MTC_OK;
}

/* x = D^-1/2 z, with the sign of y on the sources, and 1 for its mean square
 * over the target, weighted by degrees.  A z of 0 on the target stays 0. */
static void binary_scores(cdsc_job *j)
{
    cmp_cdsc_result *r = &j->r;
    mtc_real sign = 0, degrees = 0, squares = 0;
    for (size_t i = 0; i < j->w.N; i++) {
        mtc_real z = r->V[i * r->vectors];
        sign += z * j->v[i];
        degrees += i < j->w.u0 ? 0 : j->d[i];
        squares += i < j->w.u0 ? 0 : z * z;
    }
    mtc_real scale = ADV_SQRT(squares) > 4096 * CMP_EPS
                         ? ADV_SQRT(degrees / squares) : 0;
    for (size_t i = 0, at = j->w.u0; i < r->n; i++, at++) {
        mtc_real x = j->d[at] > 0 ? r->V[at * r->vectors] * scale /
                                        ADV_SQRT(j->d[at]) : 0;
        r->scores[2 * i + 1] = sign < 0 ? -x : x;
        r->scores[2 * i] = -r->scores[2 * i + 1];
    }
}

/* The scores of class z; a is found in the eigenvectors Q of G. */
static mtc_status transducer_scores(mtc_context *ctx, cdsc_job *j, size_t z)
{
    cmp_cdsc_result *r = &j->r;
    size_t m = r->vectors;
    mtc_real p = j->w.count[z], q = (mtc_real)j->w.u0 - p, *a = r->a + z * m;
    mtc_real plus = ADV_SQRT(q / p), minus = -ADV_SQRT(p / q);
    mtc_real *b = j->b, *u = j->u, *w = j->value;   /* V'Cy, Q'b, G's values */
    memset(j->G, 0, m * m * sizeof *j->G);
    memset(b, 0, m * sizeof *b);
    for (size_t i = 0; i < j->w.u0; i++) {
        const mtc_real *V = r->V + i * m;
        int own = (size_t)j->w.y[i] == z;
        mtc_real C = j->o->trust / 2 / (own ? p : q);
        for (size_t k = 0; k < m; k++)
            mtc_axpy(m, C * V[k], V, j->G + k * m); /* V'CV */
        mtc_axpy(m, C * (own ? plus : minus), V, b);
    }
    for (size_t k = 0; k < m; k++)
        j->G[k * m + k] += r->eigenvalues[k];       /* Theta */
    ADV_TRY(mtc_symeig(ctx, m, j->G, m, w, j->Q, m));
    mtc_gemm(1, 0, m, 1, m, 1, j->Q, m, b, 1, 0, u, 1, NULL);
    mtc_real t = cmp_secular_root(m, w, u, (mtc_real)r->nodes);
    for (size_t k = 0; k < m; k++)                  /* t 0: b is; so is a */
        u[k] = t > 0 ? u[k] / (w[k] - w[0] + t) : 0;
    mtc_gemm(0, 0, m, 1, m, 1, j->Q, m, u, 1, 0, a, 1, NULL);
    r->multipliers[z] = w[0] - t;                   /* mu */
    for (size_t i = 0; i < r->n; i++)
        r->scores[i * r->classes + z] =
            mtc_dot(m, r->V + (j->w.u0 + i) * m, a) - (plus + minus) / 2;
    return MTC_OK;
}

/* A2, A3, of the classes that are there. */
static mtc_status cdsc_scores(mtc_context *ctx, cdsc_job *j, int binary)
{
    cmp_cdsc_result *r = &j->r;
    size_t c = r->classes;
    if (r->vectors > r->nodes - 1)
        r->vectors = r->nodes - 1;
    cdsc_operator(j, binary);
    ADV_TRY(cdsc_spectrum(ctx, j));
    if (binary)
        binary_scores(j);
    for (size_t z = 0; !binary && z < c; z++) {
        for (size_t i = 0; i < r->n; i++)           /* of an absent class */
            r->scores[i * c + z] = -2 * (mtc_real)r->nodes;
        ADV_TRY(adv_tick(ctx, "cdsc", z, c));
        if (j->w.count[z] > 0)
            ADV_TRY(transducer_scores(ctx, j, z));
    }
    return MTC_OK;
}

/* With one class, or no edge, there is nothing to tell apart. */
static mtc_status cdsc_work(adv_desk *desk, void *job)
{
    cdsc_job *j = (cdsc_job *)job;
    cmp_cdsc_result *r = &j->r;
    int binary = r->form == CMP_CDSC_BINARY;
    size_t c = r->classes, N = j->w.N, m = r->vectors, found = 0;
    mtc_graph graph;
    ADV_REALS(desk, N, &j->d, &j->e, &j->v);
    ADV_REALS(desk, c, &j->mass);
    ADV_REALS(desk, adv_mul(m, m), &j->G, &j->Q);
    ADV_REALS(desk, m, &j->b, &j->u, &j->value);
    j->work = adv_take(desk, mtc_gemm_work(N, m + 8, N), 1);
    ADV_TRY(cmp_gather(desk, &j->w));
    ADV_TRY(mtc_graph_build(desk->ctx, j->w.sets, j->w.n_sources + 1, NULL,
                            &graph));
    ADV_TRY(adv_keep(desk, graph.block));
    j->S = (mtc_real *)graph.weights.values;        /* ours */
    r->nodes = cdsc_degrees(j);
    const mtc_real *has = binary ? j->mass : j->w.count;
    for (size_t z = 0; z < c; z++)
        found += has[z] > 0;
    size_t often = adv_argmax(c, found == 1 ? has : j->w.count);
    if (found < 2 || r->nodes == 0) {
        r->vectors = 0;
        r->converged = 1;
    } else {
        ADV_TRY(cdsc_scores(desk->ctx, j, binary));
    }
    for (size_t i = 0; i < r->n; i++) {
        const mtc_real *score = r->scores + i * c;
        int none = r->vectors == 0 || (binary && score[1] == 0);
        r->labels[i] = (int)(none ? often : adv_argmax(c, score));
    }
    return MTC_OK;
}

mtc_status cmp_cdsc(mtc_context *ctx, const mtc_data *sources,
                    const int *const *source_labels, size_t n_sources,
                    const mtc_data *target, const cmp_cdsc_options *opt,
                    cmp_cdsc_result *res)
{
    const cmp_cdsc_options usual = cmp_cdsc_defaults(),
                           *o = opt != NULL ? opt : &usual;
    cdsc_job j = {.w = CMP_WORLD, .o = o};
    ADV_TRY(cmp_enter(ctx, res == NULL ? "result" : cdsc_wrong(o), CMP_ALL,
                      &j.w));
    j.r.nodes = j.w.N;
    j.r.n = target->n;
    j.r.classes = o->classes;
    j.r.form = o->form != CMP_CDSC_AUTO ? o->form
               : o->classes == 2 ? CMP_CDSC_BINARY : CMP_CDSC_TRANSDUCER;
    j.r.vectors = j.r.form == CMP_CDSC_BINARY ? 2 : o->vectors;
    j.r.vectors = j.r.vectors < j.w.N - 1 ? j.r.vectors : j.w.N - 1;
    return cmp_run(ctx, cdsc_shape, cdsc_work, &j, sizeof j.r, res);
}
