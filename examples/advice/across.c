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
 *       into place, less what the map and the search for it cost, and what is
 *       known without it.  It has to be 4 and more
 *
 * rho < .5 makes a and b each other's nearest, so no task has two partners by
 * it.  Reference: none; the rule is our own.  The weights of A4 were fitted to
 * 18 kinds of generated and public data.
 */
#include "desk.h"

#define ACROSS_NEVER ((mtc_real)-1e30)  /* L of clusters of one task */
#define ACROSS_NEAR ((mtc_real)0.5)     /* rho of partners */
#define ACROSS_LEAST ((mtc_real)0.02)   /* rho of a map counts as this much */
#define ACROSS_GAIN ((mtc_real)4)       /* of a map, at least */
#define ACROSS_TRIES ((size_t)1000)     /* anchors: time is their square */

typedef struct across_column {  /* the map of one */
    mtc_real scale, offset;
    unsigned char kind;
} across_column;

static const across_column across_as_is = {1, 0, MTC_ACROSS_AS_IS};

typedef struct across_lot {   /* a cluster, or a group of them */
    size_t task, number;
    mtc_real n, *c, *v;       /* rows; [d] center and variances */
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
    scene s;                  /* [A] and those of them that have rows */
    mtc_real *in, *between;   /* [T*d] A2: variances */
    mtc_real *rho, *L;        /* [A*A] A4 */
    size_t *group;            /* [A] A5 */
    mtc_real *mean, *size;    /* [A*A] mean L of groups, [A] their clusters */
    size_t *order;            /* scratch */
    mtc_real *key, *one, *two;
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
    int largest = -1;
    for (size_t i = 0; i < n; i++)
        largest = ADV_MAX(labels[i], largest);
    return (size_t)largest + 1;
}

static void scene_take(adv_desk *desk, size_t count, scene *s)
{
    s->of = ADV_TAKE(desk, count, across_lot);
    ADV_REALS(desk, s->d, &s->u);
    ADV_REALS(desk, adv_mul(count, count), &s->D);
}

/* The lot under a map [d], in the place of `to`. */
static void lot_map(const across_lot *a, size_t d, const across_column *map,
    const across_lot *to)
{
    for (size_t f = 0; f < d; f++) {
        to->c[f] = map[f].scale * a->c[f] + map[f].offset;
        to->v[f] = map[f].scale * map[f].scale * a->v[f];
    }
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
            j->s.of[j->s.count++] = (across_lot){t, z, n[z], c + z * d,
                                                 v + z * d, 0};
    }
    return MTC_OK;
}

/* ---- A2: scales ---------------------------------------------------------- */

/* The variances of column f within the clusters of task t, and between their
 * centers; by rows. */
static void across_spread(const across_job *j, size_t t, size_t f)
{
    mtc_real n = 0, mean = 0, in = 0, between = 0;
    for (const across_lot *a = j->s.of; a < j->s.of + j->s.count; a++)
        if (a->task == t) {
            mtc_real off = a->c[f] - mean;
            n += a->n;
            mean += a->n / n * off;
            between += a->n * off * (a->c[f] - mean);
            in += a->n * a->v[f];
        }
    j->in[t * j->s.d + f] = in / ADV_MAX(n, 1);
    j->between[t * j->s.d + f] = between / ADV_MAX(n, 1);
}

static mtc_real across_lower_median(const across_job *j, size_t m,
    const mtc_real *key)
{
    return adv_nth(m, key, (m - 1) / 2, j->order);
}

/* The scale of column f over all tasks but `without`; 0: it varies in none. */
static mtc_real across_scale(const across_job *j, size_t without, size_t f)
{
    size_t d = j->s.d, m = 0;
    mtc_real most = 0, largest = 0, *in = j->one, *all = j->two;
    for (const across_lot *a = j->s.of; a < j->s.of + j->s.count; a++)
        if (a->task != without)
            most = ADV_MAX(ADV_FABS(a->c[f]), most);
    for (size_t t = 0; t < j->r.tasks; t++) {
        size_t e = t * d + f;
        all[t] = t == without ? 0 : ADV_SQRT(j->in[e] + j->between[e]);
        largest = ADV_MAX(all[t], largest);
    }
    mtc_real least = ADV_MAX((mtc_real)1e-9 * largest, (mtc_real)1e-12 * most);
    for (size_t t = 0; t < j->r.tasks; t++)
        if (all[t] > least) {
            in[m] = ADV_SQRT(j->in[t * d + f]);
            all[m++] = all[t];
        }
    if (m == 0)
        return 0;
    return ADV_MAX(across_lower_median(j, m, in),
                   across_lower_median(j, m, all) / 20);
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

/* By which factor column f of task t spreads more than in the others, if that
 * is suspicious both within clusters and between their centers; else 1. */
static mtc_real across_odd(const across_job *j, size_t t, size_t f)
{
    const mtc_real *const spread[] = {j->in + f, j->between + f};
    mtc_real ratio[2] = {1, 1};
    for (size_t way = 0; way < 2 && j->r.tasks > 1; way++) {
        size_t m = 0;
        for (size_t s = 0; s < j->r.tasks; s++)
            if (s != t)
                j->key[m++] = ADV_SQRT(spread[way][s * j->s.d]);
        mtc_real middle = across_lower_median(j, m, j->key);
        mtc_real own = ADV_SQRT(spread[way][t * j->s.d]);
        ratio[way] = middle > 0 ? own / middle : 1;
    }
    mtc_real low = ADV_MIN(ratio[0], ratio[1]);
    mtc_real high = ADV_MAX(ratio[0], ratio[1]);
    return low > 5 || (low > 0 && 5 * high < 1) ? ratio[0] : 1;
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
        mtc_real both = x->v[f] + y->v[f];
        length += by * by;
        spread += by * by * s->u[f] * s->u[f] * both / 2;
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
    size_t A = j->s.count, near = 0, in_a = 0, in_b = 0;
    for (size_t x = 0; x < A; x++) {
        in_a += of[x].task == of[a].task;
        in_b += of[x].task == of[b].task;
        for (size_t y = 0; y < A && x != a && of[x].task == of[a].task; y++)
            near += y != b && of[y].task == of[b].task &&
                    j->rho[x * A + y] < ACROSS_NEAR;
    }
    size_t least = ADV_MIN(in_a, in_b) - 1;
    return least > 0 ? (mtc_real)ADV_MIN(near, least) / (mtc_real)least : 0;
}

static mtc_real across_odds(const across_job *j, size_t a, size_t b)
{
    const scene *s = &j->s;
    size_t ab = a * s->count + b;
    mtc_real rho = ADV_MAX(ADV_MIN(j->rho[ab], 1000), ADV_TINY);
    mtc_real along = ADV_MAX(scene_along(s, a, b), ADV_TINY);
    mtc_real delta = s->sparse ? 5 * rho : ADV_MIN(s->D[ab] / along, 1000);
    mtc_real odds = 3 * mtc_log(ACROSS_NEAR / rho) - (mtc_real)0.6 * delta +
                    3 * across_share(j, a, b);
    return ADV_MAX(ADV_MIN(odds, 5), -5);
}

/* ---- A5: groups ---------------------------------------------------------- */

/* A group has the number of its first cluster, until all are joined. */
static void across_join(across_job *j)
{
    size_t A = j->s.count, groups = 0, e;
    mtc_real *mean = j->mean, *size = j->size;
    ADV_COPY(mean, j->L, A * A);
    for (size_t x = 0; x < A; x++) {
        j->group[x] = x;
        size[x] = 1;
    }
    while (A > 0 && mean[e = adv_argmax(A * A, mean)] > 0) {
        size_t a = e / A, b = e % A;  /* a < b */
        for (size_t x = 0; x < A; x++) {
            mtc_real sum = size[a] * mean[a * A + x];
            sum += size[b] * mean[b * A + x];
            mean[a * A + x] = mean[x * A + a] = sum / (size[a] + size[b]);
            mean[b * A + x] = mean[x * A + b] = ACROSS_NEVER;
            if (j->group[x] == b)
                j->group[x] = a;
        }
        size[a] += size[b];
    }
    for (size_t x = 0; x < A; x++)
        j->group[x] = j->group[x] == x ? groups++ : j->group[j->group[x]];
    j->r.groups = groups;
}

/* Are a and b, of e = a A + b, clusters of one task? */
static int across_within(const scene *s, size_t e)
{
    return s->of[e / s->count].task == s->of[e % s->count].task;
}

/* A2 to A5, under the maps of tasks. */
static void across_pair(across_job *j)
{
    scene *s = &j->s;
    size_t A = s->count, d = s->d;
    for (size_t e = 0; e < j->r.tasks * d; e++)
        across_spread(j, e / d, e % d);
    across_scales(j, MTC_NONE, s->u);
    scene_measure(s, A);
    for (size_t e = 0; e < A * A; e++)
        j->rho[e] = across_within(s, e) ? ADV_HUGE
                                        : scene_rho(s, e / A, e % A);
    for (size_t e = 0; e < A * A; e++)
        j->L[e] = across_within(s, e) ? ACROSS_NEVER
                                      : across_odds(j, e / A, e % A);
    across_join(j);
}

/* ---- A6: maps ------------------------------------------------------------ */

typedef struct couple {       /* a cluster of the task, and a group */
    const across_lot *own, *group;
    mtc_real rho, w;          /* mapped; n n' / (n + n') */
} couple;

typedef struct across_map {   /* of a task */
    across_job *j;
    scene s;                  /* its clusters, mapped, and the others' groups */
    size_t k, K;              /* how many there are of either */
    const across_lot *own;    /* [k] the clusters as they are */
    size_t partners;          /* clusters that are in one of these by A5 */
    mtc_real dim;             /* how many dimensions the groups fill, */
    mtc_real *c, *v;          /* [(A+1)*d] their centers, variances */
    mtc_real *flat;           /* [A*d] scratch */
    couple *match;            /* [matched] by the map */
    size_t matched;
    across_column *at, *best; /* [d] the map, the best */
    mtc_real gain;            /* of the best; 0: there is none */
} across_map;

static mtc_status map_take(adv_desk *desk, across_map *m)
{
    size_t A = m->j->s.count, d = m->s.d;
    scene_take(desk, A + 1, &m->s);  /* one group is begun too many */
    ADV_REALS(desk, (A + 1) * d, &m->c, &m->v, &m->flat);
    m->match = ADV_TAKE(desk, A, couple);
    m->at = ADV_TAKE(desk, d, across_column);
    m->best = ADV_TAKE(desk, d, across_column);
    return desk->status;
}

static void map_add(const across_lot *a, size_t d, across_lot *to)
{
    to->n += a->n;
    mtc_real share = a->n / to->n;
    for (size_t f = 0; f < d; f++) {
        to->c[f] = (1 - share) * to->c[f] + share * a->c[f];
        to->v[f] = (1 - share) * to->v[f] + share * a->v[f];
    }
}

/* Room for the next lot of the scene, of no rows yet. */
static across_lot *map_room(across_map *m, size_t task, size_t number)
{
    size_t i = m->k + m->K, at = i * m->s.d;
    m->s.of[i] = (across_lot){task, number, 0, m->c + at, m->v + at, 0};
    return &m->s.of[i];
}

/* The clusters of task t, and the groups of the others. */
static void map_gather(across_map *m, size_t t)
{
    const across_job *j = m->j;
    size_t d = m->s.d, A = j->s.count;
    m->k = m->K = m->partners = 0;
    for (m->own = j->s.of; m->own < j->s.of + A && m->own->task < t; m->own++)
        continue;
    for (const across_lot *a = m->own; a < j->s.of + A && a->task == t; a++) {
        map_room(m, t, a->number)->n = a->n;
        m->k++;
    }
    for (size_t g = 0; g < j->r.groups; g++) {
        across_lot *to = map_room(m, j->r.tasks, g);
        int known = 0;
        for (size_t i = 0; i < j->s.count; i++)
            if (j->group[i] == g && j->s.of[i].task == t)
                known = 1;
            else if (j->group[i] == g)
                map_add(&j->s.of[i], d, to);
        m->K += to->n > 0;
        m->partners += known && to->n > 0;
    }
    m->s.count = m->k + m->K;
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
            m->flat[g * d + f] = (group[g].c[f] - mean) * m->s.u[f];
    }
    for (size_t e = 0; e < K * K; e++) {
        mtc_real dot = mtc_dot(d, m->flat + e / K * d, m->flat + e % K * d);
        trace += e / K == e % K ? dot : 0;
        squares += dot * dot;
    }
    return squares > 0 ? trace * trace / squares : 0;
}

/* near: with which groups the clusters match under the map. */
static void map_near(across_map *m)
{
    const scene *s = &m->s;
    for (size_t i = 0; i < m->k; i++)
        lot_map(&m->own[i], s->d, m->at, &s->of[i]);
    scene_measure(s, m->k);
    m->matched = 0;
    for (size_t i = 0; i < m->k; i++) {
        const mtc_real *D = s->D + i * s->count;
        size_t g = m->k;
        for (size_t h = g + 1; h < s->count; h++)
            g = D[h] < D[g] ? h : g;
        const across_lot *own = &m->own[i], *to = &s->of[g];
        mtc_real rho = scene_rho(s, i, g);
        if (rho < ACROSS_NEAR)
            m->match[m->matched++] = (couple){
                own, to, ADV_MAX(rho, ACROSS_LEAST),
                own->n * to->n / (own->n + to->n)};
    }
}

/* r: by which factor column f of the group spreads more; its log. */
static mtc_real map_ratio(const couple *c, size_t f)
{
    mtc_real own = c->own->v[f], group = c->group->v[f];
    return own > 0 && group > 0 ? mtc_log(group / own) / 2 : 0;
}

/* The mean of r over matches, and whether these agree on it. */
static mtc_real map_ratios(const across_map *m, size_t f, int *agreed)
{
    mtc_real n = 0, mean = 0, square = 0;
    for (size_t p = 0; p < m->matched; p++) {
        mtc_real r = map_ratio(&m->match[p], f), off = r - mean;
        n += 1;
        mean += off / n;
        square += off * (r - mean);
    }
    *agreed = ADV_FABS(mean) > 3 * ADV_SQRT((mtc_real)0.0625 + square / n);
    return mean;
}

/* Sums over matches, by w, of a column: all, means, squares about these. */
typedef struct map_sums {
    mtc_real w, x, y, xx, xy, yy;
} map_sums;

static map_sums map_column(const across_map *m, size_t f)
{
    map_sums s = {0, 0, 0, 0, 0, 0};
    for (const couple *p = m->match; p < m->match + m->matched; p++) {
        mtc_real x = p->own->c[f] - s.x, y = p->group->c[f] - s.y;
        s.w += p->w;
        s.x += p->w / s.w * x;
        s.y += p->w / s.w * y;
        s.xx += p->w * x * (p->own->c[f] - s.x);
        s.xy += p->w * x * (p->group->c[f] - s.y);
        s.yy += p->w * y * (p->group->c[f] - s.y);
    }
    return s;
}

/* Column f: the first kind of map that serves.  It is scaled as groups spread
 * or, if that is much the same, as their centers lie. */
static across_column map_fit(const across_map *m, size_t f)
{
    map_sums s = map_column(m, f);
    int agreed;
    mtc_real by = mtc_exp(map_ratios(m, f, &agreed));
    mtc_real zero = m->j->o.zero != NULL ? m->j->o.zero[f] : 0;
    mtc_real slope = s.xx > 0 ? s.xy / s.xx : 0, error[4], least = ADV_HUGE;
    if (slope * (mtc_real)1.5 >= by && slope <= (mtc_real)1.5 * by)
        by = slope;
    const across_column ways[] = {
        {1, 0, MTC_ACROSS_AS_IS}, {by, (1 - by) * zero, MTC_ACROSS_SCALED},
        {1, s.y - s.x, MTC_ACROSS_MOVED}, {by, s.y - by * s.x, MTC_ACROSS_BOTH}
    };
    for (size_t i = 0; i < 4; i++) {
        mtc_real a = ways[i].scale, off = a * s.x + ways[i].offset - s.y;
        mtc_real square = (a * a * s.xx - 2 * a * s.xy + s.yy) / s.w;
        error[i] = ADV_SQRT(ADV_MAX(square + off * off, 0)) * m->s.u[f];
        least = ADV_MIN(error[i], least);
    }
    size_t way = 0;
    while (error[way] > ADV_MAX(2 * least, 1))
        way++;
    return ways[way];
}

/* The map from an anchor; by_ratio: columns that spread otherwise are scaled
 * from the start.  Returns whether two clusters match. */
static int map_follow(across_map *m, couple anchor, int by_ratio)
{
    const mtc_real much = mtc_log((mtc_real)1.5);
    for (size_t f = 0; f < m->s.d; f++) {
        mtc_real r = by_ratio ? map_ratio(&anchor, f) : 0;
        mtc_real scale = ADV_FABS(r) > much ? mtc_exp(r) : 1;
        m->at[f].scale = scale;
        m->at[f].offset = anchor.group->c[f] - scale * anchor.own->c[f];
    }
    map_near(m);
    for (int step = 0; step < 3 && m->matched >= 2; step++) {
        for (size_t f = 0; f < m->s.d; f++)
            m->at[f] = map_fit(m, f);
        map_near(m);
    }
    return m->matched >= 2;
}

/* A6: the gain of the map as it is, without what is known; 0: it changes
 * nothing. */
static mtc_real map_gain(const across_map *m)
{
    size_t d = m->s.d, T = m->j->r.tasks;
    mtc_real cost = 0, first = 0, second = 0, near = 0;
    for (size_t f = 0; f < d; f++) {
        int scaled = (m->at[f].kind & MTC_ACROSS_SCALED) != 0, agreed;
        int moved = (m->at[f].kind & MTC_ACROSS_MOVED) != 0;
        map_ratios(m, f, &agreed);
        agreed &= scaled;
        mtc_real size = agreed ? ADV_FABS(mtc_log(m->at[f].scale)) : 0;
        size = ADV_MIN(size, 4);
        second = ADV_MAX(ADV_MIN(first, size), second);
        first = ADV_MAX(first, size);
        cost += (mtc_real)(scaled + moved) / (mtc_real)(1 + agreed);
    }
    if (!(cost > 0))
        return 0;
    for (size_t p = 0; p < m->matched; p++)
        near += mtc_log(ACROSS_NEAR / m->match[p].rho);
    mtc_real left = 1 - cost / (mtc_real)d / (mtc_real)m->matched;
    mtc_real tries = (mtc_real)(2 * m->k * m->K) * (mtc_real)(T > 2 ? T : 1);
    return m->dim * near * ADV_MAX(left, 0) - mtc_log(tries) + first + second;
}

/* S0: what A5 knows of the task without a map, in a scene of its scales. */
static mtc_real map_known(across_map *m)
{
    mtc_real known = 0;
    for (size_t f = 0; f < m->s.d; f++)
        m->at[f] = across_as_is;
    ADV_COPY(m->s.u, m->j->s.u, m->s.d);
    scene_measure(&m->s, m->s.count);
    map_near(m);
    for (const couple *p = m->match; p < m->match + m->matched; p++)
        if (m->j->group[p->own - m->j->s.of] == p->group->number)
            known += mtc_log(ACROSS_NEAR / p->rho);
    return known;
}

/* The best map of task t, if a cluster still lacks a partner. */
static void map_find(across_map *m, size_t t)
{
    map_gather(m, t);
    m->gain = 0;
    if (m->k < 2 || m->K < 2 || m->partners == ADV_MIN(m->k, m->K) ||
        m->k * m->K > ACROSS_TRIES)
        return;
    mtc_real known = map_known(m);
    across_scales(m->j, t, m->s.u);
    scene_measure(&m->s, m->s.count);
    m->dim = map_dimension(m);
    for (size_t h = 0; h < 2 * m->k * m->K; h++) {
        const across_lot *group = m->s.of + m->k + h / 2 % m->K;
        couple anchor = {m->own + h / 2 / m->K, group, 0, 0};
        if (!map_follow(m, anchor, h % 2 == 1) || m->matched < m->partners)
            continue;
        mtc_real gain = map_gain(m) - m->dim * known;
        if (gain <= m->gain)
            continue;
        m->gain = gain;
        ADV_COPY(m->best, m->at, m->s.d);
    }
}

/* A6: a task is mapped once at most, of two tasks only the second. */
static mtc_status across_maps(adv_desk *desk, across_job *j)
{
    size_t T = j->r.tasks, d = j->s.d, A = j->s.count;
    across_map m = {.j = j, .s.d = d};
    ADV_TRY(map_take(desk, &m));
    for (;;) {
        size_t best = MTC_NONE, least = MTC_NONE;
        mtc_real most = 0;
        for (size_t t = T == 2; t < T; t++) {
            ADV_TRY(adv_tick(desk->ctx, "across", t, T));
            if (j->r.gain[t] > 0)
                continue;
            map_find(&m, t);
            if (m.gain < ACROSS_GAIN || m.partners > least ||
                (m.partners == least && m.gain <= most))
                continue;
            best = t;
            least = m.partners;
            most = m.gain;
        }
        if (best == MTC_NONE)
            return MTC_OK;
        map_find(&m, best);  /* again: others came after */
        j->r.gain[best] = m.gain;
        for (size_t f = 0; f < d; f++) {
            j->r.scale[best * d + f] = m.best[f].scale;
            j->r.offset[best * d + f] = m.best[f].offset;
            j->r.kind[best * d + f] = m.best[f].kind;
        }
        for (const across_lot *a = j->s.of; a < j->s.of + A; a++)
            if (a->task == best)
                lot_map(a, d, m.best, a);
        across_pair(j);
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
    const across_lot *of = j->s.of;
    mtc_across_result *r = &j->r;
    size_t A = j->s.count;
    for (size_t e = 0; e < A * A; e++) {
        const across_lot *a = &of[e / A], *b = &of[e % A];
        if (across_within(&j->s, e))
            continue;
        if (r->gain[a->task] > 0)
            j->L[e] = ADV_MIN(j->L[e], r->gain[a->task] - 2);
        if (r->gain[b->task] > 0)
            j->L[e] = ADV_MIN(j->L[e], r->gain[b->task] - 2);
        if (j->group[e / A] == j->group[e % A])
            r->anchored[a->task] = 1;
        r->same[a->task * r->tasks + b->task]
               [a->number * r->clusters[b->task] + b->number] =
            across_logistic(j->L[e]);
    }
    for (size_t a = 0; a < A; a++)
        r->group[of[a].task][of[a].number] = (int)j->group[a];
    for (size_t g = 0; g < r->groups; g++)
        across_sure(j, g);
}

/* Where the parts of the result lie. */
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
    for (size_t e = 0; e < T * r->d; e++)
        r->scale[e] = 1;
}

static mtc_status across_work(adv_desk *desk, void *job)
{
    across_job *j = (across_job *)job;
    size_t d = j->r.d, T = j->r.tasks, K = j->K, most = ADV_MAX(T, d);
    j->s.d = d;
    scene_take(desk, K, &j->s);
    ADV_REALS(desk, adv_mul(T, d), &j->in, &j->between);
    ADV_REALS(desk, adv_mul(K, K), &j->rho, &j->L, &j->mean);
    ADV_REALS(desk, K, &j->size);
    ADV_SIZES(desk, K, &j->group);
    ADV_SIZES(desk, most, &j->order);
    ADV_REALS(desk, most, &j->key, &j->one, &j->two);
    ADV_TRY(desk->status);
    across_lay(j);
    j->s.sparse = adv_sparse(j->tasks, T, NULL);
    for (size_t t = 0; t < T; t++)
        ADV_TRY(across_add(desk, j, t));
    across_pair(j);
    for (size_t e = 0; e < T * d; e++)
        j->r.odd[e] = j->s.sparse ? 1 : across_odd(j, e / d, e % d);
    if (!j->s.sparse && T > 1 && j->o.maps)
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
    return adv_result(ctx, across_shape, across_work, &job, res);
}
