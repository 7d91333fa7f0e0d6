/* SPDX-License-Identifier: MIT
 *
 * lp.c - optimization problems with exact answers.
 *
 * This file calls linalg.c, knows nothing of clustering and keeps no state.
 * Each answer comes with a proof: dual variables of the same value.  The public
 * calls check their arguments, take scratch from the context and solve.  mtc.c
 * calls the _in forms, in memory that it already has.
 *
 *   Chapter 1  Sums that lose nothing, and a look at the costs
 *   Chapter 2  The transportation problem (earth mover's distance)
 *   Chapter 3  The assignment problem
 *
 *   [C76]   Cunningham: a network simplex method.  Math. Prog. 11, 1976.
 *   [JV87]  Jonker, Volgenant: linear assignment.  Computing 38, 1987.
 */
#define MTC_INTERNAL
#include "mtc.h"

#if MTC_VERSION != 400
#error "lp.c and mtc.h are of different versions"
#endif

/* ==========================================================================
 * Chapter 1  Sums that lose nothing, and a look at the costs
 *
 * A pair (high, low) stands for the number high + low, |low| <= eps |high|,
 * and so has twice the digits of a real.
 * ========================================================================== */

/* The type of an intermediate result that must be rounded.  Plain IEEE
 * arithmetic rounds it; `volatile` forces other arithmetic to round, too. */
#if defined(__FAST_MATH__) || (defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD)
typedef volatile mtc_real lp_rounded;
#else
typedef mtc_real lp_rounded;
#endif

/* Returns s = a + b rounded; *rest = (a + b) - s, exactly (Knuth). */
static mtc_real lp_two_sum(mtc_real a, mtc_real b, mtc_real *rest)
{
    lp_rounded s = a + b, from_b = s - a, from_a = s - from_b;
    lp_rounded rest_a = a - from_a, rest_b = b - from_b;
    *rest = rest_a + rest_b;
    return s;
}

/* (high, low) += x. */
static void lp_pair_add(mtc_real *high, mtc_real *low, mtc_real x)
{
    mtc_real rest;
    mtc_real s = lp_two_sum(*high, x, &rest);
    *high = lp_two_sum(s, *low + rest, low);
}

/* The largest |cost| for which the duals, sums of m + n costs, are finite. */
static mtc_real lp_limit(size_t m, size_t n)
{
    return MTC_HUGE / (4 * ((mtc_real)m + (mtc_real)n));
}

/* Checks the arguments, and that the costs and their sums are finite.  Sets
 * *largest to the largest |cost|. */
static mtc_status lp_check(mtc_context *ctx, size_t m, size_t n,
    const mtc_real *cost, size_t ldc, mtc_real *largest)
{
    *largest = 0;
    if (m == 0 || n == 0)
        return MTC_OK;
    if (cost == NULL || ldc < n)
        return mtc_refuse(ctx, MTC_INVALID, ldc < n ? "ldc" : "cost");
    if (mtc_mul(mtc_mul(m, ldc), sizeof *cost) > (size_t)PTRDIFF_MAX)
        return mtc_refuse(ctx, MTC_TOO_BIG, "cost");
    mtc_real limit = lp_limit(m, n);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            mtc_real c = MTC_FABS(cost[i * ldc + j]);
            if (!(c <= limit))  /* or NaN */
                return mtc_fail(ctx, MTC_DOMAIN, "cost", MTC_NONE, i, j);
            *largest = c > *largest ? c : *largest;
        }
    return MTC_OK;
}

/* ==========================================================================
 * Chapter 2  The transportation problem (earth mover's distance)
 *
 *   min sum_ij x_ij c_ij,  x >= 0,  sum_j x_ij = a_i,  sum_i x_ij = b_j
 *   max sum_i a_i u_i + sum_j b_j v_j,  u_i + v_j <= c_ij           (its dual)
 *   c cost   a supply   b demand   u, v potentials   r = c - u - v
 *
 * Network simplex.  A basis is a spanning tree of the graph whose nodes are
 * rows and columns and whose arcs are cells; along it u_i + v_j = c_ij.
 *
 *   A0 coarsen  if one side is much longer, solve for a third of its nodes
 *               first, and before that for a third of these, and so on; the
 *               prices found guide the next A1
 *   A1 start    row by row, fill the cheapest open columns
 *   A2 price    find a cell (i,j) with r_ij < 0, or stop: optimal
 *   A3 ratio    push flow around the cycle that (i,j) closes in the tree
 *               until an arc of the cycle runs empty
 *   A4 regraft  that arc leaves, (i,j) enters: a branch of the tree is hung
 *               elsewhere and gets new potentials; back to A2
 *
 * The textbook proof that this ends holds in a computer for three reasons:
 *   Flows are integers: masses are rounded once, to multiples of about 2^-60
 *     of their total, so that equal flows compare as equal.
 *   The tree is strongly feasible [C76]: an arc that carries nothing has its
 *     row below its column.  A1 begins with such a tree, and the rule of A3 for
 *     ties keeps it so; then no basis occurs twice, whatever the masses are.
 *   A cell enters only if r < 0 is certain: potentials are computed down the
 *     tree, never corrected step by step, and carry a bound on their rounding.
 * The plan and its cost are computed at the end from the masses as given, with
 * demand scaled to supply.  Columns without mass cannot be in a strongly
 * feasible tree; they get their potentials at the end.
 * Cost of a pivot: O(max(m, n) + cycle + branch); memory O(m + n).
 * ========================================================================== */

/* Flows of up to 2^60 units are converted in two words: to convert 64 bits
 * takes 2 KB of code on a processor that computes in float alone. */
#define TS_HIGH ((mtc_real)0x1p28)
#define TS_LOW ((mtc_real)0x1p32)
#define TS_AWAY (-(MTC_HUGE / 2))  /* a price that closes a row or column */
#define TS_CHUNK ((size_t)64)      /* cells looked at together */
#define TS_THIRD ((size_t)3)       /* odd, as data often come in pairs */
#define TS_TICK ((size_t)1024)     /* pivots between two reports */
/* Totals that differ by no more than this share are called equal. */
#define TS_BALANCED MTC_BY_TYPE(1e-6, 1e-4)

/* The thread is a ring through the nodes in preorder: a node comes right before
 * its branch.  The arc to the parent is stored with the child. */
typedef struct ts_node {
    size_t parent;      /* MTC_NONE at the root */
    size_t next, back;  /* the thread, both ways */
    size_t depth;
    int64_t flow;    /* of the arc to the parent; in A1 mass that is left */
    mtc_real cost;   /* of that arc */
    mtc_real error;  /* |potential - exact| is at most this */
    mtc_real low;    /* at the end: of a pair whose high is mass[] */
} ts_node;

/* Row i is node i, column j is node m + j. */
typedef struct ts_net {
    size_t m, n;
    const mtc_real *cost;
    size_t ldc;
    size_t tall, wide;     /* A0: so many rows, columns are taken as one */
    size_t rows, columns;  /* and so many are left */
    mtc_real largest;      /* |cost| */
    mtc_real total;        /* mass: the larger of both sides' */
    mtc_real scale;        /* supply / demand, 1 but for rounding */
    ts_node *node;         /* [m+n] */
    mtc_real *potential;   /* [m+n] u, then v */
    mtc_real *mass;        /* [m+n] a, then b */
    size_t root;
    size_t heavy;       /* the node that balances the totals */
    mtc_real rounding;  /* by this much more mass */
    size_t cursor;      /* the row to be priced next */
    size_t pivots, limit;
} ts_net;

/* Takes O(m + n) reals and nodes; the costs are not copied. */
static void ts_layout(mtc_stack *st, size_t m, size_t n, ts_net *t)
{
    size_t nodes = mtc_add(m, n);
    t->node = MTC_TAKE(st, nodes, ts_node);
    MTC_REALS(st, nodes, &t->potential, &t->mass);
}

/* &c_ij. */
static const mtc_real *ts_cell(const ts_net *t, size_t i, size_t j)
{
    return t->cost + i * t->tall * t->ldc + j * t->wide;
}

/* Checks the shape, the costs, the masses, and that the totals agree. */
static mtc_status ts_check(mtc_context *ctx, const mtc_real *supply,
    const mtc_real *demand, ts_net *t)
{
    if (t->m == 0 || t->n == 0 || supply == NULL || demand == NULL)
        return mtc_refuse(ctx, MTC_INVALID, "supply or demand is empty");
    MTC_TRY(lp_check(ctx, t->m, t->n, t->cost, t->ldc, &t->largest));
    mtc_real sum[2] = {0, 0}, low[2] = {0, 0};
    for (size_t x = 0; x < t->m + t->n; x++) {
        int side = x >= t->m;
        mtc_real mass = side ? demand[x - t->m] : supply[x];
        if (!MTC_FINITE(mass) || mass < 0)
            return mtc_fail(ctx, MTC_DOMAIN, side ? "demand" : "supply",
                            MTC_NONE, side ? MTC_NONE : x,
                            side ? x - t->m : MTC_NONE);
        lp_pair_add(&sum[side], &low[side], mass);
    }
    mtc_real total = sum[0] > sum[1] ? sum[0] : sum[1];
    if (!MTC_FINITE(sum[0]) || !MTC_FINITE(sum[1])
        || !(t->largest * total <= lp_limit(t->m, t->n)))
        return mtc_refuse(ctx, MTC_DOMAIN, "cost times mass overflows");
    if (sum[0] == 0 || sum[1] == 0)
        return mtc_refuse(ctx, MTC_INVALID, "the total mass is zero");
    if (!(MTC_FABS(sum[0] - sum[1]) <= TS_BALANCED * total))
        return mtc_refuse(ctx, MTC_INVALID,
                          "supply and demand differ in total");
    t->total = total;
    t->scale = sum[0] / sum[1];
    return MTC_OK;
}

/* Balances the totals, which differ by rounding.  The heaviest node of the
 * lighter side, where it matters least, gets the difference, in both forms. */
static void ts_balance(ts_net *t)
{
    mtc_real high = 0, low = 0;
    int64_t units = 0;
    size_t heavy[2] = {0, t->m};
    for (size_t x = 0; x < t->m + t->n; x++) {
        int column = x >= t->m;
        units += column ? -t->node[x].flow : t->node[x].flow;
        lp_pair_add(&high, &low, column ? -t->mass[x] : t->mass[x]);
        if (t->mass[x] > t->mass[heavy[column]])
            heavy[column] = x;
    }
    t->heavy = heavy[units > 0];
    t->rounding = units > 0 ? high : -high;
    t->node[t->heavy].flow += units > 0 ? units : -units;
}

/* A0.  On the longer side `part` neighbors become one node, with the sum of
 * their masses and the costs of the first.  The demand is scaled to the supply.
 * Every node is a ring by itself, with its mass in `flow`: one unit is 2^-60
 * times the power of two below the total. */
static void ts_load(ts_net *t, size_t part, const mtc_real *supply,
    const mtc_real *demand)
{
    mtc_real power = 1;
    t->wide = t->n > t->m ? part : 1;
    t->tall = part / t->wide;
    t->rows = 1 + (t->m - 1) / t->tall;
    t->columns = 1 + (t->n - 1) / t->wide;
    memset(t->mass, 0, (t->m + t->n) * sizeof *t->mass);
    for (size_t i = 0; i < t->m; i++)
        t->mass[i / t->tall] += supply[i];
    for (size_t j = 0; j < t->n; j++)
        t->mass[t->m + j / t->wide] += demand[j] * t->scale;
    while (power <= t->total / 2)  /* some 1100 steps at most */
        power *= 2;
    while (power > t->total)
        power /= 2;
    for (size_t x = 0; x < t->m + t->n; x++) {
        ts_node ring = {.parent = MTC_NONE, .next = x, .back = x};
        mtc_real share = t->mass[x] / power * TS_HIGH;
        uint32_t high = (uint32_t)share;
        ring.flow = (int64_t)high << 32
                    | (int64_t)(uint32_t)((share - (mtc_real)high) * TS_LOW);
        if (ring.flow == 0 && t->mass[x] > 0)
            ring.flow = 1;  /* no mass becomes 0 */
        t->node[x] = ring;
    }
    ts_balance(t);
}

/* Links the thread so that y comes right after x. */
static void ts_link(ts_node *N, size_t x, size_t y)
{
    N[x].next = y;
    N[y].back = x;
}

/* Hangs the tree whose root is x below `parent`: two rings become one. */
static void ts_hang(ts_net *t, size_t x, size_t parent, mtc_real cost)
{
    ts_node *N = t->node;
    size_t last = N[x].back, next = N[parent].next;
    N[x].parent = parent;
    N[x].cost = cost;
    ts_link(N, parent, x);
    ts_link(N, last, next);
}

/* Depth and potential of x from its parent's:  u_i = c_ij - v_j  or
 * v_j = c_ij - u_i.  The bound grows by the rounding of this subtraction. */
static void ts_settle(ts_net *t, size_t x)
{
    ts_node *N = t->node;
    size_t p = N[x].parent;
    N[x].depth = N[p].depth + 1;
    t->potential[x] = N[x].cost - t->potential[p];
    N[x].error = N[p].error + MTC_EPS * MTC_FABS(t->potential[x]);
}

/* Computes all potentials again, in preorder: parents before their children. */
static void ts_settle_all(ts_net *t)
{
    ts_node *N = t->node;
    size_t x = t->root;
    N[x].depth = 0;
    N[x].error = t->potential[x] = 0;
    while ((x = N[x].next) != t->root)
        ts_settle(t, x);
}

/* A4.  The branch at `cut` loses its arc to the parent, is turned so that `top`
 * becomes its root, and is hung below `up` by an arc of the given cost and
 * flow.  Only the arcs on the stem, from top up to cut, are reversed: each node
 * x of it takes over the arc of the node below.  In the new preorder each x is
 * followed by its old branch, less the part that has been placed before.  That
 * part begins at `below`, and `next` is the first node after it. */
static void ts_regraft(ts_net *t, size_t top, size_t up, size_t cut,
    mtc_real cost, int64_t flow)
{
    ts_node *N = t->node;
    size_t ahead = N[cut].back, below = MTC_NONE;
    size_t last = MTC_NONE, next = MTC_NONE, x = top;
    for (;;) {
        ts_node old = N[x];
        N[x].parent = below == MTC_NONE ? up : below;  /* reversed */
        N[x].flow = flow;
        N[x].cost = cost;
        if (below != MTC_NONE)
            ts_link(N, last, x);
        size_t y = x;
        do {
            ts_settle(t, y);  /* new depth and potential */
            last = y;
            y = N[y].next;
            if (y == below) {  /* skip what has been placed */
                y = next;
                if (N[y].depth > old.depth)
                    ts_link(N, last, y);
            }
        } while (N[y].depth > old.depth);  /* y is not settled yet */
        next = y;
        if (x == cut)  /* the stem is at its end */
            break;
        below = x;
        x = old.parent;
        cost = old.cost;  /* of the arc to reverse next */
        flow = old.flow;
    }
    ts_link(N, ahead, next);       /* closes the gap */
    ts_link(N, last, N[up].next);  /* after the gap is closed */
    ts_link(N, up, top);
}

/* A3.  The cell of row i and column node y enters.  Flow is pushed around the
 * cycle, from the apex down to i, over to y and up again.  It empties the arcs
 * that point against it: those of rows on the way down, those of columns on the
 * way up.  The smallest of them, the last on a tie, leaves. */
static void ts_pivot(ts_net *t, size_t i, size_t y, mtc_real cost)
{
    ts_node *N = t->node;
    size_t apex = i, other = y, cut = MTC_NONE, rows = t->m;
    while (apex != other)  /* the deeper one goes up */
        if (N[apex].depth >= N[other].depth)
            apex = N[apex].parent;
        else
            other = N[other].parent;
    int64_t push = INT64_MAX / 2;
    int from_row = 1;  /* i is in the branch to move */
    for (int up = 0; up < 2; up++)
        for (size_t x = up ? y : i; x != apex; x = N[x].parent)
            if ((x >= rows) == up && N[x].flow < push + up) {
                push = N[x].flow;
                cut = x;
                from_row = !up;
            }
    for (int up = 0; up < 2; up++)  /* the push itself */
        for (size_t x = up ? y : i; x != apex; x = N[x].parent)
            N[x].flow += (x >= rows) == up ? -push : push;
    ts_regraft(t, from_row ? i : y, from_row ? y : i, cut, cost, push);
}

/* Returns the least c - price of n cells if it is below `best`, with its index,
 * the lowest on a tie, in *at; else `best`.  A first loop, in vectors, tells
 * whether a chunk has any. */
static mtc_real ts_cheapest(const mtc_real *c, size_t step, size_t n,
    const mtc_real *price, mtc_real best, size_t *at)
{
    for (size_t j = 0; j < n; j += TS_CHUNK) {
        size_t end = n - j < TS_CHUNK ? n : j + TS_CHUNK, any = 0;
        for (size_t k = j; k < end; k++)
            any |= c[k * step] - price[k] < best;  /* no branch: vectors */
        if (any)
            for (size_t k = j; k < end; k++)
                if (c[k * step] - price[k] < best) {
                    best = c[k * step] - price[k];
                    *at = k;
                }
    }
    return best;
}

/* A1.  Each row x in turn (each column, if `across`) fills the open column
 * (row) z that is cheapest at its price.  Whichever of the two is used up is
 * closed and hung below the other.  If both are used up, the column is closed,
 * and the row goes on with nothing left: so an arc without flow has its row
 * below.  The last open column takes all open rows and becomes the root. */
static void ts_start(ts_net *t, int across)
{
    ts_node *N = t->node;
    mtc_real *price = t->potential + (across ? 0 : t->m);
    size_t step = across ? t->ldc : 1, cells = across ? t->m : t->n;
    size_t rows = t->rows, columns = 0;  /* that are open */
    for (size_t y = t->m; y < t->m + t->columns; y++) {
        t->potential[y] = N[y].flow > 0 ? t->potential[y] : TS_AWAY;
        columns += N[y].flow > 0;
    }
    for (size_t x = 0; x < (across ? t->columns : t->rows); x++)
        for (int done = across && N[t->m + x].flow == 0; !done;) {
            const mtc_real *c = across ? ts_cell(t, 0, x) : ts_cell(t, x, 0);
            size_t z = 0;
            ts_cheapest(c, step, cells, price, MTC_HUGE, &z);
            size_t i = across ? z : x, y = t->m + (across ? x : z);
            int row = columns == 1 || N[i].flow < N[y].flow;
            size_t used = row ? i : y, other = row ? y : i;
            N[other].flow -= N[used].flow;
            ts_hang(t, used, other, *ts_cell(t, i, y - t->m));
            columns -= !row;
            rows -= (size_t)row;
            done = row != across || rows == 0;
            price[z] = done ? price[z] : TS_AWAY;  /* z is closed */
            t->root = y;
        }
    ts_settle_all(t);
}

/* Returns the least r_ij of row i if it is below best <= 0 and certainly
 * negative, with its column in *at; else `best`.  Cells of the tree have r = 0
 * but for rounding: the bound given to ts_cheapest leaves them out. */
static mtc_real ts_price_row(const ts_net *t, size_t i, mtc_real best,
    size_t *at)
{
    const mtc_real *c = ts_cell(t, i, 0), *v = t->potential + t->m;
    mtc_real u = t->potential[i], size = MTC_FABS(u);
    size_t j = MTC_NONE;
    mtc_real r = ts_cheapest(c, t->wide, t->columns, v,
                             best + u - 8 * MTC_EPS * size, &j) - u;
    if (j == MTC_NONE)
        return best;
    size += MTC_FABS(c[j * t->wide]) + MTC_FABS(v[j]);
    mtc_real doubt = t->node[i].error + t->node[t->m + j].error +
                     2 * MTC_EPS * size;
    if (!(r < -doubt))
        return best;
    *at = j;
    return r;
}

/* A2.  Visits rows in turn, from where the last search ended, in blocks of
 * about max(m, n) cells, and takes the least cell of the first block that has
 * one certainly negative.  Returns 0 if no row has one.  Rows are visited in
 * strides, as neighbors are often alike. */
static int ts_price(ts_net *t, size_t *row, size_t *column)
{
    size_t block = 1 + (t->rows - 1) / t->columns;
    size_t stride = 1 + (size_t)MTC_SQRT((mtc_real)(t->rows - 1));
    mtc_real best = 0;
    for (size_t turn = 1; turn <= t->rows; turn++) {
        size_t i = t->cursor;
        t->cursor = i + stride < t->rows ? i + stride
                                         : (i % stride + 1) % stride;
        mtc_real r = ts_price_row(t, i, best, column);
        if (r < best) {
            best = r;
            *row = i;
        }
        if (best < 0 && turn % block == 0)  /* the end of a block */
            return 1;
    }
    return best < 0;
}

/* A2 to A4 until no cell is left. */
static mtc_status ts_solve(mtc_context *ctx, ts_net *t)
{
    size_t i = 0, j = 0;
    MTC_TRY(mtc_tick(ctx, "emd", t->pivots, t->limit));
    while (ts_price(t, &i, &j)) {  /* A2 */
        if (t->pivots == t->limit)
            return mtc_refuse(ctx, MTC_LIMIT, "pivots");
        ts_pivot(t, i, t->m + j, *ts_cell(t, i, j));  /* A3, A4 */
        if (++t->pivots % TS_TICK == 0)
            MTC_TRY(mtc_tick(ctx, "emd", t->pivots, t->limit));
    }
    return MTC_OK;
}

/* Gives columns without mass the largest feasible potentials.  Each of them is
 * still a ring by itself. */
static void ts_finish_duals(ts_net *t)
{
    mtc_real *u = t->potential, *v = t->potential + t->m;
    for (size_t j = 0; j < t->n; j++) {
        size_t row = 0, y = t->m + j;
        if (t->node[y].next == y)
            v[j] = ts_cheapest(t->cost + j, t->ldc, t->m, u, MTC_HUGE, &row);
    }
}

/* Finds the flows from the masses themselves, from the leaves to the root: what
 * is left at a node goes to its parent, or comes from there.  Masses are pairs,
 * so that a marginal is off by its own rounding only.  mass[x] becomes the flow
 * of the arc above x. */
static void ts_finish_flows(ts_net *t)
{
    ts_node *N = t->node;
    for (size_t x = 0; x < t->m + t->n; x++)
        N[x].low = x == t->heavy ? t->rounding : 0;
    for (size_t x = N[t->root].back; x != t->root; x = N[x].back) {
        size_t p = N[x].parent;
        lp_pair_add(&t->mass[p], &N[p].low, -t->mass[x]);
        lp_pair_add(&t->mass[p], &N[p].low, -N[x].low);
        if (t->mass[x] < 0)  /* by rounding */
            t->mass[x] = 0;
    }
    t->mass[t->root] = 0;
}

/* Writes those outputs of a solved problem that are not NULL. */
static void ts_write(ts_net *t, mtc_real *plan, mtc_real *row_dual,
    mtc_real *column_dual, mtc_emd_info *info)
{
    ts_finish_duals(t);
    size_t nodes = t->m + t->n;
    mtc_real dual = mtc_dot(nodes, t->mass, t->potential), high = 0, low = 0;
    ts_finish_flows(t);  /* mass is flow from here on */
    if (plan != NULL)
        memset(plan, 0, t->m * t->n * sizeof *plan);
    for (size_t x = 0; x < nodes; x++) {
        size_t p = t->node[x].parent;
        size_t i = x < p ? x : p, j = (x < p ? p : x) - t->m;
        lp_pair_add(&high, &low, t->mass[x] * t->node[x].cost);
        if (plan != NULL && p != MTC_NONE)
            plan[i * t->n + j] = t->mass[x];
    }
    if (row_dual != NULL)
        for (size_t i = 0; i < t->m; i++)
            row_dual[i] = t->potential[i];
    if (column_dual != NULL)
        for (size_t j = 0; j < t->n; j++)
            column_dual[j] = t->potential[t->m + j];
    if (info != NULL) {
        mtc_real scale = t->largest * t->total;
        info->cost = high;
        /* equal values of both problems prove both optimal */
        info->gap = scale > 0 ? MTC_FABS(info->cost - dual) / scale : 0;
        info->pivots = t->pivots;
    }
}

/* 0 means the default bound on pivots, which depends on m and n. */
mtc_emd_options mtc_emd_defaults(void)
{
    return (mtc_emd_options){.pivots = 0};
}

/* Measures the layout. */
size_t mtc_emd_work(size_t m, size_t n)
{
    mtc_stack st = {NULL, 0, 0, 0};
    ts_net t;
    ts_layout(&st, m, n, &t);
    return st.peak;
}

/* Runs A0 to A4 for a checked problem. */
static mtc_status ts_run(mtc_context *ctx, ts_net *t, const mtc_real *supply,
    const mtc_real *demand, const mtc_emd_options *opt, mtc_real *plan,
    mtc_real *row_dual, mtc_real *column_dual, mtc_emd_info *info, void *work)
{
    mtc_stack st = {(unsigned char *)work, 0, 0, MTC_PART};
    size_t m = t->m, n = t->n, part = 1;
    t->limit = opt != NULL && opt->pivots != 0 ? opt->pivots
               : mtc_add(mtc_mul(1000, mtc_add(m, n)), mtc_mul(m, n));
    ts_layout(&st, m, n, t);
    memset(t->potential, 0, (m + n) * sizeof *t->potential);
    while (m / n / part + n / m / part >= 2 * TS_THIRD)
        part *= TS_THIRD;
    for (int across = part > 1 && n > m; part > 0; part /= TS_THIRD) {
        ts_load(t, part, supply, demand);  /* A0 */
        ts_start(t, across);               /* A1 */
        MTC_TRY(ts_solve(ctx, t));         /* A2 to A4 */
    }
    ts_write(t, plan, row_dual, column_dual, info);
    return MTC_OK;
}

mtc_status mtc_emd_in(mtc_context *ctx, size_t m, size_t n,
    const mtc_real *cost, size_t ldc, const mtc_real *supply,
    const mtc_real *demand, const mtc_emd_options *opt, mtc_real *plan,
    mtc_real *row_dual, mtc_real *column_dual, mtc_emd_info *info, void *work)
{
    ts_net t = {.m = m, .n = n, .cost = cost, .ldc = ldc};
    MTC_TRY(ts_check(ctx, supply, demand, &t));
    return ts_run(ctx, &t, supply, demand, opt, plan, row_dual, column_dual,
                  info, work);
}

/* Everything is checked before anything is allocated. */
mtc_status mtc_emd(mtc_context *ctx, size_t m, size_t n, const mtc_real *cost,
    size_t ldc, const mtc_real *supply, const mtc_real *demand,
    const mtc_emd_options *opt, mtc_real *plan, mtc_real *row_dual,
    mtc_real *column_dual, mtc_emd_info *info)
{
    mtc_block work;
    ts_net t = {.m = m, .n = n, .cost = cost, .ldc = ldc};
    MTC_TRY(ts_check(ctx, supply, demand, &t));
    MTC_TRY(mtc_scratch(ctx, mtc_emd_work(m, n), &work));
    return mtc_scratch_end(ctx, &work,
                           ts_run(ctx, &t, supply, demand, opt, plan, row_dual,
                               column_dual, info, work.at));
}

/* ==========================================================================
 * Chapter 3  The assignment problem
 *
 *   min sum_i c(i, p(i)) over one-to-one maps p from rows to columns
 *   max sum_i u_i + sum_j v_j,  u_i + v_j <= c_ij,
 *       v <= 0 if there are more columns than rows          (its dual)
 *
 * The smaller side of the matrix is taken as the rows, by two strides.  Only v
 * is kept: a matched row has u_i = c(i,p(i)) - v_p(i), the least c_ij - v_j.
 *
 *   B1 bid      each free row takes its cheapest column and lowers its v by
 *               the lead over the second cheapest; a row that is driven out
 *               bids again in the second round
 *   B2 augment  for each row still free, find the shortest path in r = c - u -
 *               v to a free column (Dijkstra), adjust v in the columns that
 *               were reached, and shift the matching along the path
 *
 * v starts at 0 and falls only in matched columns, which stay matched.  So it
 * is never above 0, and is 0 in free columns, as the dual requires.  Among
 * equal columns a free one is taken first, then the one of lowest index.
 *
 * Reference: [JV87].  Two deviations: there is no column reduction, which is
 * not valid if there are more columns than rows, and a row that is driven out
 * does not bid again at once, so that B1 is bounded.
 * ========================================================================== */

typedef struct lap {
    size_t rows, columns;  /* rows <= columns */
    const mtc_real *cost;
    size_t row_step, column_step;
    mtc_real *v, *distance;      /* [columns] */
    size_t *row_of, *column_of;  /* [columns], [rows]; MTC_NONE: free */
    size_t *from;                /* [columns], the row before on a path */
    size_t *list;                /* [columns], reached ones in front */
} lap;

/* The smaller side becomes the rows. */
static void lap_layout(mtc_stack *st, size_t m, size_t n, lap *a)
{
    a->rows = m < n ? m : n;
    a->columns = m < n ? n : m;
    MTC_REALS(st, a->columns, &a->v, &a->distance);
    MTC_SIZES(st, a->columns, &a->row_of, &a->from, &a->list);
    MTC_SIZES(st, a->rows, &a->column_of);
}

/* c_ij of the turned matrix. */
static mtc_real lap_cost(const lap *a, size_t i, size_t j)
{
    return a->cost[i * a->row_step + j * a->column_step];
}

/* B1 for row i.  If its two cheapest columns cost the same, it drives out no
 * row: nothing would be gained, and two rows might drive each other out. */
static void lap_bid(lap *a, size_t i)
{
    mtc_real least = MTC_HUGE, second = MTC_HUGE;
    size_t j1 = 0, j2 = 0;
    for (size_t j = 0; j < a->columns; j++) {
        mtc_real r = lap_cost(a, i, j) - a->v[j];
        int first = r < least;
        if (first || r < second) {
            second = first ? least : r;
            j2 = first ? j1 : j;
            least = first ? r : least;
            j1 = first ? j : j1;
        }
    }
    a->v[j1] -= second - least;  /* the bid */
    size_t j = second == least && a->row_of[j1] != MTC_NONE ? j2 : j1;
    size_t loser = a->row_of[j];
    if (loser != MTC_NONE && second == least)
        return;  /* stays free for B2 */
    if (loser != MTC_NONE)
        a->column_of[loser] = MTC_NONE;
    a->row_of[j] = i;
    a->column_of[i] = j;
}

/* Is column j reached before column k? */
static int lap_before(const lap *a, size_t j, size_t k)
{
    int j_free = a->row_of[j] == MTC_NONE, k_free = a->row_of[k] == MTC_NONE;
    return a->distance[j] != a->distance[k] ? a->distance[j] < a->distance[k]
           : j_free != k_free ? j_free : j < k;
}

/* Updates the distances of the columns list[reached..] by paths through row i,
 * and moves the nearest of them to the front.  c_ij - v_j - base is the
 * distance of column j by row i. */
static void lap_relax(lap *a, size_t i, mtc_real base, size_t reached)
{
    size_t nearest = reached;
    for (size_t k = reached; k < a->columns; k++) {
        size_t j = a->list[k];
        mtc_real r = lap_cost(a, i, j) - a->v[j] - base;
        if (r < a->distance[j]) {  /* a shorter way to j */
            a->distance[j] = r;
            a->from[j] = i;
        }
        if (lap_before(a, j, a->list[nearest]))
            nearest = k;
    }
    size_t j = a->list[nearest];
    a->list[nearest] = a->list[reached];
    a->list[reached] = j;
}

/* B2 for row i: Dijkstra's algorithm, until it reaches a free column.
 * list[0..reached] holds the columns in the order in which they are reached.  v
 * falls in these, so that r >= 0 stays true and r = 0 along the path. */
static void lap_augment(lap *a, size_t i)
{
    for (size_t j = 0; j < a->columns; j++) {
        a->distance[j] = MTC_HUGE;
        a->list[j] = j;
    }
    lap_relax(a, i, 0, 0);
    size_t reached = 0, j = a->list[0];
    while (a->row_of[j] != MTC_NONE) {  /* ends: rows <= columns */
        size_t k = a->row_of[j];
        mtc_real base = lap_cost(a, k, j) - a->v[j] - a->distance[j];
        lap_relax(a, k, base, ++reached);
        j = a->list[reached];
    }
    for (size_t k = 0; k < reached; k++)
        a->v[a->list[k]] += a->distance[a->list[k]] - a->distance[j];
    size_t row;
    do {  /* back along the path */
        row = a->from[j];
        size_t next = a->column_of[row];
        a->row_of[j] = row;
        a->column_of[row] = j;
        j = next;
    } while (row != i);
}

/* Two rounds of bids, then a path for each row that is still free. */
static void lap_solve(lap *a)
{
    for (size_t j = 0; j < a->columns; j++) {
        a->v[j] = 0;
        a->row_of[j] = MTC_NONE;
    }
    for (size_t i = 0; i < a->rows; i++)
        a->column_of[i] = MTC_NONE;
    if (a->columns > 1)
        for (int round = 0; round < 2; round++)
            for (size_t i = 0; i < a->rows; i++)
                if (a->column_of[i] == MTC_NONE)
                    lap_bid(a, i);  /* B1 */
    for (size_t i = 0; i < a->rows; i++)
        if (a->column_of[i] == MTC_NONE)
            lap_augment(a, i);  /* B2 */
}

/* Measures the layout. */
size_t mtc_assignment_work(size_t m, size_t n)
{
    mtc_stack st = {NULL, 0, 0, 0};
    lap a;
    lap_layout(&st, m, n, &a);
    return st.peak;
}

/* Runs B1 and B2 with the smaller side as rows.  Outputs are for the rows and
 * columns as given. */
mtc_status mtc_assignment_in(mtc_context *ctx, size_t m, size_t n,
    const mtc_real *cost, size_t ldc, size_t *column_of, mtc_real *row_dual,
    mtc_real *column_dual, mtc_real *total, void *work)
{
    int empty = m == 0 || n == 0, across = m > n;
    mtc_stack st = {(unsigned char *)work, 0, 0, MTC_PART};
    mtc_real *u = across ? column_dual : row_dual, high = 0, low = 0;
    mtc_real *v = across ? row_dual : column_dual, largest;
    MTC_TRY(lp_check(ctx, m, n, cost, ldc, &largest));
    lap a = {.cost = cost, .row_step = across ? 1 : ldc,
             .column_step = across ? ldc : 1};
    lap_layout(&st, m, n, &a);
    if (!empty)
        lap_solve(&a);
    if (column_of != NULL) {
        const size_t *found = across ? a.row_of : a.column_of;
        for (size_t i = 0; i < m; i++)
            column_of[i] = empty ? MTC_NONE : found[i];
    }
    for (size_t i = 0; i < a.rows; i++) {
        mtc_real c = lap_cost(&a, i, a.column_of[i]);
        lp_pair_add(&high, &low, c);
        if (u != NULL)
            u[i] = c - a.v[a.column_of[i]];
    }
    if (v != NULL)
        for (size_t j = 0; j < a.columns; j++)
            v[j] = empty ? 0 : a.v[j];
    if (total != NULL)
        *total = high;
    return MTC_OK;
}

/* Checks, allocates and solves, in this order. */
mtc_status mtc_assignment(mtc_context *ctx, size_t m, size_t n,
    const mtc_real *cost, size_t ldc, size_t *column_of, mtc_real *row_dual,
    mtc_real *column_dual, mtc_real *total)
{
    mtc_block work;
    mtc_real largest;
    if (column_of == NULL && m > 0)
        return mtc_refuse(ctx, MTC_INVALID, "column_of");
    MTC_TRY(lp_check(ctx, m, n, cost, ldc, &largest));
    MTC_TRY(mtc_scratch(ctx, mtc_assignment_work(m, n), &work));
    return mtc_scratch_end(ctx, &work,
                           mtc_assignment_in(ctx, m, n, cost, ldc, column_of,
                               row_dual, column_dual, total, work.at));
}
