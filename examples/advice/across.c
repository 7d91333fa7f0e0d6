/* SPDX-License-Identifier: MIT
 *
 * across.c - which cluster of one task is which of another.
 *
 * Clusters of two tasks are one group if they are much nearer to each other
 * than either is to any other cluster of the two.  Means and variances of the
 * clusters are all that is looked at.
 *
 *   A1  Of cluster a: rows n, center c, variances v (of a single row the mean
 *       of its task's, weights n - 1).  Sparse rows to unit length
 *   A2  w_j = the scale of column j: the lower median, over tasks in which it
 *       varies, of the deviation within clusters; at least .05 of that of all
 *       rows, and .1 of the median of all columns.  Sparse: 1
 *   A3  D_ab^2 = sum_j (c_aj - c_bj)^2 / w_j^2 - e_a - e_b, with
 *       e_a = sum_j v_aj / w_j^2 / n_a: what chance adds.  Sparse: by cosines
 *   A4  rho_ab = D_ab over the least distance of a or b to another cluster of
 *       their tasks;  delta_ab = D_ab over the spread of a and b along the line
 *       between them;  share_ab = how many of their tasks' other clusters have
 *       rho < .5 to one another
 *       L_ab = 3 ln(.5 / rho) - .6 delta + 3 share, in [-5, 5]: the log odds
 *   A5  Groups without a task in common are joined, the highest mean L first,
 *       while it is above 0
 *   A6  A task may be measured otherwise.  Each pair of one of its clusters and
 *       a group of the others is tried as an anchor of a map: columns may be
 *       scaled, moved or both, as the clusters that fall into place then tell.
 *       A group that is placed at random falls within rho of a given place with
 *       chance rho^dim; the gain of a map is the log of that for all that fell
 *       into place, less what the map and the search for it cost.  A map of 4
 *       and more is tried, and stays if it joins more
 *
 * rho < .5 makes a and b each other's nearest, so no task has two partners by
 * it.  Reference: none; the rule is our own.  The weights of A4 were fitted to
 * 18 kinds of generated and public data.
 */
#include "desk.h"

#define ACROSS_NEVER ((mtc_real)-1e30)  /* L of clusters of one task */
#define ACROSS_NEAR ((mtc_real)0.5)     /* rho of partners */
#define ACROSS_LEAST ((mtc_real)0.02)   /* rho of a map counts as this much */
#define ACROSS_GAIN ((mtc_real)4)       /* of a map that is tried */

typedef struct places {       /* clusters, or groups of them */
    size_t count;
    mtc_real *c, *v;          /* [count*d] centers, variances */
    mtc_real *n, *e;          /* [count] rows; A3 */
} places;

typedef struct across_pairs { /* A2 to A5 of all clusters */
    mtc_real *u;              /* [d] 1 / w */
    mtc_real *D, *rho, *L;    /* [A*A] */
    size_t *group;            /* [A] */
    size_t groups, joined;    /* how many; pairs in one group */
} across_pairs;

typedef struct across_job {
    const mtc_data *tasks;
    const int *const *labels;
    mtc_across_options o;
    mtc_across_result r;
    size_t K;                 /* numbers of clusters */
    int sparse;
    places all, changed;      /* [A] those with rows; with a map */
    size_t *task, *number;    /* [A] */
    size_t *first;            /* [T+1] clusters of a task in the list */
    across_pairs *now, *then; /* without the map that is tried, and with it */
    mtc_real *sum;            /* [A*A] scratch of A5 */
    size_t *size, *order;     /* scratch */
    mtc_real *key, *base;     /* scratch */
} across_job;

static void across_shape(adv_carver *c, void *job)
{
    across_job *j = (across_job *)job;
    mtc_across_result *r = &j->r;
    size_t T = r->tasks, columns = adv_mul(T, r->d), K = j->K;
    r->clusters = ADV_CARVE(c, T, size_t);
    r->group = ADV_CARVE(c, T, int *);
    int *group = ADV_CARVE(c, K, int);
    r->sure = ADV_CARVE(c, K, mtc_real);
    r->perhaps = ADV_CARVE(c, K, int);
    r->anchored = ADV_CARVE(c, T, int);
    r->same = ADV_CARVE(c, adv_mul(T, T), mtc_real *);
    mtc_real *same = ADV_CARVE(c, adv_mul(K, K), mtc_real);
    r->scale = ADV_CARVE(c, columns, mtc_real);
    r->offset = ADV_CARVE(c, columns, mtc_real);
    r->kind = ADV_CARVE(c, columns, unsigned char);
    r->gain = ADV_CARVE(c, T, mtc_real);
    r->odd = ADV_CARVE(c, columns, mtc_real);
    if (r->group != NULL) {  /* not while measuring */
        r->group[0] = group;
        r->same[0] = same;
    }
}

/* Numbers that the labels of a task use: 0 to the largest. */
static size_t across_clusters(const int *labels, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (labels[i] >= 0 && (size_t)labels[i] >= k)
            k = (size_t)labels[i] + 1;
    return k;
}

/* ---- A1: centers and variances ------------------------------------------- */

static mtc_status places_take(adv_desk *desk, size_t count, size_t d,
    places *p)
{
    p->count = count;
    ADV_REALS(desk, adv_mul(count, d), &p->c, &p->v);
    ADV_REALS(desk, count, &p->n, &p->e);
    return desk->status;
}

/* What row i is divided by. */
static mtc_real across_length(const across_job *j, const mtc_data *X, size_t i)
{
    mtc_real length = j->sparse ? ADV_SQRT(adv_square(X, i)) : 1;
    return length > 0 ? length : 1;
}

/* Adds the rows of task t to the centers of its clusters or, later, to their
 * variances.  `at` [numbers] is the place of a cluster in the list. */
static void across_add(across_job *j, size_t t, const size_t *at, int later)
{
    const mtc_data *X = &j->tasks[t];
    size_t d = j->r.d;
    for (size_t i = 0; i < X->n; i++) {
        if (j->labels[t][i] < 0)
            continue;
        size_t a = at[j->labels[t][i]], begin = adv_begin(X, i);
        const mtc_real *c = j->all.c + a * d;
        mtc_real *to = (later ? j->all.v : j->all.c) + a * d;
        mtc_real length = across_length(j, X, i);
        for (size_t e = begin; e < adv_end(X, i); e++) {
            size_t f = adv_column(X, begin, e);
            mtc_real x = X->values[e] / length;
            to[f] += later ? (x - c[f]) * (x - c[f]) - c[f] * c[f] *
                             (mtc_real)(X->row != NULL) : x;
        }
    }
}

/* The clusters of task t, from sums to means; a single row has no variance of
 * its own. */
static void across_spread(across_job *j, size_t t)
{
    size_t d = j->r.d, begin = j->first[t], end = j->first[t + 1];
    places *p = &j->all;
    for (size_t f = 0; f < d; f++) {
        mtc_real sum = 0, weight = 0;
        for (size_t a = begin; a < end; a++) {
            mtc_real *v = &p->v[a * d + f], c = p->c[a * d + f];
            if (j->tasks[t].row != NULL)  /* values that are not stored */
                *v += p->n[a] * c * c;
            *v = ADV_MAX(*v, 0);
            sum += *v;
            weight += p->n[a] - 1;
            *v = p->n[a] > 1 ? *v / (p->n[a] - 1) : 0;
        }
        for (size_t a = begin; a < end; a++)
            if (p->n[a] <= 1 && weight > 0)
                p->v[a * d + f] = sum / weight;
    }
}

/* Lists the clusters that have rows. */
static mtc_status across_list(adv_desk *desk, across_job *j)
{
    size_t T = j->r.tasks, d = j->r.d, A = 0;
    size_t *count, *at;
    ADV_SIZES(desk, j->K, &count, &at, &j->task, &j->number);
    ADV_SIZES(desk, T + 1, &j->first);
    ADV_TRY(desk->status);
    ADV_TRY(places_take(desk, j->K, d, &j->all));
    ADV_ZERO(j->all.c, j->K * d);
    ADV_ZERO(j->all.v, j->K * d);
    for (size_t t = 0; t < T; t++) {
        size_t k = j->r.clusters[t];
        j->first[t] = A;
        ADV_ZERO(count, k);
        for (size_t i = 0; i < j->tasks[t].n; i++)
            if (j->labels[t][i] >= 0)
                count[j->labels[t][i]]++;
        for (size_t z = 0; z < k; z++) {
            j->r.group[t][z] = -1;
            if (count[z] == 0)
                continue;
            j->task[A] = t;
            j->number[A] = z;
            j->all.n[A] = (mtc_real)count[z];
            at[z] = A++;
        }
        across_add(j, t, at, 0);
        for (size_t a = j->first[t]; a < A; a++)
            for (size_t f = 0; f < d; f++)
                j->all.c[a * d + f] /= j->all.n[a];
        across_add(j, t, at, 1);
        j->first[t + 1] = A;
        across_spread(j, t);
    }
    j->all.count = A;
    return MTC_OK;
}

/* ---- A2: scales ---------------------------------------------------------- */

/* The m-th of n keys and, of an even number, the mean of the middle two. */
static mtc_real across_middle(const across_job *j, size_t n, int lower)
{
    size_t half = n / 2;
    adv_select(n, j->key, half + 1, j->order);
    if (n % 2 == 1)
        return j->key[j->order[half]];
    mtc_real low = j->key[j->order[half - 1]];
    return lower ? low : (low + j->key[j->order[half]]) / 2;
}

/* The variance of column f within the clusters of task t, and, returned, that
 * between their centers; by rows. */
static mtc_real across_between(const across_job *j, const places *p, size_t t,
    size_t f, mtc_real *within)
{
    size_t d = j->r.d;
    mtc_real n = 0, mean = 0, between = 0;
    *within = 0;
    for (size_t a = j->first[t]; a < j->first[t + 1]; a++) {
        n += p->n[a];
        mean += p->n[a] * p->c[a * d + f];
        *within += p->n[a] * p->v[a * d + f];
    }
    n = ADV_MAX(n, 1);
    mean /= n;
    *within /= n;
    for (size_t a = j->first[t]; a < j->first[t + 1]; a++) {
        mtc_real off = p->c[a * d + f] - mean;
        between += p->n[a] * off * off;
    }
    return between / n;
}

/* The scale of column f over all tasks but `without`; 0: it varies in none. */
static mtc_real across_scale(across_job *j, const places *p, size_t without,
    size_t f)
{
    size_t d = j->r.d, T = j->r.tasks, m = 0;
    mtc_real most = 0, largest = 0, *in = j->base, *all = j->base + T;
    for (size_t a = 0; a < p->count; a++)
        if (j->task[a] != without)
            most = ADV_MAX(ADV_FABS(p->c[a * d + f]), most);
    for (size_t t = 0; t < T; t++) {
        mtc_real within, between = across_between(j, p, t, f, &within);
        in[t] = ADV_SQRT(within);
        all[t] = t == without ? 0 : ADV_SQRT(within + between);
        if (all[t] <= (mtc_real)1e-12 * most)
            all[t] = 0;
        largest = ADV_MAX(all[t], largest);
    }
    for (size_t t = 0; t < T; t++)
        if (all[t] > (mtc_real)1e-9 * largest) {
            in[m] = in[t];
            all[m++] = all[t];
        }
    if (m == 0)
        return 0;
    ADV_COPY(j->key, in, m);
    mtc_real within = across_middle(j, m, 1);
    ADV_COPY(j->key, all, m);
    return ADV_MAX(within, (mtc_real)0.05 * across_middle(j, m, 1));
}

/* u: 1 / w of all columns; 0 for one that varies in no task. */
static void across_scales(across_job *j, const places *p, size_t without,
    mtc_real *u)
{
    size_t d = j->r.d, m = 0;
    for (size_t f = 0; f < d; f++)
        u[f] = j->sparse ? 1 : across_scale(j, p, without, f);
    if (j->sparse)
        return;
    for (size_t f = 0; f < d; f++)
        if (u[f] > 0)
            j->key[m++] = u[f];
    mtc_real least = m > 0 ? across_middle(j, m, 0) / 10 : 0;
    for (size_t f = 0; f < d; f++)
        u[f] = m == 0 ? 1 : u[f] > 0 ? 1 / ADV_MAX(u[f], least) : 0;
}

/* ---- A3 and A4: distances, and log odds ---------------------------------- */

/* A3: e of all places. */
static void across_chance(const across_job *j, const mtc_real *u, places *p)
{
    size_t d = j->r.d;
    for (size_t a = 0; a < p->count; a++) {
        p->e[a] = 0;
        for (size_t f = 0; f < d; f++)
            p->e[a] += p->v[a * d + f] * u[f] * u[f];
        p->e[a] /= p->n[a];
    }
}

static mtc_real across_distance(const across_job *j, const mtc_real *u,
    const places *p, size_t a, const places *q, size_t b)
{
    const size_t d = j->r.d;
    const mtc_real *x = p->c + a * d, *y = q->c + b * d;
    mtc_real square = -p->e[a] - q->e[b];
    if (j->sparse) {
        mtc_real xx = ADV_MAX(mtc_dot(d, x, x) - p->e[a], (mtc_real)0.001);
        mtc_real yy = ADV_MAX(mtc_dot(d, y, y) - q->e[b], (mtc_real)0.001);
        mtc_real cosine = mtc_dot(d, x, y) / ADV_SQRT(xx * yy);
        return ADV_SQRT(2 - 2 * ADV_MIN(cosine, 1));
    }
    for (size_t f = 0; f < d; f++)
        square += (x[f] - y[f]) * (x[f] - y[f]) * u[f] * u[f];
    return ADV_SQRT(ADV_MAX(square, 0));
}

/* The spread of a and b along the line between them. */
static mtc_real across_along(const across_job *j, const mtc_real *u,
    const places *p, size_t a, size_t b)
{
    size_t d = j->r.d;
    mtc_real length = 0, spread = 0;
    for (size_t f = 0; f < d; f++) {
        mtc_real by = (p->c[a * d + f] - p->c[b * d + f]) * u[f];
        length += by * by;
        spread += by * by * u[f] * u[f] *
                  (p->v[a * d + f] + p->v[b * d + f]) / 2;
    }
    return length > 0 ? ADV_SQRT(spread / length) : 0;
}

static mtc_real across_ratio(mtc_real D, mtc_real R, int alone)
{
    if (R > 0)
        return D / R;
    return D > 0 ? ADV_HUGE : alone ? 0 : 1;
}

/* rho of clusters of two tasks. */
static mtc_real across_rho(const across_job *j, const across_pairs *E,
    size_t a, size_t b)
{
    size_t A = j->all.count, of[] = {j->task[a], j->task[b]};
    mtc_real R = ADV_HUGE;
    for (size_t i = 0; i < 2; i++)
        for (size_t o = j->first[of[i]]; o < j->first[of[i] + 1]; o++)
            if (o != a && o != b)
                R = ADV_MIN(R, ADV_MIN(E->D[a * A + o], E->D[b * A + o]));
    int alone = R == ADV_HUGE;
    if (alone)
        R = 5 * across_along(j, E->u, &j->changed, a, b);
    return across_ratio(E->D[a * A + b], R, alone);
}

/* share of a and b. */
static mtc_real across_share(const across_job *j, const across_pairs *E,
    size_t a, size_t b)
{
    size_t A = j->all.count, s = j->task[a], t = j->task[b], near = 0;
    size_t least = ADV_MIN(j->first[s + 1] - j->first[s],
                           j->first[t + 1] - j->first[t]);
    for (size_t x = j->first[s]; x < j->first[s + 1]; x++)
        for (size_t y = j->first[t]; y < j->first[t + 1]; y++)
            near += x != a && y != b && E->rho[x * A + y] < ACROSS_NEAR;
    if (least < 2)
        return 0;
    return (mtc_real)ADV_MIN(near, least - 1) / (mtc_real)(least - 1);
}

static mtc_real across_odds(const across_job *j, const across_pairs *E,
    size_t a, size_t b)
{
    size_t ab = a * j->all.count + b;
    mtc_real rho = E->rho[ab], D = E->D[ab], delta = 5 * rho, odds;
    if (j->task[a] == j->task[b])
        return ACROSS_NEVER;
    if (!j->sparse && D > 0) {
        mtc_real along = across_along(j, E->u, &j->changed, a, b);
        delta = along * 1000 > D ? D / along : 1000;
    } else if (!j->sparse)
        delta = 0;
    if (rho > 1000 || delta > 1000)
        return -5;
    if (!(rho > 0))
        return 5;
    odds = 3 * mtc_log(ACROSS_NEAR / rho) - (mtc_real)0.6 * delta +
           3 * across_share(j, E, a, b);
    return ADV_MAX(ADV_MIN(odds, 5), -5);
}

/* ---- A5: groups ---------------------------------------------------------- */

/* The two groups with the highest mean L, if that is above 0. */
static int across_next(const across_job *j, size_t *a, size_t *b)
{
    size_t A = j->all.count;
    mtc_real highest = 0;
    for (size_t x = 0; x < A; x++)
        for (size_t y = x + 1; y < A && j->size[x] > 0; y++) {
            if (j->size[y] == 0)
                continue;
            mtc_real mean = j->sum[x * A + y] /
                            (mtc_real)(j->size[x] * j->size[y]);
            if (mean <= highest)
                continue;
            highest = mean;
            *a = x;
            *b = y;
        }
    return highest > 0;
}

static void across_join(across_job *j, across_pairs *E)
{
    size_t A = j->all.count, a, b;
    ADV_COPY(j->sum, E->L, A * A);
    for (size_t x = 0; x < A; x++) {
        E->group[x] = x;  /* the first cluster of it */
        j->size[x] = 1;
    }
    while (across_next(j, &a, &b)) {
        for (size_t x = 0; x < A; x++) {
            j->sum[a * A + x] += j->sum[b * A + x];
            j->sum[x * A + a] = j->sum[a * A + x];
            if (E->group[x] == b)
                E->group[x] = a;
        }
        j->size[a] += j->size[b];
        j->size[b] = 0;
    }
    E->groups = E->joined = 0;
    for (size_t x = 0; x < A; x++) {
        E->joined += j->size[x] * (j->size[x] - (j->size[x] > 0)) / 2;
        E->group[x] = E->group[x] == x ? E->groups++
                                       : E->group[E->group[x]];
    }
}

/* A2 to A5 of the clusters as they are in `changed`. */
static void across_pair(across_job *j, across_pairs *E)
{
    size_t A = j->all.count;
    places *p = &j->changed;
    across_scales(j, p, MTC_NONE, E->u);
    across_chance(j, E->u, p);
    for (size_t a = 0; a < A; a++)
        for (size_t b = 0; b < A; b++)
            E->D[a * A + b] = across_distance(j, E->u, p, ADV_MIN(a, b), p,
                                              ADV_MAX(a, b));
    for (size_t a = 0; a < A; a++)
        for (size_t b = 0; b < A; b++)
            E->rho[a * A + b] = j->task[a] == j->task[b]
                ? ADV_HUGE : across_rho(j, E, ADV_MIN(a, b), ADV_MAX(a, b));
    for (size_t a = 0; a < A; a++)
        for (size_t b = 0; b < A; b++)
            E->L[a * A + b] = across_odds(j, E, ADV_MIN(a, b), ADV_MAX(a, b));
    across_join(j, E);
}

/* ---- A6: maps ------------------------------------------------------------ */

typedef struct across_map {   /* of task t */
    across_job *j;
    size_t t, k, K;           /* clusters of t; groups of the others */
    places own, moved, ref;   /* the clusters as they are, mapped; the groups */
    mtc_real *u, dim;         /* [d] of the other tasks */
    mtc_real *between, *to;   /* [K*K] of the groups, [k*K] scratch */
    mtc_real *tiny;           /* [d] added to variances */
    size_t *match;            /* [k] A group, or MTC_NONE */
    size_t *last, *known;     /* [k] the match before; that of A5 */
    mtc_real *rho;            /* [k] */
    mtc_real *scale, *offset; /* [d] */
    unsigned char *kind;      /* [d] */
    mtc_real gain, *best_scale, *best_offset;
    unsigned char *best_kind;
} across_map;

static mtc_status map_take(adv_desk *desk, across_job *j, across_map *m)
{
    size_t A = j->all.count, d = j->r.d;
    ADV_TRY(places_take(desk, A, d, &m->moved));
    ADV_TRY(places_take(desk, A, d, &m->ref));
    ADV_REALS(desk, A * A, &m->between, &m->to);
    ADV_REALS(desk, A, &m->rho);
    ADV_SIZES(desk, A, &m->match, &m->last, &m->known);
    ADV_REALS(desk, d, &m->u, &m->tiny, &m->scale, &m->offset,
              &m->best_scale, &m->best_offset);
    m->kind = ADV_TAKE(desk, d, unsigned char);
    m->best_kind = ADV_TAKE(desk, d, unsigned char);
    return desk->status;
}

/* The groups of the other tasks, and to which of them a cluster belongs. */
static void map_groups(across_map *m, const across_pairs *E)
{
    across_job *j = m->j;
    size_t d = j->r.d, begin = j->first[m->t];
    places *p = &j->changed, *ref = &m->ref;
    m->K = 0;
    for (size_t g = 0; g < E->groups; g++) {
        size_t at = m->K;
        ref->n[at] = 0;
        ADV_ZERO(ref->c + at * d, d);
        ADV_ZERO(ref->v + at * d, d);
        for (size_t a = 0; a < p->count; a++) {
            if (E->group[a] != g || j->task[a] == m->t)
                continue;
            ref->n[at] += p->n[a];
            for (size_t f = 0; f < d; f++) {
                ref->c[at * d + f] += p->n[a] * p->c[a * d + f];
                ref->v[at * d + f] += p->n[a] * p->v[a * d + f];
            }
        }
        m->K += ref->n[at] > 0;
        for (size_t f = 0; f < d && ref->n[at] > 0; f++) {
            ref->c[at * d + f] /= ref->n[at];
            ref->v[at * d + f] /= ref->n[at];
        }
        for (size_t i = 0; i < m->k; i++)
            if (E->group[begin + i] == g)
                m->known[i] = ref->n[at] > 0 ? at : MTC_NONE;
    }
    ref->count = m->K;
}

/* dim: how many dimensions the groups fill. */
static mtc_real map_dimension(const across_map *m)
{
    size_t d = m->j->r.d, K = m->K;
    mtc_real trace = 0, squares = 0, *mean = m->scale;  /* scratch */
    ADV_ZERO(mean, d);
    for (size_t g = 0; g < K; g++)
        for (size_t f = 0; f < d; f++)
            mean[f] += m->ref.c[g * d + f] / (mtc_real)K;
    for (size_t g = 0; g < K; g++)
        for (size_t h = 0; h < K; h++) {
            mtc_real dot = 0;
            for (size_t f = 0; f < d; f++)
                dot += (m->ref.c[g * d + f] - mean[f]) * m->u[f] *
                       (m->ref.c[h * d + f] - mean[f]) * m->u[f];
            trace += g == h ? dot : 0;
            squares += dot * dot;
        }
    return squares > 0 ? trace * trace / squares : 0;
}

/* All that the maps of a task share; 0: it can have none. */
static int map_begin(across_map *m, const across_pairs *E, size_t t)
{
    across_job *j = m->j;
    size_t d = j->r.d, begin = j->first[t];
    m->t = t;
    m->k = j->first[t + 1] - begin;
    m->own = (places){m->k, j->changed.c + begin * d,
                      j->changed.v + begin * d, j->changed.n + begin, NULL};
    m->moved.count = m->k;
    ADV_COPY(m->moved.n, m->own.n, m->k);
    map_groups(m, E);
    if (m->k < 2 || m->K < 2)
        return 0;
    across_scales(j, &j->changed, t, m->u);
    m->dim = map_dimension(m);
    ADV_ZERO(m->tiny, d);
    for (size_t f = 0; f < d; f++) {
        for (size_t i = 0; i < m->k; i++)
            m->tiny[f] = ADV_MAX(m->own.v[i * d + f], m->tiny[f]);
        for (size_t g = 0; g < m->K; g++)
            m->tiny[f] = ADV_MAX(m->ref.v[g * d + f], m->tiny[f]);
        m->tiny[f] *= (mtc_real)1e-12;
    }
    return 1;
}

/* Distances between the groups, by u. */
static void map_between(across_map *m, const mtc_real *u)
{
    across_chance(m->j, u, &m->ref);
    for (size_t g = 0; g < m->K; g++)
        for (size_t h = 0; h < g; h++)
            m->between[g * m->K + h] = m->between[h * m->K + g] =
                across_distance(m->j, u, &m->ref, g, &m->ref, h);
}

/* near: the clusters under the map, and with which groups they match.  Returns
 * the sum of ln(.5 / rho). */
static mtc_real map_near(across_map *m, const mtc_real *u, size_t *matched)
{
    size_t d = m->j->r.d, k = m->k, K = m->K;
    mtc_real sum = 0;
    for (size_t e = 0; e < k * d; e++) {
        size_t f = e % d;
        m->moved.c[e] = m->scale[f] * m->own.c[e] + m->offset[f];
        m->moved.v[e] = m->scale[f] * m->scale[f] * m->own.v[e];
    }
    across_chance(m->j, u, &m->moved);
    for (size_t i = 0; i < k; i++)
        for (size_t g = 0; g < K; g++)
            m->to[i * K + g] = across_distance(m->j, u, &m->moved, i, &m->ref,
                                               g);
    *matched = 0;
    for (size_t i = 0; i < k; i++) {
        const mtc_real *to = m->to + i * K;
        mtc_real R = ADV_HUGE;
        size_t g = 0;
        for (size_t h = 1; h < K; h++)
            g = to[h] < to[g] ? h : g;
        for (size_t h = 0; h < K; h++)
            if (h != g)
                R = ADV_MIN(R, ADV_MIN(to[h], m->between[g * K + h]));
        for (size_t o = 0; o < k; o++)
            if (o != i)
                R = ADV_MIN(R, ADV_MIN(m->to[o * K + g],
                    across_distance(m->j, u, &m->moved, i, &m->moved, o)));
        m->rho[i] = ADV_MAX(across_ratio(to[g], R, 0), ACROSS_LEAST);
        m->match[i] = m->rho[i] < ACROSS_NEAR ? g : MTC_NONE;
        if (m->match[i] == MTC_NONE)
            continue;
        sum += mtc_log(ACROSS_NEAR / m->rho[i]);
        ++*matched;
    }
    return sum;
}

/* r: by which factor column f of group g spreads more than that of cluster i;
 * its log. */
static mtc_real map_ratio(const across_map *m, size_t i, size_t g, size_t f)
{
    size_t d = m->j->r.d;
    if (!(m->tiny[f] > 0))
        return 0;
    return mtc_log((m->ref.v[g * d + f] + m->tiny[f]) /
                   (m->own.v[i * d + f] + m->tiny[f])) / 2;
}

/* The mean of r over matches, and whether these agree on it. */
static mtc_real map_ratios(const across_map *m, const size_t *match, size_t f,
    int *agreed)
{
    mtc_real n = 0, mean = 0, square = 0;
    for (size_t i = 0; i < m->k; i++)
        if (match[i] != MTC_NONE) {
            mean += map_ratio(m, i, match[i], f);
            n += 1;
        }
    mean /= ADV_MAX(n, 1);
    for (size_t i = 0; i < m->k; i++)
        if (match[i] != MTC_NONE) {
            mtc_real off = map_ratio(m, i, match[i], f) - mean;
            square += off * off;
        }
    *agreed = ADV_FABS(mean) >
              3 * ADV_SQRT((mtc_real)0.0625 + square / ADV_MAX(n, 1));
    return mean;
}

/* The means over matches, weights n n' / (n + n'), of a column's map. */
typedef struct map_means {
    mtc_real all, x, y, xx, xy, yy;  /* the last three about the means */
} map_means;

static map_means map_sums(const across_map *m, size_t f)
{
    size_t d = m->j->r.d;
    map_means s = {0, 0, 0, 0, 0, 0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < m->k; i++) {
            size_t g = m->match[i];
            if (g == MTC_NONE)
                continue;
            mtc_real w = m->own.n[i] * m->ref.n[g] /
                         (m->own.n[i] + m->ref.n[g]);
            mtc_real x = m->own.c[i * d + f], y = m->ref.c[g * d + f];
            if (pass == 0) {
                mtc_real all = s.all + w;
                s.x += (x - s.x) * w / all;
                s.y += (y - s.y) * w / all;
                s.all = all;
                continue;
            }
            s.xx += w * (x - s.x) * (x - s.x) / s.all;
            s.xy += w * (x - s.x) * (y - s.y) / s.all;
            s.yy += w * (y - s.y) * (y - s.y) / s.all;
        }
    return s;
}

/* Column f: the first kind of map that serves. */
static void map_fit(across_map *m, size_t f)
{
    map_means s = map_sums(m, f);
    int agreed;
    mtc_real by = mtc_exp(map_ratios(m, m->match, f, &agreed));
    mtc_real zero = m->j->o.zero != NULL ? m->j->o.zero[f] : 0;
    mtc_real slope = s.xx > 0 ? s.xy / s.xx : 0, error[4], least = ADV_HUGE;
    if (slope * (mtc_real)1.5 >= by && slope <= (mtc_real)1.5 * by)
        by = slope;
    const mtc_real scale[] = {1, by, 1, by};
    const mtc_real offset[] = {0, (1 - by) * zero, s.y - s.x, s.y - by * s.x};
    for (size_t way = 0; way < 4; way++) {
        mtc_real a = scale[way], off = a * s.x + offset[way] - s.y;
        mtc_real square = a * a * s.xx - 2 * a * s.xy + s.yy + off * off;
        error[way] = ADV_SQRT(ADV_MAX(square, 0)) * m->u[f];
        least = ADV_MIN(error[way], least);
    }
    size_t way = 0;
    while (error[way] > ADV_MAX(2 * least, 1))
        way++;
    m->scale[f] = scale[way];
    m->offset[f] = offset[way];
    m->kind[f] = (unsigned char)way;
}

/* The map from anchor i and g; by_ratio: columns that spread otherwise are
 * scaled from the start.  Returns how many clusters match; *sum as map_near. */
static size_t map_follow(across_map *m, size_t i, size_t g, int by_ratio,
    mtc_real *sum)
{
    size_t d = m->j->r.d, matched;
    const mtc_real much = mtc_log((mtc_real)1.5);
    for (size_t f = 0; f < d; f++) {
        mtc_real r = by_ratio ? map_ratio(m, i, g, f) : 0;
        m->scale[f] = ADV_FABS(r) > much ? mtc_exp(r) : 1;
        m->offset[f] = m->ref.c[g * d + f] -
                       m->scale[f] * m->own.c[i * d + f];
    }
    for (int step = 0; step < 3; step++) {
        *sum = map_near(m, m->u, &matched);
        if (matched < 2)
            return 0;
        if (step > 0 && memcmp(m->last, m->match, m->k * sizeof *m->last) == 0)
            return matched;  /* the same columns would follow */
        ADV_COPY(m->last, m->match, m->k);
        for (size_t f = 0; f < d; f++)
            map_fit(m, f);
    }
    *sum = map_near(m, m->u, &matched);
    return matched < 2 ? 0 : matched;
}

/* A6: the gain of the map as it is, without what is known; 0: it changes
 * nothing.  *scales: it scales a column. */
static mtc_real map_gain(const across_map *m, mtc_real sum, size_t matched,
    int *scales)
{
    size_t d = m->j->r.d, T = m->j->r.tasks;
    mtc_real cost = 0, first = 0, second = 0;
    int changes = 0;
    *scales = 0;
    for (size_t f = 0; f < d; f++) {
        int scaled = (m->kind[f] & MTC_ACROSS_SCALED) != 0, agreed;
        int moved = (m->kind[f] & MTC_ACROSS_MOVED) != 0;
        mtc_real each = (mtc_real)(scaled + moved);
        map_ratios(m, m->match, f, &agreed);
        if (scaled && agreed) {
            mtc_real size = ADV_FABS(mtc_log(m->scale[f]));
            size = ADV_MIN(size, 4);
            second = ADV_MAX(ADV_MIN(first, size), second);
            first = ADV_MAX(first, size);
            each /= 2;
        }
        cost += each;
        changes |= each > 0;
        *scales |= scaled;
    }
    if (!changes)
        return 0;
    mtc_real left = 1 - cost / (mtc_real)d / (mtc_real)matched;
    mtc_real tries = (mtc_real)(2 * m->k * m->K) * (mtc_real)(T > 2 ? T : 1);
    return m->dim * sum * ADV_MAX(left, 0) - mtc_log(tries) + first + second;
}

/* What E knows of the task without a map: S0.  Returns how many clusters have
 * a partner, or MTC_NONE if no map is needed. */
static size_t map_known(across_map *m, const across_pairs *E, mtc_real *score)
{
    size_t d = m->j->r.d, now = 0, matched;
    int differs = 0, agreed;
    *score = 0;
    for (size_t f = 0; f < d; f++) {
        m->scale[f] = 1;
        m->offset[f] = 0;
    }
    map_between(m, E->u);
    map_near(m, E->u, &matched);
    for (size_t i = 0; i < m->k; i++) {
        now += m->known[i] != MTC_NONE;
        if (m->known[i] != MTC_NONE && m->match[i] == m->known[i])
            *score += m->dim * mtc_log(ACROSS_NEAR / m->rho[i]);
    }
    for (size_t f = 0; f < d; f++) {
        map_ratios(m, m->known, f, &agreed);
        differs |= agreed;
    }
    return now == ADV_MIN(m->k, m->K) && !differs ? MTC_NONE : now;
}

/* The best map of task t: its gain, or 0. */
static mtc_real map_find(across_map *m, const across_pairs *E, size_t t,
    size_t *partners)
{
    size_t d = m->j->r.d;
    mtc_real score, sum;
    int scales;
    m->gain = 0;
    if (!map_begin(m, E, t))
        return 0;
    *partners = map_known(m, E, &score);
    if (*partners == MTC_NONE)
        return 0;
    map_between(m, m->u);
    for (size_t i = 0; i < m->k; i++)
        for (size_t g = 0; g < 2 * m->K; g++) {
            size_t matched = map_follow(m, i, g / 2, g % 2 == 1, &sum);
            if (matched == 0)
                continue;
            mtc_real gain = map_gain(m, sum, matched, &scales) - score;
            if (gain <= m->gain || matched < *partners ||
                (matched == *partners && !scales))
                continue;
            m->gain = gain;
            ADV_COPY(m->best_scale, m->scale, d);
            ADV_COPY(m->best_offset, m->offset, d);
            ADV_COPY(m->best_kind, m->kind, d);
        }
    return m->gain;
}

/* Maps task t in the list of clusters, or undoes that. */
static void across_change(across_job *j, const across_map *m, size_t t)
{
    size_t d = j->r.d, begin = j->first[t] * d, end = j->first[t + 1] * d;
    for (size_t e = begin; e < end; e++) {
        mtc_real a = m != NULL ? m->best_scale[e % d] : 1;
        mtc_real b = m != NULL ? m->best_offset[e % d] : 0;
        j->changed.c[e] = a * j->all.c[e] + b;
        j->changed.v[e] = a * a * j->all.v[e];
    }
}

/* Tries the best map of task t; it stays if more clusters are joined. */
static void across_try(across_job *j, const across_map *m, size_t t)
{
    size_t d = j->r.d;
    int scales = 0;
    for (size_t f = 0; f < d; f++)
        scales |= (m->best_kind[f] & MTC_ACROSS_SCALED) != 0;
    across_change(j, m, t);
    across_pair(j, j->then);
    if (j->then->joined < j->now->joined + !scales) {
        across_change(j, NULL, t);
        return;
    }
    across_pairs *better = j->then;
    j->then = j->now;
    j->now = better;
    j->r.gain[t] = m->gain;
    ADV_COPY(j->r.scale + t * d, m->best_scale, d);
    ADV_COPY(j->r.offset + t * d, m->best_offset, d);
    ADV_COPY(j->r.kind + t * d, m->best_kind, d);
}

/* A6: a task is tried once at most, of two tasks only the second. */
static mtc_status across_maps(adv_desk *desk, across_job *j)
{
    size_t T = j->r.tasks, *done = ADV_TAKE(desk, T, size_t);
    across_map m = {.j = j};
    ADV_TRY(desk->status);
    ADV_TRY(map_take(desk, j, &m));
    for (size_t t = 0; t < T; t++)
        done[t] = T == 2 && t == 0;
    for (;;) {
        size_t best = MTC_NONE, least = MTC_NONE, partners = 0;
        mtc_real most = 0;
        for (size_t t = 0; t < T; t++) {
            ADV_TRY(adv_tick(desk->ctx, "across", t, T));
            mtc_real gain = done[t] ? 0 : map_find(&m, j->now, t, &partners);
            if (gain < ACROSS_GAIN || (best != MTC_NONE && (partners > least ||
                (partners == least && gain <= most))))
                continue;
            best = t;
            least = partners;
            most = gain;
        }
        if (best == MTC_NONE)
            return MTC_OK;
        done[best] = 1;
        map_find(&m, j->now, best, &partners);  /* again: others came after */
        across_try(j, &m, best);
    }
}

/* ---- the answer ---------------------------------------------------------- */

/* How a column of a task spreads beside the others': suspicious ratios. */
static void across_suspect(across_job *j, size_t t, size_t f)
{
    size_t T = j->r.tasks, m = 0;
    mtc_real ratio[2] = {1, 1}, own[2] = {0, 0};
    for (size_t way = 0; way < 2; way++) {
        m = 0;
        for (size_t s = 0; s < T; s++) {
            mtc_real in, between = across_between(j, &j->all, s, f, &in);
            mtc_real spread = ADV_SQRT(way == 0 ? in : between);
            if (s == t)
                own[way] = spread;
            else
                j->key[m++] = spread;
        }
        mtc_real middle = across_middle(j, m, 1);
        ratio[way] = middle > 0 ? own[way] / middle : 1;
    }
    if ((ratio[0] > 5 && ratio[1] > 5) || (ratio[0] > 0 && ratio[1] > 0 &&
        5 * ratio[0] < 1 && 5 * ratio[1] < 1))
        j->r.odd[t * j->r.d + f] = ratio[0];
}

static mtc_real across_logistic(mtc_real x)
{
    return 1 / (1 + mtc_exp(-x));
}

/* How sure group g is, from the log odds of its pairs or, alone, of the nearest
 * cluster of another task. */
static void across_sure(across_job *j, size_t g)
{
    const across_pairs *E = j->now;
    size_t A = j->all.count, n = 0, pairs = 0, own = 0, near = MTC_NONE;
    mtc_real sum = 0, most = ACROSS_NEVER;
    for (size_t a = 0; a < A; a++) {
        if (E->group[a] != g)
            continue;
        n++;
        own = a;
        for (size_t b = 0; b < A; b++) {
            mtc_real L = E->L[a * A + b];
            pairs += b < a && E->group[b] == g;
            sum += b < a && E->group[b] == g ? L : 0;
            if (j->task[a] == j->task[b] || L <= most)
                continue;
            most = L;
            near = b;
        }
    }
    j->r.perhaps[g] = -1;
    if (n > 1) {
        j->r.sure[g] = across_logistic(sum / (mtc_real)pairs);
        return;
    }
    j->r.sure[g] = across_logistic(near == MTC_NONE ? 5 : -most);
    if (!j->r.anchored[j->task[own]] && near != MTC_NONE)
        j->r.sure[g] = ADV_MIN(j->r.sure[g], (mtc_real)0.8);
    if (near != MTC_NONE && most > -mtc_log(9))
        j->r.perhaps[g] = (int)E->group[near];
}

/* The log odds of a mapped task are at most those of its map; then all that is
 * said of groups and clusters. */
static void across_tell(across_job *j)
{
    across_pairs *E = j->now;
    size_t A = j->all.count, T = j->r.tasks;
    j->r.groups = E->groups;
    for (size_t t = 0; t < T; t++)
        j->r.anchored[t] = 0;
    for (size_t a = 0; a < A; a++)
        for (size_t b = 0; b < A; b++) {
            mtc_real *L = &E->L[a * A + b];
            size_t of[] = {j->task[a], j->task[b]};
            for (size_t i = 0; i < 2 && of[0] != of[1]; i++)
                if (j->r.gain[of[i]] > 0)
                    *L = ADV_MIN(*L, j->r.gain[of[i]] - 2);
            if (a != b && E->group[a] == E->group[b])
                j->r.anchored[of[0]] = 1;
        }
    for (size_t a = 0; a < A; a++) {
        size_t s = j->task[a];
        j->r.group[s][j->number[a]] = (int)E->group[a];
        for (size_t b = 0; b < A; b++)
            if (s != j->task[b])
                j->r.same[s * T + j->task[b]][j->number[a] *
                    j->r.clusters[j->task[b]] + j->number[b]] =
                    across_logistic(E->L[a * A + b]);
    }
    for (size_t g = 0; g < E->groups; g++)
        across_sure(j, g);
}

/* The numbers of clusters, and where the parts of the result lie. */
static void across_lay(across_job *j)
{
    mtc_across_result *r = &j->r;
    size_t T = r->tasks;
    mtc_real *same = r->same[0];
    size_t *clusters = (size_t *)r->clusters;  /* ours until we return */
    for (size_t t = 0; t < T; t++)
        clusters[t] = across_clusters(j->labels[t], j->tasks[t].n);
    for (size_t t = 1; t < T; t++)
        r->group[t] = r->group[t - 1] + clusters[t - 1];
    for (size_t e = 0; e < T * T; e++) {
        size_t size = clusters[e / T] * clusters[e % T];
        r->same[e] = e / T == e % T ? NULL : same;
        if (r->same[e] == NULL)
            continue;
        ADV_ZERO(same, size);
        same += size;
    }
    for (size_t e = 0; e < T * r->d; e++) {
        r->scale[e] = r->odd[e] = 1;
        r->offset[e] = 0;
        r->kind[e] = MTC_ACROSS_AS_IS;
    }
    ADV_ZERO(r->gain, T);
}

static mtc_status across_work(adv_desk *desk, void *job)
{
    across_job *j = (across_job *)job;
    across_pairs pairs[2];
    size_t d = j->r.d, T = j->r.tasks, most;
    mtc_real zeros;
    across_lay(j);
    j->sparse = adv_sparse(j->tasks, T, &zeros);
    ADV_TRY(across_list(desk, j));
    size_t A = j->all.count;
    most = ADV_MAX(adv_mul(2, T), d);
    ADV_TRY(places_take(desk, A, d, &j->changed));
    for (size_t i = 0; i < 2; i++) {
        ADV_REALS(desk, d, &pairs[i].u);
        ADV_REALS(desk, adv_mul(A, A), &pairs[i].D, &pairs[i].rho,
                  &pairs[i].L);
        ADV_SIZES(desk, A, &pairs[i].group);
    }
    ADV_REALS(desk, adv_mul(A, A), &j->sum);
    ADV_SIZES(desk, A, &j->size);
    ADV_SIZES(desk, most, &j->order);
    ADV_REALS(desk, most, &j->key, &j->base);
    ADV_TRY(desk->status);
    j->now = &pairs[0];
    j->then = &pairs[1];
    ADV_COPY(j->changed.n, j->all.n, A);
    for (size_t t = 0; t < T; t++)
        across_change(j, NULL, t);
    across_pair(j, j->now);
    if (!j->sparse && T > 1)
        for (size_t e = 0; e < T * d; e++)
            across_suspect(j, e / d, e % d);
    if (!j->sparse && T > 1 && j->o.maps)
        ADV_TRY(across_maps(desk, j));
    across_tell(j);
    return MTC_OK;
}

mtc_across_options mtc_across_defaults(void)
{
    return (mtc_across_options){.maps = 1, .zero = NULL};
}

mtc_status mtc_across(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
    const int *const *labels, const mtc_across_options *opt,
    mtc_across_result *res)
{
    across_job job = {.tasks = tasks, .labels = labels, .r.tasks = n_tasks};
    job.o = opt != NULL ? *opt : mtc_across_defaults();
    ADV_TRY(adv_check_sets(ctx, tasks, n_tasks));
    ADV_TRY(adv_require(ctx, labels != NULL, "labels"));
    job.r.d = tasks[0].d;
    for (size_t t = 0; t < n_tasks; t++) {
        if (labels[t] == NULL)
            return adv_fail(ctx, MTC_INVALID, "labels", t, MTC_NONE, MTC_NONE);
        size_t k = across_clusters(labels[t], tasks[t].n);
        if (k > tasks[t].n)
            return adv_fail(ctx, MTC_INVALID, "labels: need less than n", t,
                            MTC_NONE, MTC_NONE);
        job.K = adv_add(job.K, k);
    }
    for (size_t f = 0; f < job.r.d && job.o.zero != NULL; f++)
        ADV_TRY(adv_require(ctx, ADV_FINITE(job.o.zero[f]),
                            "zero: not finite"));
    return adv_result(ctx, across_shape, across_work, &job, res);
}
