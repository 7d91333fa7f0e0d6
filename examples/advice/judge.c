/* SPDX-License-Identifier: MIT
 *
 * judge.c - which of several partitions do the rows support?
 *
 * A partition of n rows into k clusters is good if the end of a walk from row
 * to near row tells in which cluster it began.
 *
 *   A1  S: the graph of the 5 nearest neighbors, with widths by the 7th
 *   A2  J_t = Z' D P^t Z / sum D for t = 1 and 64: the shares of walks of t
 *       steps between two clusters.  Z [n*k] is the indicator of the labels,
 *       D the diagonal of the row sums of S, P = D^-1 S.
 *   A3  score = (I_1 + I_64) / 2 / H^.7, I_t the mutual information of J_t, H
 *       the entropy of the sums of its rows
 *   A4  The first partition is the favorite.  A partition is whole if none of
 *       its clusters has fewer than n / (4 k) rows.  The favorite and all whole
 *       ones are compared; but if a whole one cuts no edge, only the whole
 *       ones that cut none.  The favorite stays if it is compared, and has the
 *       highest score or is whole and lower by at most .5 (log k)^.3 / sqrt(n)
 *   A5  r_ij = max(d_ij^2, c_i, c_j), c_i that to the 5th nearest row, and p_ij
 *       the square root of the largest r on the way from i to j in the minimum
 *       spanning tree by r.  own_i = mean of p_ij over the other rows of the
 *       cluster, other_i = the least such mean over the other clusters
 *         path = mean over the clusters of the mean over their rows of
 *                (other_i - own_i) / max(other_i, own_i), 0 for a single row
 *       Where the favorite does not stay, the highest score + path of the
 *       others that are compared is kept
 *
 * I_1 falls with every edge that is cut, I_64 where a walk soon leaves a
 * cluster that only looks closed.  The walk prefers even sizes and takes a thin
 * neck for a gap; the path sees the saddle between two rows.  Reference: none;
 * the rule is our own.
 */
#include "desk.h"

#define JUDGE_ROWS ((size_t)6)  /* beyond k: a row and its 5 neighbors */
#define JUDGE_STEPS 64          /* of the long walk */
#define JUDGE_NEAR ((size_t)5)  /* A5: c_i */
/* An entropy below this is that of one cluster. */
#define JUDGE_ONE ADV_BY_TYPE(1e-9, 1e-5)

typedef struct judge_job {
    const mtc_data *X;
    const int *const *partitions;
    size_t k;
    mtc_judge_result r;
    adv_ground ground;  /* A1 and A5: the caller's or, if none, found */
    mtc_real *degree;   /* [n] D, the row sums of S, */
    mtc_real total;     /* and their sum */
    size_t columns;     /* k of each partition */
    mtc_real *Z, *SZ;   /* [n*columns] P^t Z, and S times it */
    mtc_real *J;        /* [k*k] */
    size_t *members;    /* [k] */
    mtc_real *rows;     /* [(2n-1)*k] of a part in each cluster, */
    mtc_real *sums;     /* and the sums of p to these; parts 0..n-1 are rows */
} judge_job;

int adv_can_judge(size_t n, size_t k)
{
    return k > 1 && n >= adv_add(k, JUDGE_ROWS);
}

static void judge_shape(adv_carver *c, void *job)
{
    judge_job *j = (judge_job *)job;
    j->r.of = ADV_CARVE(c, j->r.partitions, mtc_judged);
}

/* Z <- P Z for all partitions.  A row without neighbors stays where it is. */
static void judge_step(judge_job *j)
{
    size_t w = j->columns;
    mtc_data_times(&j->ground.S, w, j->Z, w, j->SZ, w, NULL);
    for (size_t i = 0; i < j->X->n; i++)
        if (j->degree[i] > 0)
            for (size_t z = i * w; z < (i + 1) * w; z++)
                j->Z[z] = j->SZ[z] / j->degree[i];
}

/* x^e of x > 0. */
static mtc_real judge_power(mtc_real x, double e)
{
    return mtc_exp((mtc_real)e * mtc_log(x));
}

static mtc_real judge_x_log_x(mtc_real x)
{
    return x > 0 ? x * mtc_log(x) : 0;
}

/* A2 and A3 of partition c's walk in Z: its mutual information, and the entropy
 * of where it begins.  What rounding leaves below 0 is 0. */
static mtc_real judge_information(judge_job *j, size_t c, mtc_real *entropy)
{
    size_t k = j->k;
    const int *labels = j->partitions[c];
    mtc_real cells = 0, rows = 0, columns = 0;  /* sums of x log x */
    ADV_ZERO(j->J, k * k);
    for (size_t i = 0; i < j->X->n; i++)
        mtc_axpy(k, j->degree[i] / j->total, j->Z + i * j->columns + c * k,
                 j->J + (size_t)labels[i] * k);
    for (size_t a = 0; a < k; a++) {
        mtc_real row = 0, column = 0;
        for (size_t b = 0; b < k; b++) {
            row += j->J[a * k + b];
            column += j->J[b * k + a];
            cells += judge_x_log_x(j->J[a * k + b]);
        }
        rows += judge_x_log_x(row);
        columns += judge_x_log_x(column);
    }
    mtc_real information = cells - rows - columns;
    *entropy = rows < 0 ? -rows : 0;
    return information > 0 ? information : 0;
}

/* Both walks of all partitions, side by side, and their scores. */
static mtc_status judge_walk(adv_desk *desk, judge_job *j)
{
    size_t n = j->X->n, k = j->k, m = j->r.partitions;
    mtc_real again;  /* H once more: it does not depend on t */
    for (size_t c = 0; c < m; c++)
        for (size_t i = 0; i < n; i++)
            j->Z[i * j->columns + c * k + (size_t)j->partitions[c][i]] = 1;
    for (size_t t = 0; t < JUDGE_STEPS; t++) {
        ADV_TRY(adv_tick(desk->ctx, "judge", t, JUDGE_STEPS));
        judge_step(j);
        for (size_t c = 0; c < m && t == 0; c++)
            j->r.of[c].info_near = judge_information(j, c,
                                                     &j->r.of[c].entropy);
    }
    for (mtc_judged *of = j->r.of; of < j->r.of + m; of++) {
        of->info_far = judge_information(j, (size_t)(of - j->r.of), &again);
        if (of->entropy > JUDGE_ONE)
            of->score = (of->info_near + of->info_far) / 2 /
                        judge_power(of->entropy, 0.7);
    }
    return MTC_OK;
}

/* The edges that partition c cuts, and the rows of its smallest cluster. */
static void judge_count(judge_job *j, size_t c)
{
    const int *labels = j->partitions[c];
    mtc_judged *judged = &j->r.of[c];
    const mtc_data *S = &j->ground.S;
    size_t n = S->n, ends = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t e = S->row[i]; e < S->row[i + 1]; e++)
            ends += labels[S->column[e]] != labels[i];
    judged->edges = ends / 2;
    judged->smallest = n;
    adv_count(n, labels, j->k, j->members);
    for (size_t z = 0; z < j->k; z++)
        judged->smallest = ADV_MIN(j->members[z], judged->smallest);
}

/* ---- A1 and A5: what lies under all partitions --------------------------- */

adv_ground adv_ground_open(adv_desk *desk, size_t n)
{
    adv_ground g = {.child = ADV_TAKE(desk, adv_mul(2, n), size_t),
                    .length = ADV_TAKE(desk, n, mtc_real)};
    size_t most = adv_mul(2 * JUDGE_NEAR, n);  /* a pair has 2 entries */
    const size_t *row = ADV_TAKE(desk, adv_add(n, 1), size_t);
    const uint32_t *column = ADV_TAKE(desk, most, uint32_t);
    g.S = mtc_csr(0, n, row, column, ADV_TAKE(desk, most, mtc_real));
    return g;
}

/* The tree by r, and the parts that its edges join, the shortest first. */
static mtc_status ground_tree(adv_desk *desk, const mtc_data *X, adv_ground *g)
{
    size_t n = X->n, near = JUDGE_NEAR, *index, *up;
    mtc_tree_result tree;
    mtc_real *core;
    ADV_REALS(desk, adv_mul(n, near), &core);
    ADV_SIZES(desk, adv_mul(n, near), &index);
    ADV_SIZES(desk, adv_mul(2, n), &up);
    ADV_TRY(desk->status);
    ADV_TRY(adv_call(desk, ADV_SAME_SEED, mtc_neighbors, X, NULL, near,
                     MTC_DISTANCE_SQEUCLIDEAN, index, core));
    for (size_t i = 0; i < n; i++)
        core[i] = core[(i + 1) * near - 1];
    ADV_TRY(adv_call(desk, ADV_SAME_SEED, adv_tree, X, core, &tree));
    ADV_TRY(adv_keep(desk, tree.block));
    ADV_COPY(g->length, tree.length, n - 1);
    for (size_t part = 0; part < 2 * n; part++)
        up[part] = part;
    for (size_t e = 0; e < 2 * (n - 1); e++) {
        size_t part = e % 2 == 0 ? tree.from[e / 2] : tree.to[e / 2];
        while (up[part] != part)
            part = up[part];
        g->child[e] = part;
        if (e % 2 == 1)
            up[g->child[e - 1]] = up[part] = n + e / 2;
    }
    return MTC_OK;
}

mtc_status adv_ground_find(adv_desk *desk, const mtc_data *X, adv_ground *g)
{
    const mtc_graph_options o = {.similarity = MTC_SIMILARITY_GAUSSIAN,
                                 .neighbors = JUDGE_NEAR, .width = 1,
                                 .local = 7};
    mtc_graph graph;
    ADV_TRY(adv_call(desk, ADV_SAME_SEED, mtc_graph_build, X, 1, &o, &graph));
    ADV_TRY(adv_keep(desk, graph.block));
    for (size_t i = 0; i < X->n; i++)
        adv_add_row(&graph.weights, i, &g->S);
    return ground_tree(desk, X, g);
}

/* ---- A5: the path -------------------------------------------------------- */

/* sums [i*k+b]: of p from row i to the rows of cluster b.  An edge adds its
 * length to all of a part at once; parts hand that down to their parts. */
static void judge_sums(judge_job *j, const int *labels)
{
    size_t n = j->X->n, k = j->k;
    ADV_ZERO(j->rows, (2 * n - 1) * k);
    ADV_ZERO(j->sums, (2 * n - 1) * k);
    for (size_t i = 0; i < n; i++)
        j->rows[i * k + (size_t)labels[i]] = 1;
    for (size_t e = 0; e < n - 1; e++) {
        const size_t *child = j->ground.child + 2 * e;
        size_t a = child[0] * k, b = child[1] * k;
        mtc_real length = ADV_SQRT(j->ground.length[e]);
        mtc_real *both = j->rows + (n + e) * k;
        mtc_axpy(k, length, j->rows + b, j->sums + a);
        mtc_axpy(k, length, j->rows + a, j->sums + b);
        mtc_axpy(k, 1, j->rows + a, both);
        mtc_axpy(k, 1, j->rows + b, both);
    }
    for (size_t e = 2 * (n - 1); e-- > 0;)
        mtc_axpy(k, 1, j->sums + (n + e / 2) * k,
                 j->sums + j->ground.child[e] * k);
}

static mtc_real judge_path(judge_job *j, const int *labels)
{
    size_t n = j->X->n, k = j->k;
    mtc_real path = 0;
    judge_sums(j, labels);
    mtc_real used = (mtc_real)adv_count(n, labels, k, j->members);
    for (size_t i = 0; i < n; i++) {
        size_t a = (size_t)labels[i];
        mtc_real members = (mtc_real)j->members[a], other = ADV_HUGE;
        const mtc_real *sum = j->sums + i * k;
        for (size_t b = 0; b < k; b++)
            if (b != a && j->members[b] > 0)
                other = ADV_MIN(sum[b] / (mtc_real)j->members[b], other);
        if (j->members[a] < 2 || other == ADV_HUGE)
            continue;
        mtc_real own = sum[a] / (members - 1), more = ADV_MAX(other, own);
        path += more > 0 ? (other - own) / more / members / used : 0;
    }
    return path;
}

/* ---- A4: which is kept --------------------------------------------------- */

/* Is partition c whole? */
static int judge_is_whole(const judge_job *j, size_t c)
{
    return adv_mul(4 * j->k, j->r.of[c].smallest) >= j->X->n;
}

/* Which are compared, and which is kept. */
static void judge_decide(judge_job *j)
{
    mtc_judge_result *r = &j->r;
    mtc_judged *judged = r->of;
    size_t best = MTC_NONE;
    int clean = 0;  /* 1: a whole partition cuts no edge */
    for (size_t c = 0; c < r->partitions; c++)
        clean |= judge_is_whole(j, c) && judged[c].edges == 0;
    if (judge_is_whole(j, 0))
        r->margin = judge_power(mtc_log((mtc_real)j->k), 0.3) / 2 /
                    ADV_SQRT((mtc_real)j->X->n);
    for (size_t c = 0; c < r->partitions; c++) {
        int whole = judge_is_whole(j, c);
        judged[c].allowed = clean ? whole && judged[c].edges == 0
                                  : whole || c == 0;  /* the favorite */
        if (judged[c].allowed &&
            (best == MTC_NONE || judged[c].score > judged[best].score))
            best = c;
    }
    if (judged[0].allowed && judged[best].score <= judged[0].score + r->margin)
        return;
    for (size_t c = 1; c < r->partitions; c++)
        if (judged[c].allowed &&
            (r->kept == 0 || judged[c].score + judged[c].path >
                             judged[r->kept].score + judged[r->kept].path))
            r->kept = c;
}

/* Memory, and the degrees. */
static mtc_status judge_begin(adv_desk *desk, judge_job *j)
{
    const mtc_data *S = &j->ground.S;
    size_t n = S->n, k = j->k, parts = adv_mul(2, n);
    j->columns = adv_mul(j->r.partitions, k);
    ADV_REALS(desk, n, &j->degree);
    ADV_REALS(desk, adv_mul(n, j->columns), &j->Z, &j->SZ);
    ADV_REALS(desk, adv_mul(k, k), &j->J);
    ADV_REALS(desk, adv_mul(parts, k), &j->rows, &j->sums);
    ADV_SIZES(desk, k, &j->members);
    ADV_TRY(desk->status);
    for (size_t i = 0; i < n; i++) {
        for (size_t e = S->row[i]; e < S->row[i + 1]; e++)
            j->degree[i] += S->values[e];
        j->total += j->degree[i];
    }
    return MTC_OK;
}

static mtc_status judge_work(adv_desk *desk, void *job)
{
    judge_job *j = (judge_job *)job;
    j->r.of[0].allowed = 1;
    if (!adv_can_judge(j->X->n, j->k))
        return MTC_OK;
    if (j->ground.child == NULL) {
        j->ground = adv_ground_open(desk, j->X->n);
        ADV_TRY(desk->status);
        ADV_TRY(adv_ground_find(desk, j->X, &j->ground));
    }
    ADV_TRY(judge_begin(desk, j));
    ADV_TRY(judge_walk(desk, j));
    for (size_t c = 0; c < j->r.partitions; c++) {
        judge_count(j, c);
        j->r.of[c].path = judge_path(j, j->partitions[c]);
    }
    judge_decide(j);
    return MTC_OK;
}

mtc_status adv_judge(mtc_context *ctx, const mtc_data *X,
    const adv_ground *ground, const int *const *partitions, size_t m,
    size_t clusters, mtc_judge_result *res)
{
    judge_job job = {.X = X, .ground = *ground, .partitions = partitions,
                     .k = clusters, .r.partitions = m};
    ADV_TRY(mtc_data_check(ctx, X, MTC_NONE));
    ADV_TRY(adv_check_clusters(ctx, clusters, X->n, MTC_NONE));
    ADV_TRY(adv_require(ctx, m > 0 && partitions != NULL,
                        "partitions: need 1 or more"));
    for (size_t c = 0; c < m; c++)  /* an error names c as the task */
        ADV_TRY(adv_check_labels(ctx, partitions[c], X->n, clusters, c));
    return adv_result(ctx, judge_shape, judge_work, &job, res);
}

mtc_status mtc_judge(mtc_context *ctx, const mtc_data *X,
    const int *const *partitions, size_t m, size_t clusters,
    mtc_judge_result *res)
{
    const adv_ground none = {.child = NULL};
    return adv_judge(ctx, X, &none, partitions, m, clusters, res);
}
