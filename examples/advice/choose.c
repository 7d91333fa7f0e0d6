/* SPDX-License-Identifier: MIT
 *
 * choose.c - how many clusters.
 *
 * A task of few rows, or of at most K distinct ones, is answered at once.  Any
 * other has one graph; five terms from it and from Ward's tree score every k,
 * and that is its curve.  All scores together give a belief in every k.
 *
 *   A1  rows of a large task are drawn;  K = min(max, n / 6);  sparse rows to
 *       unit length;  D = squared distances over their largest
 *   A2  r_i, s_i^2 = the 10th and 7th smallest D_ij > 0;  i and j are joined if
 *       D_ij <= max(r_i, r_j), with weight G_ij = exp(-D_ij / (s_i s_j))
 *   A3  1 = lambda_1 >= lambda_2 >= ... and V: eigenpairs of
 *       N^-1/2 (G + I) N^-1/2, N the row sums of G + I
 *   A4  for k = 2..K, from the k clusters of Ward's tree, two partitions:
 *         R = k-means of the rows
 *         E = k-means of U, the first k columns of V with rows of length 1,
 *             usil(k) = its silhouette;  if lambda_k = lambda_k+1 the vectors
 *             are arbitrary: E = R, usil(k) = 0
 *         Z = E if its normalized cut is below .9 of R's and it cuts fewer
 *             edges than R by more than the root of their sum;  else R
 *         mix(k) = mix of R;  cond(k), mixdep(k) = those of Z      (A5)
 *       and for K+1 R and mix alone
 *   A5  a, b: clusters of a partition.
 *       c_i(b) = edges from row i into b;  C_ab = their sum over a;
 *       vol_a = sum_b C_ab.  The largest of all pairs of clusters count:
 *         cond   = C_ab / min(vol_a, vol_b)
 *         mix    = (sum over a of c_i(b)^2 / deg_i + sum over b of
 *                  c_i(a)^2 / deg_i) / (2 C_ab + 5): 5 edges against chance
 *         mixdep = mix exp(-depth), depth = mean log length of the edges from a
 *                  to b less the larger of those within, in [-1, 1]
 *   A6  s(1) = 1.9 + 13.9 min_k mixdep(k) + 6.9 max_k usil(k)
 *              + .7 ln(cond(2) + .01)
 *       s(k) = 9.4 usil(k) + .75 ln((1 - lambda_k+1 + .01) / (1 - lambda_k
 *              + .01)) + 11.5 (lambda_k - lambda_k+1)
 *              + 4.4 (mix(k+1) - mix(k)) + 2 ln(h(k) / h(k+1))
 *       with h(k) the height at which k clusters become k - 1
 *   A7  T tasks take part: those with a curve, and with at least half the
 *       largest K.  K is their least, s the mean of theirs, and for k >= 2
 *       s grows by 30 (1 - 1/T) times the mean of lambda_k - lambda_k+1.
 *       If lambda_K+1 is 1 there are more parts than K, and no k below K is
 *       possible.  p = exp(s) / sum exp(s)
 *   A8  The first look has K <= 12, the second K <= max.  It is taken unless
 *       the first is clear with k < K, or surely finds no groups, or has as
 *       many k as there can be; and it counts if its k is above the first's K.
 *       A wide look always would only make small k less sure.
 *
 * In the graph, squared distances below 1e-12 of the largest are 0.  Ward's
 * tree has them as they are: there they only break ties.
 *
 * Where a boundary cuts through one cluster, rows there have about a third of
 * their edges on the other side, whatever the shape and the dimension; between
 * clusters fewer than a fifth.  That is what tells one cluster from several.
 * Reference: none; the rule is our own.  The weights were fitted to 214 data
 * sets, 79 of them from public collections, and tested on 168 others.
 */
#include "desk.h"

#define CHOOSE_ROWS ((size_t)500)      /* of a task, at most */
#define CHOOSE_SHARE ((size_t)6)       /* rows for each cluster */
#define CHOOSE_FIRST ((size_t)12)      /* A8: K of the first look, at most */
#define CHOOSE_CURVES ((size_t)6)      /* of an answer */
#define CHOOSE_NEAR ((size_t)10)       /* neighbors: r_i */
#define CHOOSE_LOCAL ((size_t)7)       /* s_i */
#define CHOOSE_SMOOTH ((mtc_real)0.01) /* added to what is in a log */
#define CHOOSE_SHORT ((mtc_real)1e-9)  /* lengths, heights, cuts: 0 below */
/* Eigengaps below this are 0. */
#define CHOOSE_GAP ADV_BY_TYPE(1e-8, 1e-5)
#define CHOOSE_CHEAP ((mtc_real)0.9)   /* A4: E's share of R's cut */
#define CHOOSE_CHANCE ((mtc_real)5)    /* A5: edges added to those between */
#define CHOOSE_SURE ((mtc_real)0.9)    /* p of a clear answer */
/* choose_ is about the call, curve_ about a task, border_ about a partition. */

mtc_choose_options mtc_choose_defaults(void)
{
    return (mtc_choose_options){.min = 1, .max = 48};
}

typedef struct choose_look {  /* A8 */
    size_t max;               /* K, at most */
    mtc_real *curves;         /* [(tasks+1)*size] the last are common's */
    mtc_choice *task;         /* [tasks+1] the last is common's; k is 0 while
                                 there is only a curve: its p is s then */
} choose_look;

typedef struct choose_job {
    const mtc_data *tasks;    /* [r.tasks] */
    const mtc_choose_options *o;
    mtc_choose_result r;
    size_t size;              /* numbers in the curves of an answer */
    choose_look first, second;
    choose_look *now;         /* the one that is taken */
    int *curved;              /* [tasks] 1: the look has a curve of it */
    int *asked;               /* [tasks+1] which answers ask for the second */
    struct curve *curve;      /* of the tasks that are looked at */
    size_t each;              /* numbers of clusters in the longest of them */
} choose_job;

/* Answer i, before its curves are known.  They have a number more than is
 * promised: scores look at mix(K + 1). */
static mtc_choice choose_answer(const choose_job *j, const choose_look *look,
    size_t i)
{
    mtc_real *p = look->curves + i * j->size;
    size_t n = j->size / CHOOSE_CURVES;
    return (mtc_choice){
        .p = p, .gap = p + n, .usil = p + 2 * n, .mix = p + 3 * n,
        .mixdep = p + 4 * n, .height = p + 5 * n};
}

static void choose_shape(adv_carver *c, void *job)
{
    choose_job *j = (choose_job *)job;
    size_t answers = adv_add(j->r.tasks, 1);
    choose_look *looks[] = {&j->first, &j->second};
    for (size_t i = 0; i < 2; i++) {
        choose_look *look = looks[i];
        look->task = ADV_CARVE(c, answers, mtc_choice);
        look->curves = ADV_CARVE(c, adv_mul(answers, j->size), mtc_real);
    }
    j->r.task = j->first.task;
}

/* ---- A1 to A3: the graph of a task, and its spectrum --------------------- */

typedef struct border_pair {  /* A5: clusters a and b, from a's side */
    mtc_real edges;           /* C_ab */
    mtc_real weight, length;  /* their sum, and the mean of their log length */
    mtc_real mixed;           /* sum of c_i(b)^2 / deg_i over a */
    mtc_real met;             /* scratch: c_i(b) of row i */
} border_pair;

/* Lanes that score one k each share it, and only read. */
typedef struct curve {
    adv_desk desk;         /* that its memory is taken from */
    const mtc_data *X;     /* the task, */
    size_t t;              /* and its number */
    size_t n, K;           /* A1: rows that are looked at; the largest k */
    int few;               /* 1: no curve, for want of rows */
    mtc_data rows;         /* copies of those rows */
    mtc_real most;         /* their largest squared distance */
    mtc_real *D;           /* [n*n] squared distances over that */
    size_t *order;         /* A2: [n] the nearest rows of one */
    mtc_real *radius;      /* [n] r_i */
    mtc_real *scale;       /* [n] s_i */
    mtc_real *G;           /* [n*n] G + I */
    mtc_real *length;      /* [n*n] log length of an edge; HUGE: no edge */
    mtc_real *V, *lambda;  /* A3: [n*(K+2)], [K+2] */
    mtc_ward_result tree;  /* A4: of the rows */
    mtc_real cond;         /* A5 of its k = 2 */
} curve;

static curve curve_of(const choose_job *j, const choose_look *look, size_t t)
{
    const mtc_data *X = &j->tasks[t];
    size_t n = ADV_MIN(X->n, CHOOSE_ROWS);
    size_t K = ADV_MIN(n / CHOOSE_SHARE, look->max);
    int few = K < 2 || K < j->o->min;
    return (curve){.X = X, .t = t, .n = n, .K = K, .few = few};
}

static mtc_status curve_take(curve *c)
{
    size_t n = c->n, K = c->K;
    adv_desk *desk = &c->desk;
    c->rows = adv_draw(desk, c->X, n, c->t);  /* A1 */
    ADV_REALS(desk, n * n, &c->D, &c->G, &c->length);
    ADV_REALS(desk, n, &c->radius, &c->scale);
    ADV_SIZES(desk, n, &c->order);
    ADV_REALS(desk, n * (K + 2), &c->V);
    ADV_REALS(desk, K + 2, &c->lambda);
    return desk->status;
}

/* A1: D.  Returns how many rows are distinct; *exact says whether those that
 * seem equal are so to the bit. */
static size_t curve_distances(curve *c, int *exact)
{
    size_t n = c->n, distinct = 0;
    *exact = 1;
    c->most = ADV_TINY;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            mtc_real square = mtc_data_distance(&c->rows, i, &c->rows, j);
            c->D[i * n + j] = square;
            c->most = ADV_MAX(square, c->most);
        }
    for (size_t i = 0; i < n; i++) {
        int seen = 0;
        for (size_t j = 0; j < i; j++) {
            mtc_real share = c->D[i * n + j] / c->most;
            int equal = share < ADV_EQUAL;
            *exact &= !equal || share == 0;
            c->D[i * n + j] = c->D[j * n + i] = equal ? 0 : share;
            seen |= equal;
        }
        distinct += !seen;
    }
    return distinct;
}

/* A2: r_i and s_i, over the rows that differ from row i: at least one does. */
static void curve_scales(curve *c)
{
    size_t n = c->n;
    for (size_t i = 0; i < n; i++) {
        const mtc_real *D = c->D + i * n;
        size_t equal = 0;  /* rows, itself too */
        for (size_t j = 0; j < n; j++)
            equal += D[j] == 0;
        size_t near = ADV_MIN(n - equal, CHOOSE_NEAR);
        size_t local = ADV_MIN(near, CHOOSE_LOCAL);
        adv_select(n, D, equal + near, c->order);
        c->radius[i] = D[c->order[equal + near - 1]] * (1 + ADV_TIE);
        c->scale[i] = ADV_SQRT(D[c->order[equal + local - 1]]);
    }
}

/* A2: G + I, and the lengths of the edges. */
static void curve_graph(curve *c)
{
    size_t n = c->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            size_t e = i * n + j;
            mtc_real square = c->D[e], length = ADV_SQRT(square);
            c->G[e] = i == j;
            c->length[e] = ADV_HUGE;
            if (i == j || (square > c->radius[i] && square > c->radius[j]))
                continue;
            c->G[e] = mtc_exp(-square / (c->scale[i] * c->scale[j]));
            c->length[e] = mtc_log(ADV_MAX(length, CHOOSE_SHORT));
        }
}

/* What all k share: A3, and Ward's tree of the rows. */
static mtc_status curve_begin(curve *c)
{
    mtc_data G = mtc_dense(c->n, c->n, c->G);
    ADV_TRY(adv_call(&c->desk, ADV_SAME_SEED, mtc_spectral, &G, c->K + 2, c->V,
                     c->lambda));
    for (size_t k = 0; k < c->K + 2; k++)
        c->lambda[k] = ADV_MIN(c->lambda[k], 1);  /* but for rounding */
    ADV_TRY(adv_call(&c->desk, 0, mtc_ward, &c->rows, &c->tree));
    return adv_keep(&c->desk, c->tree.block);
}

/* ---- A4 and A5: the partitions of a task, and their boundaries ----------- */

/* The partitions of one k. */
typedef struct parts {
    adv_desk *desk;
    const curve *c;
    size_t k;
    int *labels;        /* [n] of R, then of E */
    border_pair *pair;  /* A5: [k*k] */
    mtc_real *volume;   /* [k] vol_a */
} parts;

/* A4: labels of k-means on X, from the k clusters of its tree. */
static mtc_status parts_lloyd(const parts *p, const mtc_data *X,
    const mtc_ward_result *tree)
{
    mtc_kmeans_options o = {.clusters = p->k, .restarts = 1, .iterations = 50,
                            .start_labels = p->labels};
    ADV_TRY(adv_call(p->desk, 0, mtc_ward_cut, tree, p->k, p->labels));
    return adv_kmeans(p->desk, 0, X, &o, p->labels, NULL);
}

/* A4: E and usil(k), by the first k columns of V. */
static mtc_status parts_embed(const parts *p, mtc_real *usil)
{
    const curve *c = p->c;
    size_t k = p->k, columns = c->K + 2;
    mtc_real *rows = ADV_TAKE(p->desk, c->n * k, mtc_real);
    mtc_data U = mtc_dense(c->n, k, rows);
    mtc_ward_result tree;
    ADV_TRY(p->desk->status);
    for (size_t i = 0; i < c->n; i++)
        ADV_COPY(rows + i * k, c->V + i * columns, k);
    adv_unit_rows(c->n, k, rows);
    ADV_TRY(adv_call(p->desk, 0, mtc_ward, &U, &tree));
    ADV_TRY(adv_keep(p->desk, tree.block));
    ADV_TRY(parts_lloyd(p, &U, &tree));
    return adv_call(p->desk, 0, mtc_silhouette, &U, p->labels, k, NULL, usil);
}

/* The edges between the clusters, and the volumes of these. */
static void border_tally(const parts *p)
{
    const curve *c = p->c;
    size_t n = c->n, k = p->k;
    ADV_ZERO(p->pair, k * k);
    ADV_ZERO(p->volume, k);
    for (size_t i = 0; i < n; i++) {
        size_t a = (size_t)p->labels[i];
        border_pair *pair = p->pair + a * k;
        mtc_real degree = 0;  /* > 0 in the end: r_i reaches a row */
        for (size_t j = 0; j < n; j++) {
            border_pair *ab = &pair[p->labels[j]];
            if (c->length[i * n + j] == ADV_HUGE)
                continue;
            ab->weight += c->G[i * n + j];
            ab->length += c->length[i * n + j];
            ab->met += 1;
            degree += 1;
        }
        p->volume[a] += degree;
        for (size_t b = 0; b < k; b++) {
            pair[b].edges += pair[b].met;
            pair[b].mixed += pair[b].met * pair[b].met / degree;
            pair[b].met = 0;
        }
    }
    for (size_t e = 0; e < k * k; e++)
        p->pair[e].length /= ADV_MAX(p->pair[e].edges, 1);
}

typedef struct border {
    mtc_real cond, mix, mixdep;  /* A5 */
    mtc_real cut, crossing;      /* normalized cut; edges that are cut */
} border;

/* A5 of the labels, and what A4 compares. */
static border border_of(const parts *p)
{
    border out = {0, 0, 0, 0, 0};
    size_t k = p->k;
    border_tally(p);
    for (size_t a = 0; a < k; a++) {
        const border_pair *from_a = p->pair + a * k;
        mtc_real all = 0;
        for (size_t b = 0; b < k; b++)
            all += from_a[b].weight;
        out.cut += all > 0 ? (all - from_a[a].weight) / all : 0;
        for (size_t b = 0; b < a; b++) {
            const border_pair *ab = &from_a[b], *from_b = p->pair + b * k;
            if (ab->edges == 0)
                continue;
            mtc_real within = ADV_MAX(from_a[a].length, from_b[b].length);
            mtc_real depth = ADV_MAX(ADV_MIN(ab->length - within, 1), -1);
            mtc_real smaller = ADV_MIN(p->volume[a], p->volume[b]);
            mtc_real mix = (ab->mixed + from_b[a].mixed) /
                           (2 * ab->edges + CHOOSE_CHANCE);
            out.crossing += ab->edges;
            out.cond = ADV_MAX(ab->edges / smaller, out.cond);
            out.mix = ADV_MAX(mix, out.mix);
            mtc_real mixdep = mix * mtc_exp(-depth);
            out.mixdep = ADV_MAX(mixdep, out.mixdep);
        }
    }
    return out;
}

/* A4 for one curve and one k, if it has that.  E counts where it is cheaper
 * than R, by more than the noise of counts. */
static mtc_status choose_parts(adv_desk *desk, void *job, size_t item)
{
    const choose_job *j = (const choose_job *)job;
    curve *c = &j->curve[item / j->each];
    const mtc_choice *out = &j->now->task[c->t];
    size_t k = item % j->each + 2;
    parts p = {.desk = desk, .c = c, .k = k};
    if (c->few || k > c->K + 1)
        return MTC_OK;
    desk->task = c->t;
    p.labels = ADV_TAKE(desk, c->n, int);
    p.pair = ADV_TAKE(desk, k * k, border_pair);
    p.volume = ADV_TAKE(desk, k, mtc_real);
    ADV_TRY(desk->status);
    ADV_TRY(parts_lloyd(&p, &c->rows, &c->tree));
    border R = border_of(&p), Z = R;
    out->mix[k - 1] = R.mix;
    if (k > c->K)
        return MTC_OK;
    if (c->lambda[k - 1] - c->lambda[k] > CHOOSE_GAP) {
        ADV_TRY(parts_embed(&p, &out->usil[k - 1]));
        border E = border_of(&p);
        mtc_real noise = ADV_SQRT(R.crossing + E.crossing);
        if (R.cut > CHOOSE_SHORT && E.cut < CHOOSE_CHEAP * R.cut &&
            R.crossing - E.crossing > noise)
            Z = E;
    }
    out->mixdep[k - 1] = Z.mixdep;
    if (k == 2)
        c->cond = Z.cond;
    return MTC_OK;
}

/* ---- A6 and A7: scores and beliefs --------------------------------------- */

/* A6, in doubles: s(k) at p[k - 1], and what of its terms the caller sees. */
static void curve_score(const curve *c, mtc_choice *out)
{
    const mtc_real *height = c->tree.height;  /* h(k) is at n - k */
    const mtc_real flat = CHOOSE_SHORT * ADV_SQRT(c->most);
    mtc_real usil = -1, mixdep = ADV_HUGE;
    out->gap[0] = c->lambda[0] - c->lambda[1];
    for (size_t k = 2; k <= c->K; k++) {
        size_t at = k - 1;
        mtc_real below = height[c->n - k - 1];
        mtc_real ratio = (1 - c->lambda[k] + CHOOSE_SMOOTH) /
                         (1 - c->lambda[at] + CHOOSE_SMOOTH);
        out->gap[at] = c->lambda[at] - c->lambda[k];
        out->height[at] = mtc_log(height[c->n - k] / ADV_MAX(below, flat));
        out->p[at] = (mtc_real)(9.4 * (double)out->usil[at] +
                                0.75 * (double)mtc_log(ratio) +
                                11.5 * (double)out->gap[at] +
                                4.4 * (double)(out->mix[k] - out->mix[at]) +
                                2 * (double)out->height[at]);
        usil = ADV_MAX(out->usil[at], usil);
        mixdep = ADV_MIN(out->mixdep[at], mixdep);
    }
    out->p[0] = (mtc_real)(1.9 + 13.9 * (double)mixdep + 6.9 * (double)usil +
                           0.7 * (double)mtc_log(c->cond + CHOOSE_SMOOTH));
}

/* A1 to A3 of a task; if it has few distinct rows, its answer. */
static mtc_status choose_curve(const choose_job *j, curve *c)
{
    mtc_choice *one = &j->now->task[c->t];
    int exact;
    ADV_TRY(adv_tick(c->desk.ctx, "choose", c->t, j->r.tasks));
    ADV_TRY(curve_take(c));
    if (adv_sparse(&c->rows, 1, NULL))
        adv_unit(&c->rows);
    size_t distinct = curve_distances(c, &exact);
    c->few = distinct <= c->K;
    if (c->few && j->now == &j->second) {
        one->k = j->first.task[c->t].k;  /* that stays */
        return MTC_OK;
    }
    if (c->few) {
        one->k = one->best = distinct;
        one->verdict = distinct == 1 ? MTC_VERDICT_NONE : MTC_VERDICT_CLEAR;
        one->p[distinct - 1] = 1;
        if (!exact) {  /* a row so far that the others seem equal beside it */
            one->verdict = MTC_VERDICT_UNCLEAR;
            for (size_t k = 0; k < c->K; k++)
                one->p[k] = 1 / (mtc_real)c->K;
        }
        one->sure = one->p[distinct - 1];
        return MTC_OK;
    }
    curve_scales(c);
    curve_graph(c);
    return curve_begin(c);
}

/* The answer of curve i's task at once, or its graph. */
static mtc_status choose_task(adv_desk *desk, void *job, size_t i)
{
    const choose_job *j = (const choose_job *)job;
    curve *c = &j->curve[i];
    mtc_choice *one = &j->now->task[c->t];
    *one = choose_answer(j, j->now, c->t);
    one->limit = c->K;
    c->few |= j->now == &j->second && !j->asked[c->t] && !j->asked[j->r.tasks];
    if (!c->few) {
        c->desk = adv_open(desk->ctx, c->t);  /* until the curve is scored */
        return choose_curve(j, c);
    }
    one->k = one->best = ADV_MIN(j->o->min, c->X->n);
    one->verdict = MTC_VERDICT_FEW;
    return MTC_OK;
}

/* A7: p from s, and the answer. */
static void choose_believe(mtc_choice *c, size_t min)
{
    size_t K = c->limit;
    mtc_real sum = 0, fallen = 0;  /* from lambda_1, 1, to lambda_K+1 */
    for (size_t k = 0; k < K; k++)
        fallen += c->gap[k];
    size_t first = (fallen < CHOOSE_GAP ? K : min) - 1;  /* of the least k */
    size_t top = first + adv_argmax(K - first, c->p + first);
    mtc_real highest = c->p[top];
    ADV_ZERO(c->p, first);
    for (size_t k = first; k < K; k++) {
        c->p[k] = mtc_exp(c->p[k] - highest);
        sum += c->p[k];
    }
    for (size_t k = 0; k < K; k++)
        c->p[k] /= sum;
    c->k = top + 1;
    c->best = top > 0 ? c->k : 2 + adv_argmax(K - 1, c->p + 1);
    c->sure = c->p[top];
    c->p[top] = -1;  /* so the next is found */
    size_t next = adv_argmax(K, c->p);
    c->second = c->p[next] > 0 ? next + 1 : 0;
    c->p[top] = c->sure;
    c->verdict = MTC_VERDICT_UNCLEAR;
    if (top == 0)
        c->verdict = MTC_VERDICT_NONE;
    else if (c->sure >= CHOOSE_SURE && first + 1 < K)
        c->verdict = MTC_VERDICT_CLEAR;
}

/* A7: the answer of all tasks of a look, by the means of their curves and
 * scores.  Without a curve it is that of the first. */
static mtc_choice choose_common(const choose_job *j, const choose_look *look)
{
    mtc_choice c = choose_answer(j, look, j->r.tasks);
    size_t most = 0;
    mtc_real T = 0;  /* that take part */
    for (size_t t = 0; t < j->r.tasks; t++)
        if (look->task[t].k == 0)  /* it has a curve */
            most = ADV_MAX(look->task[t].limit, most);
    if (most == 0)
        return look->task[0];
    c.limit = most;
    for (size_t t = 0; t < j->r.tasks; t++) {
        const mtc_choice *one = &look->task[t];
        if (one->k > 0 || 2 * one->limit < most)
            continue;
        T += 1;
        c.limit = ADV_MIN(one->limit, c.limit);
        for (size_t e = 0; e < j->size; e++)
            c.p[e] += one->p[e];  /* and the curves after it */
    }
    for (size_t e = 0; e < j->size; e++)
        c.p[e] /= T;
    for (size_t k = 1; k < c.limit; k++)
        c.p[k] += 30 * (T - 1) / T * c.gap[k];
    choose_believe(&c, j->o->min);
    return c;
}

/* ---- A8: both looks ------------------------------------------------------ */

/* The answers, or scores, of some tasks, the first of which is t. */
static mtc_status choose_some(adv_desk *desk, choose_job *j, size_t t,
    size_t some)
{
    size_t square = 0;  /* of the most rows */
    j->each = 1;
    for (size_t i = 0; i < some; i++) {
        curve *c = &j->curve[i];
        *c = curve_of(j, j->now, t + i);
        square = ADV_MAX(c->n * c->n, square);
        j->each = ADV_MAX(c->K, j->each);
    }
    mtc_status s = adv_share(desk, some, square * j->each, choose_task, j);
    if (s == MTC_OK)
        s = adv_share(desk, some * j->each, square, choose_parts, j);
    for (size_t i = some; i-- > 0;) {
        curve *c = &j->curve[i];
        if (s == MTC_OK && !c->few)
            curve_score(c, &j->now->task[c->t]);
        adv_close(&c->desk, s);
    }
    return s;
}

/* Takes a look: the answers of all tasks, and the common one.  No more curves
 * are held at a time than there are lanes. */
static mtc_status choose_see(adv_desk *desk, choose_job *j, choose_look *look)
{
    size_t T = j->r.tasks, some = adv_lanes(desk->ctx, T, SIZE_MAX);
    j->now = look;
    j->curve = ADV_TAKE(desk, some, curve);
    ADV_TRY(desk->status);
    for (size_t t = 0; t < T; t += some)
        ADV_TRY(choose_some(desk, j, t, ADV_MIN(some, T - t)));
    look->task[T] = choose_common(j, look);
    for (size_t t = 0; t < T; t++) {
        j->curved[t] = look->task[t].k == 0;
        if (j->curved[t])
            choose_believe(&look->task[t], j->o->min);
    }
    return MTC_OK;
}

/* Does an answer that comes from a curve stand as it is? */
static int choose_final(const mtc_choice *c)
{
    return (c->verdict == MTC_VERDICT_CLEAR && c->k < c->limit) ||
           (c->verdict == MTC_VERDICT_NONE && c->sure >= CHOOSE_SURE);
}

/* Which answers of the first look ask for the second: they are not final, and
 * a curve can be longer.  Returns whether any does. */
static int choose_ask(choose_job *j)
{
    const mtc_choice *one = j->first.task;
    size_t T = j->r.tasks;
    int any = 0;
    for (size_t t = 0; t < T; t++) {
        size_t widest = curve_of(j, &j->second, t).K;
        int longer = j->curved[t] && widest > one[t].limit;
        j->asked[t] = longer && !choose_final(&one[t]);
        j->asked[T] |= longer && !choose_final(&one[T]);
        any |= j->asked[t] | j->asked[T];
    }
    return any;
}

/* An answer of the second look counts beyond the first. */
static mtc_status choose_work(adv_desk *desk, void *job)
{
    choose_job *j = (choose_job *)job;
    size_t T = j->r.tasks;
    mtc_choice *one = j->first.task;
    j->curved = ADV_TAKE(desk, T, int);
    j->asked = ADV_TAKE(desk, T + 1, int);
    ADV_TRY(desk->status);
    ADV_TRY(choose_see(desk, j, &j->first));
    if (choose_ask(j))
        ADV_TRY(choose_see(desk, j, &j->second));
    for (size_t i = 0; i <= T; i++)
        if (j->asked[i] && j->second.task[i].k > j->first.max)
            one[i] = j->second.task[i];
    j->r.common = one[T];
    return MTC_OK;
}

mtc_status mtc_choose(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
    const mtc_choose_options *opt, mtc_choose_result *res)
{
    const mtc_choose_options usual = mtc_choose_defaults();
    const mtc_choose_options *o = opt != NULL ? opt : &usual;
    choose_job job = {.tasks = tasks, .o = o, .r.tasks = n_tasks};
    ADV_TRY(adv_check_sets(ctx, tasks, n_tasks));
    ADV_TRY(adv_require(ctx, o->min > 0, "min: need 1 or more"));
    ADV_TRY(adv_require(ctx, o->max >= 2 && o->max >= o->min,
                        "max: need 2 and min or more"));
    job.second.max = o->max;
    job.first.max = o->min > CHOOSE_FIRST ? o->max
                                          : ADV_MIN(o->max, CHOOSE_FIRST);
    for (size_t t = 0; t < n_tasks; t++) {
        curve c = curve_of(&job, &job.second, t);
        job.size = ADV_MAX(CHOOSE_CURVES * (c.K + 1), job.size);
    }
    return adv_result(ctx, choose_shape, choose_work, &job, res);
}
