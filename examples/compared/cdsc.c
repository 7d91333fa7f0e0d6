/* SPDX-License-Identifier: MIT
 *
 * cdsc.c - cross-domain spectral classification (Ling et al. 2008), in two
 * forms.  compared.h says what they minimize.
 *
 *   A1  M = W + lambda W_O, degrees D, S = D^-1/2 M D^-1/2, e ~ D^1/2 1
 *   A2  the bottom eigenvectors of I - S + beta (I - v v')_sources on the
 *       complement of e: the largest of an operator in which e, and samples
 *       without an edge, are moved below all others
 *   A3  binary: sign and scale of the first one
 *       transducer (beta = 0): for each class a = (G - mu)^-1 b with
 *       G = V'CV + Theta, b = V'Cy, mu below G's spectrum with |a|^2 = nodes
 *
 * The pairs behind the binary form's penalty, with x = D^-1/2 z:
 *   z'(I - v v')z = sum_ij d_i d_j (x_i y_j - x_j y_i)^2 / (2 sum_i d_i y_i^2)
 * that is (x_i - x_j)^2 within and (x_i + x_j)^2 between classes if |y| = 1.
 * Without the complement of e the answer would be constant on the target.
 *
 *   N samples, the sources' u0 first     S, D, e, v   S [N x N], d, e, v [N]
 *   V  [N x m]    a [c x m]    G, Q [m x m]    b, in G's eigenvectors: b [m]
 */
#define CMP_INTERNAL
#include "compared.h"

#define CDSC_MOST ((mtc_real)1e9)       /* of lambda, beta, trust */

typedef struct cdsc_job {
    const cmp_cdsc_options *o;
    size_t N, u0;
    int *y;                             /* [u0] classes of the sources */
    mtc_real *count, *mass;             /* [c] samples, degrees of a class */
    mtc_real *S, *d, *e, *v;
    mtc_real beta;                      /* 0 for the transducer */
    mtc_real *along_e, *along_v, *back; /* [m+8] e'V, v'V, e'AV */
    mtc_real *G, *Q, *b, *w, *u;        /* [m*m]; [m] V'Cy, of G, Q'b */
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
    return o->form != CMP_CDSC_AUTO && o->form != CMP_CDSC_BINARY &&
                   o->form != CMP_CDSC_TRANSDUCER
               ? "form: need auto, binary or transducer"
           : o->form == CMP_CDSC_BINARY && o->classes != 2
               ? "form: binary needs two classes"
           : !cmp_is_real(o->lambda, 0, CDSC_MOST) ? "lambda: need 0..1e9"
           : !cmp_is_real(o->beta, 0, CDSC_MOST)   ? "beta: need 0..1e9"
           : !cmp_is_real(o->trust, 0, CDSC_MOST)  ? "trust: need 0..1e9"
           : o->vectors == 0 ? "vectors: need 1 or more" : NULL;
}

static void cdsc_shape(cmp_carver *c, void *result)
{
    cmp_cdsc_result *r = (cmp_cdsc_result *)result;
    r->labels = CMP_CARVE(c, r->n, int);
    r->scores = CMP_CARVE(c, cmp_mul(r->n, r->classes), mtc_real);
    r->eigenvalues = CMP_CARVE(c, r->vectors, mtc_real);
    r->V = CMP_CARVE(c, cmp_mul(r->nodes, r->vectors), mtc_real);
    r->a = CMP_CARVE(c, cmp_mul(r->classes, r->vectors), mtc_real);
    r->multipliers = CMP_CARVE(c, r->classes, mtc_real);
}

/* m vectors: the operator is applied to m + 8 columns at most. */
static void cdsc_take(cmp_room *room, cdsc_job *j, size_t m)
{
    mtc_real **by_sample[] = {&j->d, &j->e, &j->v};
    mtc_real **by_column[] = {&j->along_e, &j->along_v, &j->back,
                              &j->b, &j->w, &j->u};
    size_t p = m + 8;
    for (size_t i = 0; i < 3; i++)
        *by_sample[i] = CMP_TAKE(room, j->N, mtc_real);
    for (size_t i = 0; i < 6; i++)
        *by_column[i] = CMP_TAKE(room, p, mtc_real);
    j->G = CMP_TAKE(room, cmp_mul(m, m), mtc_real);
    j->Q = CMP_TAKE(room, cmp_mul(m, m), mtc_real);
    j->y = CMP_TAKE(room, j->u0, int);
    j->count = CMP_TAKE(room, j->o->classes, mtc_real);
    j->mass = CMP_TAKE(room, j->o->classes, mtc_real);
    j->work = cmp_take(room, mtc_gemm_work(j->N, p, j->N), 1);
}

/* ---- A1, A2: the spectrum ---------------------------------------------- */

/* W becomes S in place.  Returns how many samples have an edge. */
static size_t cdsc_normalize(cdsc_job *j)
{
    size_t N = j->N, nodes = 0;
    mtc_real all = 0;
    for (size_t i = 0; i < N; i++) {
        mtc_real *row = j->S + i * N;
        for (size_t k = j->u0; k < N && i >= j->u0; k++)
            row[k] *= 1 + j->o->lambda;             /* W_O */
        for (size_t k = 0; k < N; k++)
            j->d[i] += row[k];
        all += j->d[i];
        nodes += j->d[i] > 0;
        if (i < j->u0)
            j->mass[j->y[i]] += j->d[i];
    }
    for (size_t i = 0; i < N; i++) {
        j->e[i] = cmp_sqrt(j->d[i] / all);
        for (size_t k = 0; k < N && j->d[i] > 0; k++)
            j->S[i * N + k] = j->d[k] > 0
                ? j->S[i * N + k] / cmp_sqrt(j->d[i]) / cmp_sqrt(j->d[k]) : 0;
    }
    return nodes;
}

/* AV = P A P V - far (I - P) V,  A = S - beta (I - v v')_sources, P the
 * projection to samples with an edge and to the complement of e.  S e = e and
 * v'e = 0, so that only the penalty has to be told V - e e'V. */
static mtc_status cdsc_apply(void *user, size_t N, size_t p, const mtc_real *V,
                             mtc_real *AV)
{
    cdsc_job *j = (cdsc_job *)user;
    const mtc_real far = 2 + j->beta;               /* A > -1 - beta */
    mtc_gemm(0, 0, N, p, N, 1, j->S, N, V, p, 0, AV, p, j->work);
    for (size_t k = 0; k < p; k++)
        j->along_e[k] = j->along_v[k] = j->back[k] = 0;
    for (size_t i = 0; i < N; i++) {
        mtc_axpy(p, j->e[i], V + i * p, j->along_e);
        mtc_axpy(p, j->v[i], V + i * p, j->along_v);
    }
    for (size_t i = 0; i < N; i++) {
        for (size_t k = 0; k < p && i < j->u0; k++)
            AV[i * p + k] -= j->beta * (V[i * p + k] -
                                        j->v[i] * j->along_v[k] -
                                        j->e[i] * j->along_e[k]);
        mtc_axpy(p, j->e[i], AV + i * p, j->back);
    }
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < p; k++)
            AV[i * p + k] = j->d[i] > 0
                ? AV[i * p + k] - j->e[i] * (j->back[k] + far * j->along_e[k])
                : -far * V[i * p + k];
    return MTC_OK;
}

static mtc_status cdsc_spectrum(mtc_context *ctx, cdsc_job *j,
                                cmp_cdsc_result *r)
{
    mtc_real residual;
    mtc_status s = mtc_eigen_operator(ctx, j->N, cdsc_apply, j, r->vectors, 0,
                                      0, r->eigenvalues, r->V, r->vectors,
                                      &residual);
    for (size_t k = 0; s == MTC_OK && k < r->vectors; k++)
        r->eigenvalues[k] = 1 - r->eigenvalues[k];
    for (size_t i = 0; s == MTC_OK && i < j->N; i++)
        for (size_t k = 0; k < r->vectors && !(j->d[i] > 0); k++)
            r->V[i * r->vectors + k] = 0;           /* but for rounding */
    r->converged = s == MTC_OK && residual <= 4096 * CMP_EPS;
    return s;
}

/* ---- A3: scores -------------------------------------------------------- */

/* v before the spectrum; its squared length over the degrees is p + q. */
static void binary_classes(cdsc_job *j)
{
    mtc_real q = j->mass[0], p = j->mass[1], length = cmp_sqrt(p + q);
    j->beta = j->o->beta;
    for (size_t i = 0; i < j->u0; i++)
        j->v[i] = cmp_sqrt(j->d[i]) / length *
                  (j->y[i] == 1 ? cmp_sqrt(q / p) : -cmp_sqrt(p / q));
}

/* x = D^-1/2 z, with the sign of y on the sources, and 1 for its mean square
 * over the target, weighted by degrees.  A z that is 0 on the target says
 * nothing: it stays 0. */
static void binary_scores(const cdsc_job *j, cmp_cdsc_result *r)
{
    mtc_real sign = 0, degrees = 0, squares = 0;
    for (size_t i = 0; i < j->N; i++) {
        mtc_real z = r->V[i * r->vectors];
        sign += z * j->v[i];
        degrees += i < j->u0 ? 0 : j->d[i];
        squares += i < j->u0 ? 0 : z * z;
    }
    mtc_real scale = cmp_sqrt(squares) > 4096 * CMP_EPS
                         ? cmp_sqrt(degrees / squares) : 0;
    for (size_t i = 0; i < r->n; i++) {
        size_t at = j->u0 + i;
        mtc_real x = j->d[at] > 0 ? r->V[at * r->vectors] * scale /
                                        cmp_sqrt(j->d[at]) : 0;
        r->scores[2 * i + 1] = sign < 0 ? -x : x;
        r->scores[2 * i] = -r->scores[2 * i + 1];
    }
}

/* t > 0 with sum_k (b_k / (w_k - w_0 + t))^2 = square, w ascending: the sum
 * falls in t, and is at least `square` at |b_0| / root, at most at |b| / root.
 * Where b_0 is 0 it may never reach `square`: then the least t. */
static mtc_real secular_root(size_t m, const mtc_real *w, const mtc_real *b,
                             mtc_real square)
{
    mtc_real low = cmp_abs(b[0]) / cmp_sqrt(square);
    mtc_real high = cmp_sqrt(mtc_dot(m, b, b) / square);
    for (int step = 0; step < 200 && low < high; step++) {
        mtc_real t = low + (high - low) / 2, sum = 0;
        if (t == low || t == high)
            break;
        for (size_t k = 0; k < m; k++)
            sum += b[k] / (w[k] - w[0] + t) * (b[k] / (w[k] - w[0] + t));
        if (sum > square)
            low = t;
        else
            high = t;
    }
    return high;
}

/* The scores of class z, without samples below all others.  a is found in the
 * eigenvectors Q of G. */
static mtc_status transducer_class(mtc_context *ctx, const cdsc_job *j,
                                   size_t z, cmp_cdsc_result *r)
{
    size_t m = r->vectors;
    mtc_real *G = j->G, *Q = j->Q, *b = j->b, *w = j->w, *u = j->u;
    mtc_real p = j->count[z], q = (mtc_real)j->u0 - p;
    for (size_t i = 0; i < r->n && !(p > 0); i++)
        r->scores[i * r->classes + z] = -2 * (mtc_real)r->nodes;
    if (!(p > 0))
        return MTC_OK;
    mtc_real plus = cmp_sqrt(q / p), minus = -cmp_sqrt(p / q);
    mtc_real *a = r->a + z * m;
    memset(G, 0, m * m * sizeof *G);
    memset(b, 0, m * sizeof *b);
    for (size_t i = 0; i < j->u0; i++) {
        const mtc_real *V = r->V + i * m;
        int own = (size_t)j->y[i] == z;
        mtc_real C = j->o->trust / 2 / (own ? p : q);
        for (size_t k = 0; k < m; k++)
            mtc_axpy(m, C * V[k], V, G + k * m);    /* V'CV */
        mtc_axpy(m, C * (own ? plus : minus), V, b);    /* V'Cy */
    }
    for (size_t k = 0; k < m; k++)
        G[k * m + k] += r->eigenvalues[k];          /* Theta */
    mtc_status s = mtc_symeig(ctx, m, G, m, w, Q, m);
    if (s != MTC_OK)
        return s;
    mtc_gemm(1, 0, m, 1, m, 1, Q, m, b, 1, 0, u, 1, NULL);      /* Q'b */
    mtc_real t = secular_root(m, w, u, (mtc_real)r->nodes);
    for (size_t k = 0; k < m && t > 0; k++)         /* 0: b is; so is a */
        for (size_t l = 0; l < m; l++)
            a[k] += Q[k * m + l] * u[l] / (w[l] - w[0] + t);
    r->multipliers[z] = w[0] - t;                               /* mu */
    for (size_t i = 0; i < r->n; i++)
        r->scores[i * r->classes + z] =
            mtc_dot(m, r->V + (j->u0 + i) * m, a) - (plus + minus) / 2;
    return MTC_OK;
}

static mtc_status cdsc_work(mtc_context *ctx, cdsc_job *j, cmp_cdsc_result *r)
{
    int binary = r->form == CMP_CDSC_BINARY, found = 0;
    size_t c = r->classes, often = cmp_argmax(c, j->count);
    mtc_status s = MTC_OK;
    r->nodes = cdsc_normalize(j);                               /* A1 */
    for (size_t z = 0; z < c; z++)
        found += (binary ? j->mass[z] : j->count[z]) > 0;
    if (found < 2 || r->nodes == 0) {               /* nothing to tell apart */
        r->vectors = 0;
        r->converged = 1;
        if (binary && found == 1)
            often = cmp_argmax(c, j->mass);
    } else {
        if (binary)
            binary_classes(j);
        if (r->vectors > r->nodes - 1)
            r->vectors = r->nodes - 1;
        s = cdsc_spectrum(ctx, j, r);                           /* A2 */
        if (s == MTC_OK && binary)                              /* A3 */
            binary_scores(j, r);
        for (size_t z = 0; s == MTC_OK && !binary && z < c; z++)
            if ((s = cmp_tick(ctx, "cdsc", z, c)) == MTC_OK)
                s = transducer_class(ctx, j, z, r);
    }
    for (size_t i = 0; i < r->n; i++) {
        const mtc_real *score = r->scores + i * c;
        size_t best = cmp_argmax(c, score);
        int none = r->vectors == 0 || (binary && score[1] == 0);
        r->labels[i] = (int)(none ? often : best);
    }
    return s;
}

mtc_status cmp_cdsc(mtc_context *ctx, const mtc_data *sources,
                    const int *const *source_labels, size_t n_sources,
                    const mtc_data *target, const cmp_cdsc_options *opt,
                    cmp_cdsc_result *res)
{
    const cmp_cdsc_options usual = cmp_cdsc_defaults();
    const cmp_cdsc_options *o = opt != NULL ? opt : &usual;
    mtc_status s = cmp_check_options(ctx, res == NULL ? "result"
                                                      : cdsc_wrong(o));
    if (s == MTC_OK)
        s = cmp_check_transfer(ctx, sources, source_labels, n_sources, target,
                               o->classes, 0);
    if (s != MTC_OK)
        return s;
    cmp_room room = cmp_open(ctx);
    cdsc_job job = {.o = o, .u0 = cmp_count(sources, n_sources)};
    size_t N = job.N = cmp_add(job.u0, target->n);
    cmp_cdsc_result r = {.n = target->n, .classes = o->classes, .nodes = N};
    mtc_graph graph = {0};
    r.form = o->form != CMP_CDSC_AUTO ? o->form
             : o->classes == 2        ? CMP_CDSC_BINARY : CMP_CDSC_TRANSDUCER;
    r.vectors = r.form == CMP_CDSC_BINARY ? 2 : o->vectors;
    r.vectors = r.vectors < N - 1 ? r.vectors : N - 1;
    cmp_result(&room, cdsc_shape, &r, sizeof r);
    mtc_data *sets = cmp_with_target(&room, sources, n_sources, target);
    cdsc_take(&room, &job, r.vectors);
    for (size_t t = 0, i = 0; room.status == MTC_OK && t < n_sources; t++)
        for (size_t l = 0; l < sources[t].n; l++, i++) {
            job.y[i] = source_labels[t][l];
            job.count[job.y[i]] += 1;
        }
    if ((s = room.status) == MTC_OK)
        s = mtc_graph_build(ctx, sets, n_sources + 1, NULL, &graph);
    job.S = (mtc_real *)graph.weights.values;       /* ours */
    if (s == MTC_OK)
        s = cdsc_work(ctx, &job, &r);
    mtc_free(ctx, &graph.block);                    /* 0 if there is none */
    return cmp_close(&room, s, &r, sizeof r, res);
}
