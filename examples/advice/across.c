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

typedef struct across_column {  /* the map of one */
    mtc_real scale, offset;
    unsigned char kind;
} across_column;

static const across_column across_as_is = {1, 0, MTC_ACROSS_AS_IS};

typedef struct across_lot {   /* a cluster, or a group of them */
    size_t task, number;
    mtc_real n, *c, *v;       /* rows; [d] center, variances */
    mtc_real e;               /* A3 */
} across_lot;

typedef struct scene {        /* lots that are compared */
    size_t count, d;
    int sparse;
    across_lot *of;           /* [count] */
    mtc_real *u;              /* [d] A2: 1 / w */
    mtc_real *D;              /* [count*count] A3 */
} scene;

typedef struct across_job {
    const mtc_data *tasks;
    const int *const *labels;
    mtc_across_options o;
    mtc_across_result r;
    size_t K;                 /* numbers of clusters, */
    across_lot *as_is;        /* [A] and those of them that have rows, */
    scene s;                  /* mapped */
    across_column *at;        /* [T*d] the maps of tasks */
    mtc_real *rho, *L;        /* [A*A] A4 */
    size_t *group, groups;    /* [A] A5, and how many there are */
    size_t joined;            /* pairs of clusters in one group */
    mtc_real *sum;            /* [A*A] scratch of A5 */
    size_t *size, *order;     /* scratch */
    mtc_real *key, *in, *all; /* scratch */
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
static size_t across_numbers(const int *labels, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (labels[i] >= 0 && (size_t)labels[i] >= k)
            k = (size_t)labels[i] + 1;
    return k;
}

static mtc_status scene_take(adv_desk *desk, size_t count, scene *s)
{
    mtc_real *c, *v;
    s->of = ADV_TAKE(desk, count, across_lot);
    ADV_REALS(desk, s->d, &s->u);
    ADV_REALS(desk, adv_mul(count, s->d), &c, &v);
    ADV_REALS(desk, adv_mul(count, count), &s->D);
    ADV_TRY(desk->status);
    for (size_t a = 0; a < count; a++)
        s->of[a] = (across_lot){.c = c + a * s->d, .v = v + a * s->d};
    return MTC_OK;
}

/* ---- A1: centers and variances ------------------------------------------- */

/* Variances from sums of squares v [k*d]; a single row has none of its own, and
 * gets what the others have. */
static void across_variances(size_t k, size_t d, const mtc_real *n, mtc_real *v)
{
    for (size_t f = 0; f < d; f++) {
        mtc_real sum = 0, weight = 0;
        for (size_t z = 0; z < k; z++) {
            sum += v[z * d + f];
            weight += ADV_MAX(n[z], 1) - 1;
        }
        mtc_real lent = weight > 0 ? sum / weight : 0;
        for (size_t z = 0; z < k; z++)
            v[z * d + f] = n[z] > 1 ? v[z * d + f] / (n[z] - 1) : lent;
    }
}

/* The clusters of task t that have rows. */
static mtc_status across_add(adv_desk *desk, across_job *j, size_t t)
{
    size_t d = j->s.d, k = j->r.clusters[t];
    mtc_data X = j->tasks[t];
    mtc_real *n, *c, *v;
    ADV_REALS(desk, k, &n);
    ADV_REALS(desk, adv_mul(k, d), &c, &v);
    if (j->s.sparse)
        X = adv_directions(desk, &j->tasks[t]);
    ADV_TRY(desk->status);
    adv_moments(&X, j->labels[t], k, n, c, v);
    across_variances(k, d, n, v);
    for (size_t z = 0; z < k; z++) {
        j->r.group[t][z] = -1;
        if (n[z] > 0)
            j->as_is[j->s.count++] = (across_lot){t, z, n[z], c + z * d,
                                                  v + z * d, 0};
    }
    return MTC_OK;
}

/* ---- A2: scales ---------------------------------------------------------- */

/* The variances [T] of column f within the clusters of each task, and between
 * their centers; by rows. */
static void across_spreads(const across_job *j, size_t f, mtc_real *in,
    mtc_real *between)
{
    const across_lot *end = j->s.of + j->s.count;
    for (size_t t = 0; t < j->r.tasks; t++) {
        mtc_real n = 0, mean = 0;
        in[t] = between[t] = 0;
        for (const across_lot *a = j->s.of; a < end; a++)
            if (a->task == t) {
                n += a->n;
                mean += a->n * a->c[f];
                in[t] += a->n * a->v[f];
            }
        n = ADV_MAX(n, 1);
        mean /= n;
        in[t] /= n;
        for (const across_lot *a = j->s.of; a < end; a++)
            if (a->task == t)
                between[t] += a->n * (a->c[f] - mean) * (a->c[f] - mean);
        between[t] /= n;
    }
}

/* The scale of column f over all tasks but `without`; 0: it varies in none. */
static mtc_real across_scale(const across_job *j, size_t without, size_t f)
{
    size_t T = j->r.tasks, m = 0;
    mtc_real most = 0, largest = 0, *in = j->in, *all = j->all;
    for (const across_lot *a = j->s.of; a < j->s.of + j->s.count; a++)
        if (a->task != without)
            most = ADV_MAX(ADV_FABS(a->c[f]), most);
    across_spreads(j, f, in, all);
    for (size_t t = 0; t < T; t++) {
        all[t] = t == without ? 0 : ADV_SQRT(in[t] + all[t]);
        if (all[t] <= (mtc_real)1e-12 * most)
            all[t] = 0;
        largest = ADV_MAX(all[t], largest);
    }
    for (size_t t = 0; t < T; t++)
        if (all[t] > (mtc_real)1e-9 * largest) {
            in[m] = ADV_SQRT(in[t]);
            all[m++] = all[t];
        }
    if (m == 0)
        return 0;
    return ADV_MAX(adv_nth(m, in, (m - 1) / 2, j->order),
                   adv_nth(m, all, (m - 1) / 2, j->order) / 20);
}

/* u: 1 / w of all columns; 0 for one that varies in no task. */
static void across_scales(const across_job *j, size_t without, mtc_real *u)
{
    size_t d = j->s.d, m = 0;
    for (size_t f = 0; f < d; f++) {
        u[f] = j->s.sparse ? 0 : across_scale(j, without, f);
        if (u[f] > 0)
            j->key[m++] = u[f];
    }
    mtc_real least = m > 0 ? adv_median(m, j->key, j->order) / 10 : 0;
    for (size_t f = 0; f < d; f++)
        u[f] = m == 0 ? 1 : u[f] > 0 ? 1 / ADV_MAX(u[f], least) : 0;
}

/* Of which tasks column f spreads so otherwise that it is suspicious, by the
 * ratio to the others', within clusters and between their centers. */
static void across_suspect(const across_job *j, size_t f)
{
    mtc_real *spread[] = {j->in, j->all}, ratio[2];
    across_spreads(j, f, j->in, j->all);
    for (size_t t = 0; t < j->r.tasks; t++) {
        for (size_t way = 0; way < 2; way++) {
            size_t m = 0;
            for (size_t s = 0; s < j->r.tasks; s++)
                if (s != t)
                    j->key[m++] = ADV_SQRT(spread[way][s]);
            mtc_real middle = adv_nth(m, j->key, (m - 1) / 2, j->order);
            ratio[way] = middle > 0 ? ADV_SQRT(spread[way][t]) / middle : 1;
        }
        mtc_real low = ADV_MIN(ratio[0], ratio[1]);
        mtc_real high = ADV_MAX(ratio[0], ratio[1]);
        if (low > 5 || (low > 0 && 5 * high < 1))
            j->r.odd[t * j->r.d + f] = ratio[0];
    }
}

/* ---- A3 and A4: distances, and log odds ---------------------------------- */

static mtc_real scene_distance(const scene *s, size_t a, size_t b)
{
    const across_lot *x = s->of + a, *y = s->of + b;
    mtc_real square = -x->e - y->e;
    if (s->sparse) {
        mtc_real least = (mtc_real)0.001;
        mtc_real xx = ADV_MAX(mtc_dot(s->d, x->c, x->c) - x->e, least);
        mtc_real yy = ADV_MAX(mtc_dot(s->d, y->c, y->c) - y->e, least);
        mtc_real cosine = mtc_dot(s->d, x->c, y->c) / ADV_SQRT(xx * yy);
        return ADV_SQRT(2 - 2 * ADV_MIN(cosine, 1));
    }
    for (size_t f = 0; f < s->d; f++) {
        mtc_real off = x->c[f] - y->c[f];
        square += off * off * s->u[f] * s->u[f];
    }
    return ADV_SQRT(ADV_MAX(square, 0));
}

/* A3: e and D of all pairs of which one is among the first `some`. */
static void scene_measure(const scene *s, size_t some)
{
    size_t A = s->count;
    for (across_lot *a = s->of; a < s->of + A; a++) {
        a->e = 0;
        for (size_t f = 0; f < s->d; f++)
            a->e += a->v[f] * s->u[f] * s->u[f];
        a->e /= a->n;
    }
    for (size_t a = 0; a < some; a++)
        for (size_t b = a + 1; b < A; b++)
            s->D[a * A + b] = s->D[b * A + a] = scene_distance(s, a, b);
}

/* The spread of a and b along the line between them. */
static mtc_real scene_along(const scene *s, size_t a, size_t b)
{
    const across_lot *x = s->of + a, *y = s->of + b;
    mtc_real length = 0, spread = 0;
    for (size_t f = 0; f < s->d; f++) {
        mtc_real by = (x->c[f] - y->c[f]) * s->u[f];
        length += by * by;
        spread += by * by * s->u[f] * s->u[f] * (x->v[f] + y->v[f]) / 2;
    }
    return length > 0 ? ADV_SQRT(spread / length) : 0;
}

/* rho of lots of two tasks. */
static mtc_real scene_rho(const scene *s, size_t a, size_t b)
{
    size_t A = s->count, of_a = s->of[a].task, of_b = s->of[b].task;
    mtc_real D = s->D[a * A + b], R = ADV_HUGE;
    for (size_t o = 0; o < A; o++)
        if (o != a && o != b &&
            (s->of[o].task == of_a || s->of[o].task == of_b))
            R = ADV_MIN(R, ADV_MIN(s->D[a * A + o], s->D[b * A + o]));
    int alone = R == ADV_HUGE;
    if (alone)
        R = 5 * scene_along(s, a, b);
    if (R > 0)
        return D / R;
    return D > 0 ? ADV_HUGE : alone ? 0 : 1;
}

/* share of a and b. */
static mtc_real across_share(const across_job *j, size_t a, size_t b)
{
    const across_lot *of = j->s.of;
    size_t A = j->s.count, near = 0, in_a = 0, in_b = 0;  /* but a, but b */
    for (size_t x = 0; x < A; x++) {
        in_b += x != b && of[x].task == of[b].task;
        if (x == a || of[x].task != of[a].task)
            continue;
        in_a++;
        for (size_t y = 0; y < A; y++)
            near += y != b && of[y].task == of[b].task &&
                    j->rho[x * A + y] < ACROSS_NEAR;
    }
    size_t least = ADV_MIN(in_a, in_b);
    return least > 0 ? (mtc_real)ADV_MIN(near, least) / (mtc_real)least : 0;
}

static mtc_real across_odds(const across_job *j, size_t a, size_t b)
{
    const scene *s = &j->s;
    size_t ab = a * s->count + b;
    mtc_real rho = ADV_MIN(j->rho[ab], 1000), delta = 5 * rho;
    if (!s->sparse) {
        mtc_real along = ADV_MAX(scene_along(s, a, b), ADV_TINY);
        delta = ADV_MIN(s->D[ab] / along, 1000);
    }
    mtc_real odds = 3 * mtc_log(ACROSS_NEAR / ADV_MAX(rho, ADV_TINY)) -
                    (mtc_real)0.6 * delta + 3 * across_share(j, a, b);
    return ADV_MAX(ADV_MIN(odds, 5), -5);
}

/* ---- A5: groups ---------------------------------------------------------- */

/* The two groups with the highest mean L, if that is above 0.  A group has the
 * number of its first cluster. */
static int across_next(const across_job *j, size_t *a, size_t *b)
{
    size_t A = j->s.count;
    mtc_real highest = 0;
    for (size_t x = 0; x < A; x++)
        for (size_t y = x + 1; y < A; y++) {
            mtc_real pairs = (mtc_real)(j->size[x] * j->size[y]);
            if (!(pairs > 0) || j->sum[x * A + y] / pairs <= highest)
                continue;
            highest = j->sum[x * A + y] / pairs;
            *a = x;
            *b = y;
        }
    return highest > 0;
}

static void across_join(across_job *j)
{
    size_t A = j->s.count, a, b;
    ADV_COPY(j->sum, j->L, A * A);
    for (size_t x = 0; x < A; x++) {
        j->group[x] = x;
        j->size[x] = 1;
    }
    j->joined = 0;
    while (across_next(j, &a, &b)) {
        for (size_t x = 0; x < A; x++) {
            j->sum[a * A + x] += j->sum[b * A + x];
            j->sum[x * A + a] = j->sum[a * A + x];
            if (j->group[x] == b)
                j->group[x] = a;
        }
        j->joined += j->size[a] * j->size[b];
        j->size[a] += j->size[b];
        j->size[b] = 0;
    }
    j->groups = 0;
    for (size_t x = 0; x < A; x++)
        j->group[x] = j->group[x] == x ? j->groups++ : j->group[j->group[x]];
}

/* A lot under a map. */
static void across_apply(const across_lot *from, const across_column *at,
    size_t d, across_lot *to)
{
    *to = (across_lot){from->task, from->number, from->n, to->c, to->v, 0};
    for (size_t f = 0; f < d; f++) {
        to->c[f] = at[f].scale * from->c[f] + at[f].offset;
        to->v[f] = at[f].scale * at[f].scale * from->v[f];
    }
}

/* A2 to A5, under the maps of tasks. */
static void across_pair(across_job *j)
{
    scene *s = &j->s;
    size_t A = s->count;
    for (size_t a = 0; a < A; a++)
        across_apply(&j->as_is[a], j->at + j->as_is[a].task * s->d, s->d,
                     &s->of[a]);
    across_scales(j, MTC_NONE, s->u);
    scene_measure(s, A);
    for (size_t e = 0; e < A * A; e++) {
        size_t a = ADV_MIN(e / A, e % A), b = ADV_MAX(e / A, e % A);
        int apart = s->of[a].task != s->of[b].task;
        j->rho[e] = apart ? scene_rho(s, a, b) : ADV_HUGE;
    }
    for (size_t e = 0; e < A * A; e++) {
        size_t a = ADV_MIN(e / A, e % A), b = ADV_MAX(e / A, e % A);
        int apart = s->of[a].task != s->of[b].task;
        j->L[e] = apart ? across_odds(j, a, b) : ACROSS_NEVER;
    }
    across_join(j);
}

/* ---- A6: maps ------------------------------------------------------------ */

typedef struct across_map {   /* of a task */
    across_job *j;
    const across_lot *own;    /* [k] its clusters as they are */
    size_t t, k, K;           /* which task; the others' groups */
    scene s;                  /* its clusters, mapped; the others' groups */
    mtc_real *u, dim;         /* [d] of the other tasks; how many dimensions
                                 their groups fill */
    mtc_real *tiny;           /* [d] added to variances */
    mtc_real *flat;           /* [A*d] scratch */
    size_t *match;            /* [k] a group's place in s, or MTC_NONE */
    size_t *known;            /* [k] the same of A5 */
    mtc_real *rho;            /* [k] */
    size_t matched;           /* how many have a match, */
    mtc_real near;            /* and the sum of their ln(.5 / rho) */
    across_column *at, *best; /* [d] the map, and the best so far */
    int scales, best_scales;  /* 1: some column */
    mtc_real gain;            /* of the best */
} across_map;

static mtc_status map_take(adv_desk *desk, across_map *m)
{
    size_t A = m->j->s.count, d = m->s.d;
    ADV_TRY(scene_take(desk, A, &m->s));
    ADV_REALS(desk, A * d, &m->flat);
    ADV_REALS(desk, A, &m->rho);
    ADV_SIZES(desk, A, &m->match, &m->known);
    ADV_REALS(desk, d, &m->u, &m->tiny);
    m->at = ADV_TAKE(desk, d, across_column);
    m->best = ADV_TAKE(desk, d, across_column);
    return desk->status;
}

/* The place of a group of the other tasks in the scene, or MTC_NONE. */
static size_t map_place(const across_map *m, size_t group)
{
    for (size_t h = m->k; h < m->s.count; h++)
        if (m->s.of[h].number == group)
            return h;
    return MTC_NONE;
}

/* The clusters of task t and the groups of the others, and to which of these a
 * cluster belongs. */
static void map_gather(across_map *m, size_t t)
{
    const across_job *j = m->j;
    size_t A = j->s.count, d = m->s.d, begin = 0;
    while (begin < A && j->as_is[begin].task < t)
        begin++;
    m->own = j->as_is + begin;
    m->k = 0;
    while (begin + m->k < A && m->own[m->k].task == t)
        m->k++;
    m->t = t;
    m->s.count = m->k;
    for (size_t i = 0; i < A; i++) {
        const across_lot *a = &j->s.of[i];
        size_t at = map_place(m, j->group[i]);
        if (a->task == t)
            continue;
        across_lot *to = &m->s.of[at == MTC_NONE ? m->s.count++ : at];
        if (at == MTC_NONE)
            *to = (across_lot){j->r.tasks, j->group[i], 0, to->c, to->v, 0};
        to->n += a->n;
        mtc_real share = a->n / to->n;
        for (size_t f = 0; f < d; f++) {
            to->c[f] = (1 - share) * to->c[f] + share * a->c[f];
            to->v[f] = (1 - share) * to->v[f] + share * a->v[f];
        }
    }
    m->K = m->s.count - m->k;
    for (size_t i = 0; i < m->k; i++)
        m->known[i] = map_place(m, j->group[begin + i]);
}

static mtc_real map_dimension(const across_map *m)
{
    const across_lot *group = m->s.of + m->k;
    size_t d = m->s.d, K = m->K;
    mtc_real trace = 0, squares = 0;
    for (size_t f = 0; f < d; f++) {
        mtc_real mean = 0;
        for (size_t g = 0; g < K; g++)
            mean += group[g].c[f] / (mtc_real)K;
        for (size_t g = 0; g < K; g++)
            m->flat[g * d + f] = (group[g].c[f] - mean) * m->u[f];
    }
    for (size_t e = 0; e < K * K; e++) {
        mtc_real dot = mtc_dot(d, m->flat + e / K * d, m->flat + e % K * d);
        trace += e / K == e % K ? dot : 0;
        squares += dot * dot;
    }
    return squares > 0 ? trace * trace / squares : 0;
}

/* near: with which groups the clusters match under the map.  Only pairs of the
 * first `some` lots have other distances than before. */
static void map_near(across_map *m, size_t some)
{
    const scene *s = &m->s;
    for (size_t i = 0; i < m->k; i++)
        across_apply(&m->own[i], m->at, s->d, &s->of[i]);
    scene_measure(s, some);
    m->near = 0;
    m->matched = 0;
    for (size_t i = 0; i < m->k; i++) {
        const mtc_real *D = s->D + i * s->count;
        size_t g = m->k;
        for (size_t h = g + 1; h < s->count; h++)
            g = D[h] < D[g] ? h : g;
        m->rho[i] = ADV_MAX(scene_rho(s, i, g), ACROSS_LEAST);
        m->match[i] = m->rho[i] < ACROSS_NEAR ? g : MTC_NONE;
        if (m->match[i] == MTC_NONE)
            continue;
        m->near += mtc_log(ACROSS_NEAR / m->rho[i]);
        m->matched++;
    }
}

/* r: by which factor column f of group g spreads more than that of cluster i;
 * its log. */
static mtc_real map_ratio(const across_map *m, size_t i, size_t g, size_t f)
{
    if (!(m->tiny[f] > 0))
        return 0;
    return mtc_log((m->s.of[g].v[f] + m->tiny[f]) /
                   (m->own[i].v[f] + m->tiny[f])) / 2;
}

/* The mean of r over matches, and whether these agree on it. */
static mtc_real map_ratios(const across_map *m, const size_t *match, size_t f,
    int *agreed)
{
    mtc_real n = 0, mean = 0, square = 0;
    for (size_t i = 0; i < m->k; i++)
        if (match[i] != MTC_NONE) {
            mtc_real r = map_ratio(m, i, match[i], f), off = r - mean;
            n += 1;
            mean += off / n;
            square += off * (r - mean);
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
    map_means sum = {0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < m->k; i++) {
        if (m->match[i] == MTC_NONE)
            continue;
        const across_lot *own = &m->own[i], *group = &m->s.of[m->match[i]];
        mtc_real w = own->n * group->n / (own->n + group->n);
        mtc_real x = own->c[f] - sum.x, y = group->c[f] - sum.y;
        mtc_real left = w * sum.all / (sum.all + w);
        sum.all += w;
        sum.x += x * w / sum.all;
        sum.y += y * w / sum.all;
        sum.xx += left * x * x;
        sum.xy += left * x * y;
        sum.yy += left * y * y;
    }
    sum.xx /= sum.all;
    sum.xy /= sum.all;
    sum.yy /= sum.all;
    return sum;
}

/* Column f: the first kind of map that serves. */
static across_column map_fit(const across_map *m, size_t f)
{
    map_means s = map_sums(m, f);
    int agreed;
    mtc_real by = mtc_exp(map_ratios(m, m->match, f, &agreed));
    mtc_real zero = m->j->o.zero != NULL ? m->j->o.zero[f] : 0;
    mtc_real slope = s.xx > 0 ? s.xy / s.xx : 0, error[4], least = ADV_HUGE;
    if (slope * (mtc_real)1.5 >= by && slope <= (mtc_real)1.5 * by)
        by = slope;
    const across_column ways[] = {
        {1, 0, MTC_ACROSS_AS_IS}, {by, (1 - by) * zero, MTC_ACROSS_SCALED},
        {1, s.y - s.x, MTC_ACROSS_MOVED}, {by, s.y - by * s.x, MTC_ACROSS_BOTH}
    };
    for (size_t way = 0; way < 4; way++) {
        mtc_real a = ways[way].scale, off = a * s.x + ways[way].offset - s.y;
        mtc_real square = a * a * s.xx - 2 * a * s.xy + s.yy + off * off;
        error[way] = ADV_SQRT(ADV_MAX(square, 0)) * m->u[f];
        least = ADV_MIN(error[way], least);
    }
    size_t way = 0;
    while (error[way] > ADV_MAX(2 * least, 1))
        way++;
    return ways[way];
}

/* The map from anchor i and g; by_ratio: columns that spread otherwise are
 * scaled from the start.  Returns whether two clusters match. */
static int map_follow(across_map *m, size_t i, size_t g, int by_ratio)
{
    const mtc_real much = mtc_log((mtc_real)1.5);
    for (size_t f = 0; f < m->s.d; f++) {
        mtc_real r = by_ratio ? map_ratio(m, i, g, f) : 0;
        m->at[f].scale = ADV_FABS(r) > much ? mtc_exp(r) : 1;
        m->at[f].offset = m->s.of[g].c[f] - m->at[f].scale * m->own[i].c[f];
    }
    for (int step = 0;; step++) {
        map_near(m, m->k);
        if (m->matched < 2 || step == 3)
            return m->matched >= 2;
        for (size_t f = 0; f < m->s.d; f++)
            m->at[f] = map_fit(m, f);
    }
}

/* A6: the gain of the map as it is, without what is known; 0: it changes
 * nothing. */
static mtc_real map_gain(across_map *m)
{
    size_t d = m->s.d, T = m->j->r.tasks;
    mtc_real cost = 0, first = 0, second = 0;
    m->scales = 0;
    for (size_t f = 0; f < d; f++) {
        int scaled = (m->at[f].kind & MTC_ACROSS_SCALED) != 0, agreed;
        int moved = (m->at[f].kind & MTC_ACROSS_MOVED) != 0;
        mtc_real each = (mtc_real)(scaled + moved);
        map_ratios(m, m->match, f, &agreed);
        if (scaled && agreed) {
            mtc_real size = ADV_FABS(mtc_log(m->at[f].scale));
            size = ADV_MIN(size, 4);
            second = ADV_MAX(ADV_MIN(first, size), second);
            first = ADV_MAX(first, size);
            each /= 2;
        }
        cost += each;
        m->scales |= scaled;
    }
    if (!(cost > 0))
        return 0;
    mtc_real left = 1 - cost / (mtc_real)d / (mtc_real)m->matched;
    mtc_real tries = (mtc_real)(2 * m->k * m->K) * (mtc_real)(T > 2 ? T : 1);
    return m->dim * m->near * ADV_MAX(left, 0) - mtc_log(tries) + first +
           second;
}

/* What A5 knows of the task without a map: S0.  Returns how many clusters have
 * a partner, or MTC_NONE if no map is needed. */
static size_t map_known(across_map *m, mtc_real *score)
{
    size_t now = 0;
    int differs = 0, agreed;
    *score = 0;
    m->s.u = m->j->s.u;
    map_near(m, m->s.count);
    m->s.u = m->u;
    for (size_t i = 0; i < m->k; i++) {
        now += m->known[i] != MTC_NONE;
        if (m->known[i] != MTC_NONE && m->match[i] == m->known[i])
            *score += m->dim * mtc_log(ACROSS_NEAR / m->rho[i]);
    }
    for (size_t f = 0; f < m->s.d; f++) {
        map_ratios(m, m->known, f, &agreed);
        differs |= agreed;
    }
    return now == ADV_MIN(m->k, m->K) && !differs ? MTC_NONE : now;
}

/* All that the maps of task t share, and the map that changes nothing; 0: it
 * can have none. */
static int map_begin(across_map *m, size_t t)
{
    size_t d = m->s.d;
    map_gather(m, t);
    m->gain = 0;
    if (m->k < 2 || m->K < 2)
        return 0;
    across_scales(m->j, t, m->u);
    m->dim = map_dimension(m);
    ADV_ZERO(m->tiny, d);
    for (size_t a = 0; a < m->s.count; a++)
        for (size_t f = 0; f < d; f++) {
            mtc_real v = a < m->k ? m->own[a].v[f] : m->s.of[a].v[f];
            m->tiny[f] = ADV_MAX((mtc_real)1e-12 * v, m->tiny[f]);
        }
    for (size_t f = 0; f < d; f++)
        m->at[f] = across_as_is;
    return 1;
}

/* The best map of task t: its gain, or 0. */
static mtc_real map_find(across_map *m, size_t t, size_t *partners)
{
    mtc_real score;
    if (!map_begin(m, t))
        return 0;
    *partners = map_known(m, &score);
    if (*partners == MTC_NONE)
        return 0;
    scene_measure(&m->s, m->s.count);
    for (size_t h = 0; h < 2 * m->k * m->K; h++) {
        size_t i = h / 2 / m->K, g = m->k + h / 2 % m->K;
        if (!map_follow(m, i, g, h % 2 == 1) || m->matched < *partners)
            continue;
        mtc_real gain = map_gain(m) - score;
        if (gain <= m->gain || (m->matched == *partners && !m->scales))
            continue;
        m->gain = gain;
        m->best_scales = m->scales;
        ADV_COPY(m->best, m->at, m->s.d);
    }
    return m->gain;
}

/* Tries the best map of task t; it stays if more clusters are joined. */
static void map_try(const across_map *m, size_t t)
{
    across_job *j = m->j;
    size_t d = j->s.d, joined = j->joined;
    across_column *at = j->at + t * d;
    ADV_COPY(at, m->best, d);
    across_pair(j);
    if (j->joined >= joined + !m->best_scales) {
        j->r.gain[t] = m->gain;
        return;
    }
    for (size_t f = 0; f < d; f++)
        at[f] = across_as_is;
    across_pair(j);
}

/* A6: a task is tried once at most, of two tasks only the second. */
static mtc_status across_maps(adv_desk *desk, across_job *j)
{
    size_t T = j->r.tasks, *done = ADV_TAKE(desk, T, size_t);
    across_map m = {.j = j, .s.d = j->s.d};
    ADV_TRY(desk->status);
    ADV_TRY(map_take(desk, &m));
    for (size_t t = 0; t < T; t++)
        done[t] = T == 2 && t == 0;
    for (;;) {
        size_t best = MTC_NONE, least = MTC_NONE, partners = 0;
        mtc_real most = 0;
        for (size_t t = 0; t < T; t++) {
            ADV_TRY(adv_tick(desk->ctx, "across", t, T));
            mtc_real gain = done[t] ? 0 : map_find(&m, t, &partners);
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
        map_find(&m, best, &partners);  /* again: others came after */
        map_try(&m, best);
    }
}

/* ---- the answer ---------------------------------------------------------- */

static mtc_real across_logistic(mtc_real x)
{
    return 1 / (1 + mtc_exp(-x));
}

/* How sure group g is, from the log odds of its pairs or, alone, of the nearest
 * cluster of another task. */
static void across_sure(const across_job *j, size_t g)
{
    const scene *s = &j->s;
    size_t A = s->count, pairs = 0, own = 0, near = MTC_NONE;
    mtc_real sum = 0, most = ACROSS_NEVER;
    for (size_t e = 0; e < A * A; e++) {
        size_t a = e / A, b = e % A;
        if (j->group[a] != g)
            continue;
        own = a;
        if (a != b && j->group[b] == g) {
            pairs++;
            sum += j->L[e];
        }
        if (j->L[e] > most) {
            most = j->L[e];
            near = b;
        }
    }
    j->r.perhaps[g] = -1;
    if (pairs > 0) {
        j->r.sure[g] = across_logistic(sum / (mtc_real)pairs);
        return;
    }
    j->r.sure[g] = across_logistic(near == MTC_NONE ? 5 : -most);
    if (!j->r.anchored[s->of[own].task] && near != MTC_NONE)
        j->r.sure[g] = ADV_MIN(j->r.sure[g], (mtc_real)0.8);
    if (near != MTC_NONE && most > -mtc_log(9))
        j->r.perhaps[g] = (int)j->group[near];
}

/* The log odds of a mapped task are at most those of its map; then all that is
 * said of groups and clusters. */
static void across_tell(across_job *j)
{
    const scene *s = &j->s;
    mtc_across_result *r = &j->r;
    size_t A = s->count, T = r->tasks;
    r->groups = j->groups;
    for (size_t e = 0; e < T * s->d; e++) {
        r->scale[e] = j->at[e].scale;
        r->offset[e] = j->at[e].offset;
        r->kind[e] = j->at[e].kind;
    }
    for (size_t e = 0; e < A * A; e++) {
        size_t a = e / A, b = e % A, of[] = {s->of[a].task, s->of[b].task};
        if (of[0] == of[1])
            continue;
        for (size_t i = 0; i < 2; i++)
            if (r->gain[of[i]] > 0)
                j->L[e] = ADV_MIN(j->L[e], r->gain[of[i]] - 2);
        if (j->group[a] == j->group[b])
            r->anchored[of[0]] = 1;
        mtc_real *same = r->same[of[0] * T + of[1]];
        same[s->of[a].number * r->clusters[of[1]] + s->of[b].number] =
            across_logistic(j->L[e]);
    }
    for (size_t a = 0; a < A; a++)
        r->group[s->of[a].task][s->of[a].number] = (int)j->group[a];
    for (size_t g = 0; g < j->groups; g++)
        across_sure(j, g);
}

/* The numbers of clusters, and where the parts of the result lie. */
static void across_lay(across_job *j)
{
    mtc_across_result *r = &j->r;
    size_t T = r->tasks;
    mtc_real *same = r->same[0];
    size_t *clusters = (size_t *)r->clusters;  /* ours until we return */
    for (size_t t = 0; t < T; t++) {
        clusters[t] = across_numbers(j->labels[t], j->tasks[t].n);
        if (t > 0)
            r->group[t] = r->group[t - 1] + clusters[t - 1];
    }
    for (size_t e = 0; e < T * T; e++) {
        r->same[e] = e / T == e % T ? NULL : same;
        same += e / T == e % T ? 0 : clusters[e / T] * clusters[e % T];
    }
    for (size_t e = 0; e < T * r->d; e++) {
        j->at[e] = across_as_is;
        r->odd[e] = 1;
    }
}

static mtc_status across_work(adv_desk *desk, void *job)
{
    across_job *j = (across_job *)job;
    size_t d = j->r.d, T = j->r.tasks, K = j->K, most = ADV_MAX(T, d);
    j->s.d = d;
    ADV_TRY(scene_take(desk, K, &j->s));
    j->as_is = ADV_TAKE(desk, K, across_lot);
    j->at = ADV_TAKE(desk, adv_mul(T, d), across_column);
    ADV_REALS(desk, adv_mul(K, K), &j->rho, &j->L, &j->sum);
    ADV_SIZES(desk, K, &j->group, &j->size);
    ADV_SIZES(desk, most, &j->order);
    ADV_REALS(desk, most, &j->key, &j->in, &j->all);
    ADV_TRY(desk->status);
    across_lay(j);
    j->s.sparse = adv_sparse(j->tasks, T, NULL);
    for (size_t t = 0; t < T; t++)
        ADV_TRY(across_add(desk, j, t));
    across_pair(j);
    if (!j->s.sparse && T > 1) {
        for (size_t f = 0; f < d; f++)
            across_suspect(j, f);
        if (j->o.maps)
            ADV_TRY(across_maps(desk, j));
    }
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
    size_t rows = 0;
    for (size_t t = 0; t < n_tasks; t++)
        rows = adv_add(rows, tasks[t].n);
    for (size_t t = 0; t < n_tasks; t++) {
        if (labels[t] == NULL)
            return adv_fail(ctx, MTC_INVALID, "labels", t, MTC_NONE, MTC_NONE);
        size_t k = across_numbers(labels[t], tasks[t].n);
        if (k > rows)
            return adv_fail(ctx, MTC_INVALID,
                            "labels: need less than all tasks have rows", t,
                            MTC_NONE, MTC_NONE);
        job.K = adv_add(job.K, k);
    }
    for (size_t f = 0; f < job.r.d && job.o.zero != NULL; f++)
        ADV_TRY(adv_require(ctx, ADV_FINITE(job.o.zero[f]),
                            "zero: not finite"));
    adv_desk desk = adv_open(ctx, MTC_NONE);
    desk.zeros = 1;
    return adv_run(desk, across_shape, across_work, &job, &job.r,
                   sizeof job.r, res);
}
