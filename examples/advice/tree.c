/* SPDX-License-Identifier: MIT
 *
 * tree.c - the minimum spanning tree, and cuts of it [GBC16].
 *
 * Prim's algorithm (1957) finds the tree on squared distances.  best[i] is the
 * distance of row i from the tree, near[i] the first tree row that had it; the
 * nearest row outside joins next, ties to the lowest index.
 *
 * A cut begins with every row a cluster.  It joins two along the shortest edge
 * between clusters or, while the Gini index of the sizes of the c clusters,
 *   G = sum_{i<j} |size_i - size_j| / ((c - 1) n), is above its bound,
 * along the shortest edge that ends in a cluster of the smallest size s.  That
 * search resumes where it ended while s stays the same, for a cluster above s
 * stays above it.  count[s] clusters have the size s, and one pass over them
 * gives G: a gap in the sizes counts for (clusters below) (clusters above).
 */
#include "desk.h"

typedef struct tree_job {
    const mtc_data *X;
    const mtc_real *core;    /* [n] no edge of a row is shorter; or NULL */
    mtc_tree_result r;
    mtc_real *best;          /* [n] distance from the tree; inside: -1 */
    size_t *near;            /* [n] the tree row at this distance */
    size_t *from, *to;       /* [n-1] edges in the order of joining */
    mtc_real *length;        /* [n-1] squared */
    size_t *order;           /* [n-1] of them by length */
} tree_job;

static void tree_shape(adv_carver *c, void *job)
{
    tree_job *j = (tree_job *)job;
    size_t edges = j->X->n - 1;
    j->r.n = j->X->n;
    j->r.from = ADV_CARVE(c, edges, size_t);
    j->r.to = ADV_CARVE(c, edges, size_t);
    j->r.length = ADV_CARVE(c, edges, mtc_real);
}

/* Row `newest` joins the tree.  Updates the distances of the rows outside, and
 * returns the nearest, which joins next. */
static size_t tree_step(tree_job *j, size_t newest)
{
    const mtc_data *X = j->X;
    size_t next = MTC_NONE;
    j->best[newest] = -1;
    for (size_t i = 0; i < X->n; i++) {
        if (j->best[i] < 0)
            continue;
        mtc_real length = mtc_data_distance(X, newest, X, i);
        if (j->core != NULL)
            length = ADV_MAX(length, ADV_MAX(j->core[newest], j->core[i]));
        if (length < j->best[i]) {
            j->best[i] = length;
            j->near[i] = newest;
        }
        if (next == MTC_NONE || j->best[i] < j->best[next])
            next = i;
    }
    return next;
}

static mtc_status tree_work(adv_desk *desk, void *job)
{
    tree_job *j = (tree_job *)job;
    size_t n = j->X->n, edges = n - 1, newest = 0;
    ADV_REALS(desk, n, &j->best, &j->length);
    ADV_SIZES(desk, n, &j->near, &j->from, &j->to, &j->order);
    ADV_TRY(desk->status);
    for (size_t i = 0; i < n; i++)
        j->best[i] = ADV_HUGE;
    for (size_t e = 0; e < edges; e++) {
        ADV_TRY(adv_tick(desk->ctx, "tree", e, edges));
        newest = tree_step(j, newest);
        j->from[e] = j->near[newest];
        j->to[e] = newest;
        j->length[e] = j->best[newest];
    }
    adv_select(edges, j->length, edges, j->order);
    for (size_t e = 0; e < edges; e++) {
        j->r.from[e] = j->from[j->order[e]];
        j->r.to[e] = j->to[j->order[e]];
        j->r.length[e] = j->length[j->order[e]];
    }
    return MTC_OK;
}

mtc_status adv_tree(mtc_context *ctx, const mtc_data *X, const mtc_real *core,
    mtc_tree_result *res)
{
    tree_job job = {.X = X, .core = core};
    ADV_TRY(mtc_data_check(ctx, X, MTC_NONE));
    return adv_result(ctx, tree_shape, tree_work, &job, res);
}

mtc_status mtc_tree(mtc_context *ctx, const mtc_data *X, mtc_tree_result *res)
{
    return adv_tree(ctx, X, NULL, res);
}

/* ---- cutting the tree ---------------------------------------------------- */

typedef struct cut_job {
    const mtc_tree_result *tree;
    const mtc_tree_options *o;
    int *labels;      /* [n] the caller's: links first, see adv_link_root */
    size_t *members;  /* [n] of the cluster of this root */
    size_t *count;    /* [n+1] clusters of each size */
} cut_job;

mtc_tree_options mtc_tree_defaults(void)
{
    return (mtc_tree_options){.clusters = 2, .gini = (mtc_real)0.3};
}

int adv_link_root(int *lower, size_t row)
{
    int at = (int)row;
    while (lower[at] != at) {
        lower[at] = lower[lower[at]];
        at = lower[at];
    }
    return at;
}

void adv_link_join(int *lower, int a, int b)
{
    lower[ADV_MAX(a, b)] = ADV_MIN(a, b);
}

/* What a row points to has its label already. */
void adv_link_number(size_t n, int *labels)
{
    int next = 0;
    for (size_t i = 0; i < n; i++) {
        int is_root = labels[i] == (int)i;
        labels[i] = is_root ? next : labels[labels[i]];
        next += is_root;
    }
}

/* The Gini index of the sizes of c clusters, none below `least`. */
static mtc_real cut_gini(const cut_job *j, size_t least, size_t c)
{
    mtc_real sum = 0;
    size_t below = 0, last = 0;
    for (size_t s = least; below < c; s++) {
        if (j->count[s] == 0)
            continue;
        sum += (mtc_real)(s - last) * (mtc_real)below * (mtc_real)(c - below);
        below += j->count[s];
        last = s;
    }
    return sum / ((mtc_real)(c - 1) * (mtc_real)j->tree->n);
}

/* The first edge from e on that still joins two clusters and, unless size is 0,
 * ends in one of this size.  There is one, as an edge leaves such a cluster. */
static size_t cut_search(const cut_job *j, size_t e, size_t size)
{
    for (;; e++) {
        int a = adv_link_root(j->labels, j->tree->from[e]);
        int b = adv_link_root(j->labels, j->tree->to[e]);
        if (a != b && (size == 0 || j->members[a] == size ||
                       j->members[b] == size))
            return e;
    }
}

/* Joins the clusters at the ends of edge e. */
static void cut_join(cut_job *j, size_t e)
{
    int a = adv_link_root(j->labels, j->tree->from[e]);
    int b = adv_link_root(j->labels, j->tree->to[e]);
    size_t both = j->members[a] + j->members[b];
    j->count[j->members[a]]--;
    j->count[j->members[b]]--;
    j->count[both]++;
    j->members[ADV_MIN(a, b)] = both;
    adv_link_join(j->labels, a, b);
}

static mtc_status cut_work(adv_desk *desk, cut_job *j)
{
    size_t n = j->tree->n, least = 1;
    size_t next_any = 0, next_small = 0;  /* where to search next */
    ADV_SIZES(desk, adv_add(n, 1), &j->members, &j->count);
    ADV_TRY(desk->status);
    for (size_t i = 0; i < n; i++) {
        j->labels[i] = (int)i;
        j->members[i] = 1;
    }
    j->count[1] = n;
    for (size_t c = n; c > j->o->clusters; c--) {
        while (j->count[least] == 0) {
            least++;
            next_small = next_any;
        }
        int unequal = cut_gini(j, least, c) > j->o->gini;
        size_t *edge = unequal ? &next_small : &next_any;
        *edge = cut_search(j, *edge, unequal ? least : 0);
        cut_join(j, *edge);
    }
    adv_link_number(n, j->labels);
    return MTC_OK;
}

mtc_status mtc_tree_cut(mtc_context *ctx, const mtc_tree_result *res,
    const mtc_tree_options *opt, int *labels)
{
    const mtc_tree_options usual = mtc_tree_defaults();
    cut_job job = {.tree = res, .labels = labels,
                   .o = opt != NULL ? opt : &usual};
    ADV_TRY(adv_require(ctx, res != NULL && res->n > 0,
                        "tree: need a result of mtc_tree"));
    ADV_TRY(adv_check_clusters(ctx, job.o->clusters, res->n, MTC_NONE));
    ADV_TRY(adv_require(ctx, job.o->gini >= 0 && job.o->gini <= 1,
                        "gini: need 0..1"));
    ADV_TRY(adv_require(ctx, labels != NULL, "labels: need [n]"));
    adv_desk desk = adv_open(ctx, MTC_NONE);
    return adv_close(&desk, cut_work(&desk, &job));
}
