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

/* Clusters whose distances are compared, task by task. */
typedef struct scene {
    size_t count, d;
    size_t *task, *first;     /* [count] of each, [T+1] the first of each */
    mtc_real *n, *c, *v;      /* [count] [count*d] rows, centers, variances */
    mtc_real *e, *D;          /* [count] [count*count] A3 */
    int sparse;
} scene;

typedef struct across_job {
    const mtc_data *tasks;
    const int *const *labels;
    mtc_across_options o;
    mtc_across_result r;
    size_t K;                 /* numbers of clusters, */
    scene s;                  /* and those of them that have rows: A, mapped */
    mtc_real *c, *v;          /* [A*d] centers and variances as they are */
    size_t *number;           /* [A] of each in its task */
    across_column *at;        /* [T*d] the maps of tasks */
    mtc_real *u;              /* [d] A2: 1 / w */
    mtc_real *rho, *L;        /* [A*A] A4 */
    size_t *group, groups;    /* [A] A5, and how many there are */
    size_t joined;            /* pairs of clusters in one group */
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
static size_t across_numbers(const int *labels, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        if (labels[i] >= 0 && (size_t)labels[i] >= k)
            k = (size_t)labels[i] + 1;
    return k;
}

static mtc_status scene_take(adv_desk *desk, size_t T, size_t count, size_t d,
    scene *s)
{
    s->d = d;
    ADV_SIZES(desk, count, &s->task);
    ADV_SIZES(desk, T + 1, &s->first);
    ADV_REALS(desk, adv_mul(count, d), &s->c, &s->v);
    ADV_REALS(desk, count, &s->n, &s->e);
    ADV_REALS(desk, adv_mul(count, count), &s->D);
    return desk->status;
}

/* ---- A1: centers and variances ------------------------------------------- */

/* Variances of task t from sums of squares; a single row has none of its own,
 * and gets what the others have. */
static void across_spread(const scene *s, size_t t)
{
    size_t d = s->d, begin = s->first[t], end = s->first[t + 1];
    for (size_t f = 0; f < d; f++) {
        mtc_real sum = 0, weight = 0;
        for (size_t a = begin; a < end; a++) {
            sum += s->v[a * d + f];
            weight += s->n[a] - 1;
        }
        mtc_real lent = weight > 0 ? sum / weight : 0;
        for (size_t a = begin; a < end; a++) {
            mtc_real *v = &s->v[a * d + f];
            *v = s->n[a] > 1 ? *v / (s->n[a] - 1) : lent;
        }
    }
}

/* The clusters of task t that have rows. */
static mtc_status across_add(adv_desk *desk, across_job *j, size_t t)
{
    scene *s = &j->s;
    size_t d = s->d, at = s->count;
    mtc_data X = j->tasks[t];
    if (s->sparse)
        X = adv_directions(desk, &j->tasks[t]);
    ADV_TRY(desk->status);
    adv_moments(&X, j->labels[t], j->r.clusters[t], s->n + at, s->c + at * d,
                s->v + at * d);
    s->first[t] = s->count;
    for (size_t z = 0; z < j->r.clusters[t]; z++) {
        size_t a = s->count;
        j->r.group[t][z] = -1;
        if (!(s->n[at + z] > 0))
            continue;
        s->task[a] = t;
        j->number[a] = z;
        s->n[a] = s->n[at + z];
        memmove(s->c + a * d, s->c + (at + z) * d, d * sizeof *s->c);
        memmove(s->v + a * d, s->v + (at + z) * d, d * sizeof *s->v);
        s->count++;
    }
    s->first[t + 1] = s->count;
    across_spread(s, t);
    return MTC_OK;
}

/* ---- A2: scales ---------------------------------------------------------- */

/* The variance of column f within the clusters of task t, and, returned, that
 * between their centers; by rows. */
static mtc_real across_between(const scene *s, size_t t, size_t f,
    mtc_real *within)
{
    size_t d = s->d;
    mtc_real n = 0, mean = 0, between = 0;
    *within = 0;
    for (size_t a = s->first[t]; a < s->first[t + 1]; a++) {
        n += s->n[a];
        mean += s->n[a] * s->c[a * d + f];
        *within += s->n[a] * s->v[a * d + f];
    }
    n = ADV_MAX(n, 1);
    mean /= n;
    *within /= n;
    for (size_t a = s->first[t]; a < s->first[t + 1]; a++) {
        mtc_real off = s->c[a * d + f] - mean;
        between += s->n[a] * off * off;
    }
    return between / n;
}

/* The scale of column f over all tasks but `without`; 0: it varies in none. */
static mtc_real across_scale(const across_job *j, size_t without, size_t f)
{
    const scene *s = &j->s;
    size_t T = j->r.tasks, m = 0;
    mtc_real most = 0, largest = 0, *in = j->base, *all = j->base + T;
    for (size_t a = 0; a < s->count; a++)
        if (s->task[a] != without)
            most = ADV_MAX(ADV_FABS(s->c[a * s->d + f]), most);
    for (size_t t = 0; t < T; t++) {
        mtc_real within, between = across_between(s, t, f, &within);
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

/* ---- A3 and A4: distances, and log odds ---------------------------------- */

static mtc_real scene_distance(const scene *s, const mtc_real *u, size_t a,
    size_t b)
{
    size_t d = s->d;
    const mtc_real *x = s->c + a * d, *y = s->c + b * d;
    mtc_real square = -s->e[a] - s->e[b];
    if (s->sparse) {
        mtc_real xx = ADV_MAX(mtc_dot(d, x, x) - s->e[a], (mtc_real)0.001);
        mtc_real yy = ADV_MAX(mtc_dot(d, y, y) - s->e[b], (mtc_real)0.001);
        mtc_real cosine = mtc_dot(d, x, y) / ADV_SQRT(xx * yy);
        return ADV_SQRT(2 - 2 * ADV_MIN(cosine, 1));
    }
    for (size_t f = 0; f < d; f++)
        square += (x[f] - y[f]) * (x[f] - y[f]) * u[f] * u[f];
    return ADV_SQRT(ADV_MAX(square, 0));
}

/* A3: e and D of all pairs of which one is among the first `some`. */
static void scene_measure(const scene *s, const mtc_real *u, size_t some)
{
    size_t A = s->count, d = s->d;
    for (size_t a = 0; a < A; a++) {
        s->e[a] = 0;
        for (size_t f = 0; f < d; f++)
            s->e[a] += s->v[a * d + f] * u[f] * u[f];
        s->e[a] /= s->n[a];
    }
    for (size_t a = 0; a < some; a++)
        for (size_t b = a + 1; b < A; b++)
            s->D[a * A + b] = s->D[b * A + a] = scene_distance(s, u, a, b);
}

/* The spread of a and b along the line between them. */
static mtc_real scene_along(const scene *s, const mtc_real *u, size_t a,
    size_t b)
{
    size_t d = s->d;
    mtc_real length = 0, spread = 0;
    for (size_t f = 0; f < d; f++) {
        mtc_real by = (s->c[a * d + f] - s->c[b * d + f]) * u[f];
        length += by * by;
        spread += by * by * u[f] * u[f] *
                  (s->v[a * d + f] + s->v[b * d + f]) / 2;
    }
    return length > 0 ? ADV_SQRT(spread / length) : 0;
}

/* rho of clusters of two tasks. */
static mtc_real scene_rho(const scene *s, const mtc_real *u, size_t a,
    size_t b)
{
    size_t A = s->count, of[] = {s->task[a], s->task[b]};
    mtc_real D = s->D[a * A + b], R = ADV_HUGE;
    for (size_t i = 0; i < 2; i++)
        for (size_t o = s->first[of[i]]; o < s->first[of[i] + 1]; o++)
            if (o != a && o != b)
                R = ADV_MIN(R, ADV_MIN(s->D[a * A + o], s->D[b * A + o]));
    int alone = R == ADV_HUGE;
    if (alone)
        R = 5 * scene_along(s, u, a, b);
    if (R > 0)
        return D / R;
    return D > 0 ? ADV_HUGE : alone ? 0 : 1;
}

/* share of a and b. */
static mtc_real across_share(const across_job *j, size_t a, size_t b)
{
    const scene *s = &j->s;
    size_t A = s->count, near = 0;
    const size_t *of_a = s->first + s->task[a], *of_b = s->first + s->task[b];
    size_t least = ADV_MIN(of_a[1] - of_a[0], of_b[1] - of_b[0]);
    for (size_t x = of_a[0]; x < of_a[1]; x++)
        for (size_t y = of_b[0]; y < of_b[1]; y++)
            near += x != a && y != b && j->rho[x * A + y] < ACROSS_NEAR;
    if (least < 2)
        return 0;
    return (mtc_real)ADV_MIN(near, least - 1) / (mtc_real)(least - 1);
}

static mtc_real across_odds(const across_job *j, size_t a, size_t b)
{
    const scene *s = &j->s;
    size_t ab = a * s->count + b;
    mtc_real rho = ADV_MIN(j->rho[ab], 1000), delta = 5 * rho;
    if (!s->sparse) {
        mtc_real along = ADV_MAX(scene_along(s, j->u, a, b), ADV_TINY);
        delta = ADV_MIN(s->D[ab] / along, 1000);
    }
    mtc_real odds = 3 * mtc_log(ACROSS_NEAR / ADV_MAX(rho, ADV_TINY)) -
                    (mtc_real)0.6 * delta + 3 * across_share(j, a, b);
    return ADV_MAX(ADV_MIN(odds, 5), -5);
}

/* ---- A5: groups ---------------------------------------------------------- */

/* The two groups with the highest mean L, if that is above 0. */
static int across_next(const across_job *j, size_t *a, size_t *b)
{
    size_t A = j->s.count;
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

static void across_join(across_job *j)
{
    size_t A = j->s.count, a, b;
    ADV_COPY(j->sum, j->L, A * A);
    for (size_t x = 0; x < A; x++) {
        j->group[x] = x;  /* the first cluster of it */
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

/* Writes the clusters of task t under a map, from a place on. */
static void across_apply(const across_job *j, size_t t, const across_column *at,
    scene *to, size_t place)
{
    size_t d = j->s.d, begin = j->s.first[t];
    for (size_t a = begin; a < j->s.first[t + 1]; a++, place++)
        for (size_t f = 0; f < d; f++) {
            mtc_real scale = at[f].scale;
            to->c[place * d + f] = scale * j->c[a * d + f] + at[f].offset;
            to->v[place * d + f] = scale * scale * j->v[a * d + f];
        }
}

/* A2 to A5, under the maps of tasks. */
static void across_pair(across_job *j)
{
    scene *s = &j->s;
    size_t A = s->count;
    for (size_t t = 0; t < j->r.tasks; t++)
        across_apply(j, t, j->at + t * s->d, s, s->first[t]);
    across_scales(j, MTC_NONE, j->u);
    scene_measure(s, j->u, A);
    for (size_t e = 0; e < A * A; e++) {
        size_t a = ADV_MIN(e / A, e % A), b = ADV_MAX(e / A, e % A);
        j->rho[e] = s->task[a] != s->task[b] ? scene_rho(s, j->u, a, b)
                                             : ADV_HUGE;
    }
    for (size_t e = 0; e < A * A; e++) {
        size_t a = ADV_MIN(e / A, e % A), b = ADV_MAX(e / A, e % A);
        j->L[e] = s->task[a] != s->task[b] ? across_odds(j, a, b)
                                           : ACROSS_NEVER;
    }
    across_join(j);
}

/* ---- A6: maps ------------------------------------------------------------ */

typedef struct across_map {   /* of a task */
    across_job *j;
    size_t t, begin;          /* which, and its first cluster */
    size_t k, K;              /* how many it has; the others' groups */
    scene s;                  /* its clusters, mapped; the others' groups */
    mtc_real *u, dim;         /* [d] of the other tasks */
    mtc_real *tiny;           /* [d] added to variances */
    mtc_real *flat;           /* [A*d] scratch */
    size_t *match;            /* [k] a group's place in s, or MTC_NONE */
    size_t *known;            /* [k] the same of A5 */
    size_t *place;            /* [groups] in s, or MTC_NONE */
    mtc_real *rho;            /* [k] */
    size_t matched;           /* how many have a match, */
    mtc_real near;            /* and the sum of their ln(.5 / rho) */
    across_column *at, *best; /* [d] the map, and the best so far */
    int scales, best_scales;  /* 1: some column */
    mtc_real gain;            /* of the best */
} across_map;

static mtc_status map_take(adv_desk *desk, across_map *m)
{
    size_t A = m->j->s.count, d = m->j->s.d;
    ADV_TRY(scene_take(desk, 2, A, d, &m->s));
    ADV_REALS(desk, A * d, &m->flat);
    ADV_REALS(desk, A, &m->rho);
    ADV_SIZES(desk, A, &m->match, &m->known, &m->place);
    ADV_REALS(desk, d, &m->u, &m->tiny);
    m->at = ADV_TAKE(desk, d, across_column);
    m->best = ADV_TAKE(desk, d, across_column);
    return desk->status;
}

/* The groups of the other tasks, and to which of them a cluster belongs. */
static void map_groups(across_map *m)
{
    const across_job *j = m->j;
    const scene *from = &j->s;
    scene *to = &m->s;
    size_t d = to->d;
    for (size_t g = 0; g < j->groups; g++)
        m->place[g] = MTC_NONE;
    for (size_t a = 0; a < from->count; a++) {
        size_t *at = &m->place[j->group[a]];
        if (from->task[a] == m->t)
            continue;
        if (*at == MTC_NONE) {
            *at = to->count++;
            to->task[*at] = 1;
            to->n[*at] = 0;
        }
        to->n[*at] += from->n[a];
        mtc_real share = from->n[a] / to->n[*at], *c = to->c + *at * d;
        for (size_t f = 0; f < d; f++) {
            mtc_real *v = &to->v[*at * d + f];
            c[f] = (1 - share) * c[f] + share * from->c[a * d + f];
            *v = (1 - share) * *v + share * from->v[a * d + f];
        }
    }
    for (size_t i = 0; i < m->k; i++)
        m->known[i] = m->place[j->group[m->begin + i]];
}

/* dim: how many dimensions the groups fill. */
static mtc_real map_dimension(const across_map *m)
{
    size_t d = m->s.d, K = m->K;
    const mtc_real *c = m->s.c + m->k * d;
    mtc_real trace = 0, squares = 0;
    for (size_t f = 0; f < d; f++) {
        mtc_real mean = 0;
        for (size_t g = 0; g < K; g++)
            mean += c[g * d + f] / (mtc_real)K;
        for (size_t g = 0; g < K; g++)
            m->flat[g * d + f] = (c[g * d + f] - mean) * m->u[f];
    }
    for (size_t e = 0; e < K * K; e++) {
        mtc_real dot = mtc_dot(d, m->flat + e / K * d, m->flat + e % K * d);
        trace += e / K == e % K ? dot : 0;
        squares += dot * dot;
    }
    return squares > 0 ? trace * trace / squares : 0;
}

/* All that the maps of task t share, and the map that changes nothing; 0: it
 * can have none. */
static int map_begin(across_map *m, size_t t)
{
    const across_job *j = m->j;
    size_t d = j->s.d;
    m->t = t;
    m->begin = j->s.first[t];
    m->k = j->s.first[t + 1] - m->begin;
    m->s.count = m->s.first[1] = m->k;
    ADV_ZERO(m->s.task, m->k);
    m->gain = 0;
    ADV_COPY(m->s.n, j->s.n + m->begin, m->k);
    map_groups(m);
    m->K = m->s.count - m->k;
    m->s.first[2] = m->s.count;
    if (m->k < 2 || m->K < 2)
        return 0;
    across_scales(j, t, m->u);
    m->dim = map_dimension(m);
    for (size_t f = 0; f < d; f++)
        m->at[f] = across_as_is;
    across_apply(m->j, m->t, m->at, &m->s, 0);
    ADV_ZERO(m->tiny, d);
    for (size_t e = 0; e < m->s.count * d; e++)
        m->tiny[e % d] = ADV_MAX((mtc_real)1e-12 * m->s.v[e], m->tiny[e % d]);
    return 1;
}

/* near: with which groups the clusters match, by u. */
static void map_near(across_map *m, const mtc_real *u)
{
    const scene *s = &m->s;
    m->near = 0;
    m->matched = 0;
    for (size_t i = 0; i < m->k; i++) {
        const mtc_real *D = s->D + i * s->count;
        size_t g = m->k;
        for (size_t h = g + 1; h < s->count; h++)
            g = D[h] < D[g] ? h : g;
        m->rho[i] = ADV_MAX(scene_rho(s, u, i, g), ACROSS_LEAST);
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
    size_t d = m->s.d;
    const mtc_real *own = m->j->s.v + m->begin * d;
    if (!(m->tiny[f] > 0))
        return 0;
    return mtc_log((m->s.v[g * d + f] + m->tiny[f]) /
                   (own[i * d + f] + m->tiny[f])) / 2;
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
    const scene *own = &m->j->s, *s = &m->s;
    size_t d = s->d;
    map_means sum = {0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < m->k; i++) {
        size_t g = m->match[i];
        if (g == MTC_NONE)
            continue;
        mtc_real w = s->n[i] * s->n[g] / (s->n[i] + s->n[g]);
        mtc_real x = own->c[(m->begin + i) * d + f] - sum.x;
        mtc_real y = s->c[g * d + f] - sum.y;
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
    size_t d = m->s.d;
    const mtc_real much = mtc_log((mtc_real)1.5);
    const mtc_real *own = m->j->s.c + (m->begin + i) * d;
    for (size_t f = 0; f < d; f++) {
        mtc_real r = by_ratio ? map_ratio(m, i, g, f) : 0;
        m->at[f].scale = ADV_FABS(r) > much ? mtc_exp(r) : 1;
        m->at[f].offset = m->s.c[g * d + f] - m->at[f].scale * own[f];
    }
    for (int step = 0;; step++) {
        across_apply(m->j, m->t, m->at, &m->s, 0);
        scene_measure(&m->s, m->u, m->k);
        map_near(m, m->u);
        if (m->matched < 2 || step == 3)
            return m->matched >= 2;
        for (size_t f = 0; f < d; f++)
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
    scene_measure(&m->s, m->j->u, m->s.count);
    map_near(m, m->j->u);
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

/* The best map of task t: its gain, or 0. */
static mtc_real map_find(across_map *m, size_t t, size_t *partners)
{
    mtc_real score;
    if (!map_begin(m, t))
        return 0;
    *partners = map_known(m, &score);
    if (*partners == MTC_NONE)
        return 0;
    scene_measure(&m->s, m->u, m->s.count);
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
    across_map m = {.j = j};
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

/* How a column of a task spreads beside the others': suspicious ratios. */
static void across_suspect(const across_job *j, size_t t, size_t f)
{
    size_t T = j->r.tasks;
    mtc_real ratio[2] = {1, 1};
    for (size_t way = 0; way < 2; way++) {
        mtc_real own = 0;
        size_t m = 0;
        for (size_t s = 0; s < T; s++) {
            mtc_real in, between = across_between(&j->s, s, f, &in);
            mtc_real spread = ADV_SQRT(way == 0 ? in : between);
            if (s == t)
                own = spread;
            else
                j->key[m++] = spread;
        }
        mtc_real middle = adv_nth(m, j->key, (m - 1) / 2, j->order);
        ratio[way] = middle > 0 ? own / middle : 1;
    }
    mtc_real low = ADV_MIN(ratio[0], ratio[1]);
    mtc_real high = ADV_MAX(ratio[0], ratio[1]);
    if (low > 5 || (low > 0 && 5 * high < 1))
        j->r.odd[t * j->r.d + f] = ratio[0];
}

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
    if (!j->r.anchored[s->task[own]] && near != MTC_NONE)
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
        size_t a = e / A, b = e % A, of[] = {s->task[a], s->task[b]};
        if (of[0] == of[1])
            continue;
        for (size_t i = 0; i < 2; i++)
            if (r->gain[of[i]] > 0)
                j->L[e] = ADV_MIN(j->L[e], r->gain[of[i]] - 2);
        if (j->group[a] == j->group[b])
            r->anchored[of[0]] = 1;
        mtc_real *same = r->same[of[0] * T + of[1]];
        same[j->number[a] * r->clusters[of[1]] + j->number[b]] =
            across_logistic(j->L[e]);
    }
    for (size_t a = 0; a < A; a++)
        r->group[s->task[a]][j->number[a]] = (int)j->group[a];
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
    size_t d = j->r.d, T = j->r.tasks, K = j->K;
    size_t most = ADV_MAX(adv_mul(2, T), d);
    ADV_TRY(scene_take(desk, T, K, d, &j->s));
    ADV_REALS(desk, adv_mul(K, d), &j->c, &j->v);
    j->at = ADV_TAKE(desk, adv_mul(T, d), across_column);
    ADV_REALS(desk, d, &j->u);
    ADV_REALS(desk, adv_mul(K, K), &j->rho, &j->L, &j->sum);
    ADV_SIZES(desk, K, &j->number, &j->group, &j->size);
    ADV_SIZES(desk, most, &j->order);
    ADV_REALS(desk, most, &j->key, &j->base);
    ADV_TRY(desk->status);
    across_lay(j);
    j->s.sparse = adv_sparse(j->tasks, T, NULL);
    for (size_t t = 0; t < T; t++)
        ADV_TRY(across_add(desk, j, t));
    ADV_COPY(j->c, j->s.c, j->s.count * d);
    ADV_COPY(j->v, j->s.v, j->s.count * d);
    across_pair(j);
    if (!j->s.sparse && T > 1) {
        for (size_t e = 0; e < T * d; e++)
            across_suspect(j, e / d, e % d);
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
