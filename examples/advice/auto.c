/* SPDX-License-Identifier: MIT
 *
 * auto.c - a vote of methods that share and methods that do not.
 *
 *   A1  the geometry: distances if values are not sparse; directions if they
 *       are and all rows have one length; else sizes or directions, by A3
 *   A2  families of methods run, some of which share
 *   A3  sizes, if families on the rows as they are agree with one another by
 *       .15 more (mean ARI) than families on unit rows
 *   A4  in each task a vote of the families, each of weight 1
 *   A5  distances: A and B are votes of two groups of families, three more
 *       candidates are cuts of the spanning tree; judge keeps one.  B, the
 *       tree and judge see each distinct row once: a nearest-neighbor graph
 *       would make a cluster of every heap of equal rows.
 *   A6  directions: from the vote 15 steps of EM for a mixture of von
 *       Mises-Fisher distributions of one concentration, 80:
 *         q_iz ~ prior_z exp(80 x_i.c_z),  prior_z = mean_i q_iz,
 *         c_z = sum_i q_iz x_i to length 1
 *
 * The heart of it is the table of families, each a call of mtc.h.  auto costs
 * about as much as 100 runs of k-means.  Reference: none; the rule is our own.
 */
#include "panel.h"

#define AUTO_EVEN ((mtc_real)1.002)    /* A1: squares within this are equal */
#define AUTO_NEAR ((mtc_real)1e-4)     /* tolerance of voters */
#define AUTO_BEST ((size_t)10)         /* k-means runs: the best votes */
#define AUTO_GAP ((mtc_real)0.15)      /* A3: rows agree by so much more */
#define AUTO_FIRST ((size_t)5)         /* A3: runs of a family that it sees */
#define AUTO_STEPS 15                  /* A6 */
#define AUTO_KAPPA ((mtc_real)80)      /* A6: concentration */
#define AUTO_SHORTER (1 - (mtc_real)1 / 4096)  /* center with zero rows */

/* ---- families of methods ------------------------------------------------- */

/* How a family runs: k-means; MBC or LSSMTC from each k-means run on the same
 * view; the cut of a graph of all rows, or of the nearest; the cut of the
 * consistent similarity; k-means on principal components; three cuts of the
 * spanning tree, which have no vote.  The first three run R times. */
typedef enum auto_way {
    AUTO_KM, AUTO_MBC, AUTO_LSS, AUTO_CUT, AUTO_KNN, AUTO_OWN, AUTO_PCA,
    AUTO_TREE
} auto_way;

/* It looks at rows as they are, at rows of length 1 or, where the geometry is
 * distances, at distinct rows.  Cosines do not see the length of a row. */
typedef enum auto_view { AUTO_ROWS, AUTO_UNIT, AUTO_ONCE } auto_view;

/* The votes, as bits: on directions, on sizes, and on distances A and B. */
enum { AUTO_DIR = 1, AUTO_SIZE = 2, AUTO_A = 4, AUTO_B = 8 };

/* Those of each mtc_geometry; AUTO, once A1 has looked: either of two. */
static const unsigned auto_polls[] = {
    AUTO_DIR | AUTO_SIZE, AUTO_DIR, AUTO_SIZE, AUTO_A | AUTO_B
};

/* Family f has streams of kind f + 1, but the trees, the last, need none; those
 * of votes and drawn rows follow.  Where a family runs once, what comes before
 * its k-means has the stream of a second run. */
enum { AUTO_COUNT = 14, AUTO_VOTE = 14, AUTO_DRAW };
#define AUTO_GAUSS ((size_t)10)
#define AUTO_TREES (AUTO_COUNT - 1)
#define AUTO_LEAD ((size_t)11)  /* families that follow no other */
#define AUTO_SECOND adv_panel_stream(0, 1, 0)

/* The families of mtc_advice.h, in the order in which they vote.  One task has
 * nothing to share: k-means votes in the place of what starts from it. */
static const struct auto_family {
    const char *name, *alone;  /* with several tasks, with one; NULL: no vote */
    auto_way way;
    auto_view view;
    int distances;   /* 1: distances count, the origin does not; 0: angles */
    int all;         /* 1: a call has all tasks; 0: a call for each */
    int compared;    /* 1: A3 compares it with others of the same `distances` */
    unsigned polls;  /* that it runs for */
} auto_families[AUTO_COUNT] = {
    /* name    alone     way       view       distances, all, compared, polls */
    {NULL,     "kmeans", AUTO_KM,  AUTO_UNIT, 0, 1, 1, AUTO_DIR},
    {"spec",   "spec",   AUTO_CUT, AUTO_ROWS, 0, 0, 1, AUTO_DIR},
    {"own",    "own",    AUTO_OWN, AUTO_ROWS, 0, 0, 1, AUTO_DIR | AUTO_SIZE},
    {"lsa",    "lsa",    AUTO_PCA, AUTO_UNIT, 0, 0, 0, AUTO_DIR},
    {"lsaJ",   "lsaJ",   AUTO_PCA, AUTO_UNIT, 0, 1, 1, AUTO_DIR},
    {"mbc",    NULL,     AUTO_MBC, AUTO_UNIT, 0, 1, 1, AUTO_DIR},
    {"lss",    NULL,     AUTO_LSS, AUTO_UNIT, 0, 1, 0, AUTO_DIR},
    {"kmeans", "kmeans", AUTO_KM,  AUTO_ROWS, 1, 1, 1, AUTO_SIZE | AUTO_A},
    {"mbcC",   NULL,     AUTO_MBC, AUTO_ROWS, 1, 1, 1, AUTO_SIZE | AUTO_A},
    {"pcaJ",   "pca",    AUTO_PCA, AUTO_ROWS, 1, 1, 1, AUTO_SIZE | AUTO_A},
    {"gauss",  "gauss",  AUTO_CUT, AUTO_ONCE, 1, 0, 1, AUTO_SIZE | AUTO_B},
    {"knn",    "knn",    AUTO_KNN, AUTO_ONCE, 1, 0, 0, AUTO_B},
    {"ownD",   "ownD",   AUTO_OWN, AUTO_ONCE, 1, 0, 0, AUTO_B},
    {NULL,     NULL,     AUTO_TREE, AUTO_ONCE, 1, 0, 0, AUTO_B}
};

typedef struct auto_job {
    adv_panel p;
    mtc_auto_result r;
    unsigned polls[AUTO_COUNT];    /* the votes that family f has a part in */
    size_t first[AUTO_COUNT + 1];  /* its runs: first[f] .. first[f + 1] - 1 */
    mtc_data *rows;                /* [T] rows that take part */
    mtc_data *derived;             /* [T] copies of the same at unit length or,
                                      for distances, the distinct ones */
    const mtc_data *look[3];       /* what a family looks at, by its view */
    int **twin;                    /* [T] of [v_t] number of the distinct row;
                                      distances only */
    adv_ground *ground;            /* [T] of the distinct rows, for judge */
    mtc_graph *gauss;              /* [T] those of gauss, if lanes made them */
    size_t items;                  /* that lanes share: auto_run */
} auto_job;

static size_t auto_runs(const auto_job *j, size_t f)
{
    return j->first[f + 1] - j->first[f];
}

mtc_auto_options mtc_auto_defaults(void)
{
    return (mtc_auto_options){.clusters = 2, .runs = 10, .sample = 2000};
}

static void auto_shape(adv_carver *c, void *job)
{
    auto_job *j = (auto_job *)job;
    adv_panel *p = &j->p;
    mtc_auto_result *r = &j->r;
    size_t T = p->T;
    r->tasks = T;
    r->d = p->d;
    r->labels = adv_panel_carve_labels(c, p);
    r->centers = p->centers = adv_panel_carve_centers(c, p);
    r->clusters = ADV_CARVE(c, T, size_t);
    r->k_effective = ADV_CARVE(c, T, size_t);
    r->candidate = ADV_CARVE(c, adv_mul(T, MTC_AUTO_CANDIDATES), mtc_judged);
    r->by_family = ADV_CARVE(c, adv_mul(T, MTC_AUTO_FAMILIES), mtc_real);
    r->agreement = ADV_CARVE(c, T, mtc_real);
    r->margin = ADV_CARVE(c, T, mtc_real);
    r->agreement_ab = ADV_CARVE(c, T, mtc_real);
    r->agreement_kept = ADV_CARVE(c, T, mtc_real);
    r->kept = ADV_CARVE(c, T, int);
    r->matched = ADV_CARVE(c, T, int);
}

/* ---- A1: the geometry, and the rows -------------------------------------- */

/* A1, if the values alone decide it, else AUTO. */
static mtc_geometry auto_geometry(const adv_panel *p, mtc_real *zeros)
{
    mtc_real low = ADV_HUGE, high = 0;
    if (!adv_sparse(p->tasks, p->T, zeros))
        return MTC_GEOMETRY_DISTANCES;
    for (size_t t = 0; t < p->T; t++)
        for (size_t i = 0; i < p->tasks[t].n; i++) {
            mtc_real square = adv_square(&p->tasks[t], i);
            high = ADV_MAX(square, high);
            low = square > 0 ? ADV_MIN(square, low) : low;
        }
    return high <= AUTO_EVEN * low ? MTC_GEOMETRY_DIRECTIONS
                                   : MTC_GEOMETRY_AUTO;
}

/* The distinct rows of task t, and each row's number among them.  They are
 * sought by their squares, which are rounded in another way where zeros are
 * stored.  Distinct rows that are too few for candidates other than A
 * count as none. */
static mtc_status auto_distinct(adv_desk *desk, auto_job *j, size_t t)
{
    const mtc_data *rows = &j->rows[t];
    mtc_data *derived = &j->derived[t];
    mtc_real *norm = ADV_TAKE(desk, rows->n, mtc_real);
    *derived = adv_rows(desk, rows, rows->n);
    ADV_TRY(desk->status);
    for (size_t i = 0; i < rows->n; i++) {
        mtc_real square = adv_square(rows, i);
        size_t a = 0;
        while (a < derived->n &&
               (ADV_FABS(norm[a] - square) > square / 1024 ||
                mtc_data_distance(rows, i, derived, a) > 0))
            a++;
        if (a == derived->n)
            adv_add_row(rows, i, derived);
        norm[a] = square;
        j->twin[t][i] = (int)a;
    }
    if (!adv_can_judge(derived->n, adv_clusters(&j->p, t)))
        derived->n = 0;
    j->ground[t] = adv_ground_open(desk, derived->n);
    return desk->status;
}

/* The rows of all tasks that take part, and what is derived from them: unit
 * rows or, for distances, distinct ones. */
static mtc_status auto_take(adv_desk *desk, auto_job *j)
{
    const adv_panel *p = &j->p;
    j->rows = ADV_TAKE(desk, p->T, mtc_data);
    j->derived = ADV_TAKE(desk, p->T, mtc_data);
    j->twin = adv_panel_labels(desk, p, 1, p->sample);
    j->ground = ADV_TAKE(desk, p->T, adv_ground);
    ADV_TRY(desk->status);
    for (size_t t = 0; t < p->T; t++) {
        j->rows[t] = adv_draw(desk, &p->tasks[t], adv_panel_rows(p, t),
                              adv_panel_stream(AUTO_DRAW, 0, t));
        if (j->r.geometry == MTC_GEOMETRY_DISTANCES)
            ADV_TRY(auto_distinct(desk, j, t));
        else
            j->derived[t] = adv_directions(desk, &j->rows[t]);
    }
    return desk->status;
}

/* ---- A2: the runs; A3: how well they agree ------------------------------- */

/* kmeans as run r of family f, and MBC and LSSMTC from it. */
static mtc_status auto_kmeans(const auto_job *j, size_t f, size_t r,
    adv_panel_call call)
{
    size_t from = call.run;
    for (size_t t = 0; t < call.T; t++)
        ADV_TRY(adv_panel_kmeans(&call, t, &call.X[t], 1, NULL));
    for (size_t g = 0; g < AUTO_COUNT; g++) {
        const struct auto_family *next = &auto_families[g];
        adv_method m = j->p.method;
        m.is_mbc = next->way == AUTO_MBC;
        m.mbc.center = next->distances;
        if (auto_runs(j, g) == 0 || !(m.is_mbc || next->way == AUTO_LSS) ||
            next->view != auto_families[f].view)
            continue;
        call.run = j->first[g] + r;
        call.stream = adv_panel_stream(g + 1, r, 0);
        ADV_TRY(adv_panel_method(&call, m, from));
    }
    return MTC_OK;
}

/* The graph of spec, gauss or knn. */
static mtc_graph_options auto_graph(const struct auto_family *family)
{
    mtc_graph_options o = mtc_graph_defaults();
    o.loops = 1;
    o.neighbors = family->way == AUTO_KNN ? 10 : 0;  /* 0: all */
    if (family->distances) {
        o.similarity = MTC_SIMILARITY_GAUSSIAN;
        o.local = 7;
    }
    return o;
}

/* Most of what gauss does but for its eigenproblem.  It is the longest of all
 * families: where lanes are more than tasks, they make its graphs first. */
static mtc_status auto_gauss(adv_desk *desk, auto_job *j)
{
    const struct auto_family *family = &auto_families[AUTO_GAUSS];
    mtc_graph_options o = auto_graph(family);
    j->gauss = ADV_TAKE(desk, j->p.T, mtc_graph);
    ADV_TRY(desk->status);
    if (!(family->polls & auto_polls[j->r.geometry]) ||
        adv_lanes(desk->ctx, j->items, adv_panel_work(&j->p)) <= j->p.T)
        return MTC_OK;
    for (size_t t = 0; t < j->p.T; t++) {
        const mtc_data *X = &j->look[family->view][t];
        desk->task = t;
        if (X->n == 0)
            continue;
        ADV_TRY(adv_call(desk, 0, mtc_graph_build, X, 1, &o, &j->gauss[t]));
        ADV_TRY(adv_keep(desk, j->gauss[t].block));
    }
    desk->task = MTC_NONE;
    return MTC_OK;
}

/* spec, gauss, knn: the normalized cut of a graph with loops; own, ownD: of the
 * consistent similarity. */
static mtc_status auto_cut(const auto_job *j, const struct auto_family *family,
    adv_panel_call call)
{
    const mtc_data *made = &j->gauss[call.t].weights;
    mtc_consistent_options similar = mtc_consistent_defaults();
    mtc_consistent_result found;
    mtc_ncut_options o = mtc_ncut_defaults();
    mtc_ncut_result r;
    size_t n = call.X->n;
    o.clusters = similar.clusters = adv_clusters(call.p, call.t);
    o.restarts = AUTO_BEST;
    o.tolerance = AUTO_NEAR;
    o.given = family->way == AUTO_OWN;
    o.graph = auto_graph(family);
    similar.distances = family->distances;
    if (o.given) {
        ADV_TRY(adv_call(call.desk, call.stream ^ AUTO_SECOND ^ call.t,
                         mtc_consistent, call.X, 1, &similar, &found));
        ADV_TRY(adv_keep(call.desk, found.block));
        call.X = found.M;
    } else if (family == &auto_families[AUTO_GAUSS] && made->n > 0) {
        o.given = 1;
        call.X = made;
    }
    ADV_TRY(adv_call(call.desk, call.stream ^ call.t, mtc_ncut, call.X, &o,
                     &r));
    ADV_COPY(adv_panel_run(call.p, call.t, call.run), r.labels, n);
    mtc_free(&call.desk->within, &r.block);
    return MTC_OK;
}

/* lsa, lsaJ, pcaJ: k-means on the scores by the top singular directions of one
 * task or of all.  Where angles count, scores get length 1.  Where distances
 * do, each task's own mean is removed; if there are no more features than
 * directions, the rows themselves serve, as where no direction is found. */
static mtc_status auto_pca(const struct auto_family *family,
    adv_panel_call call)
{
    const adv_panel *p = call.p;
    mtc_pca_options o = mtc_pca_defaults();
    mtc_pca_result r = {.dimension = 0};
    o.dimension = adv_mul(2, p->most);
    if (!family->all)
        o.dimension = adv_clusters(p, call.t);
    else if (family->distances && p->T == 1)
        o.dimension = p->most;
    o.mean = family->distances ? MTC_MEAN_OWN : MTC_MEAN_NONE;
    o.tolerance = AUTO_NEAR;
    if (!family->distances || p->d > o.dimension) {
        ADV_TRY(adv_call(call.desk, call.stream ^ AUTO_SECOND ^ call.t,
                         mtc_pca, call.X, call.T, &o, &r));
        ADV_TRY(adv_keep(call.desk, r.block));
    }
    mtc_real *scores = r.dimension > 0 ? r.scores : NULL;
    for (size_t s = 0; s < call.T; s++) {
        const mtc_data *X = &call.X[s];
        mtc_data Z = mtc_dense(X->n, r.dimension, scores);
        if (scores != NULL && !family->distances)
            adv_unit_rows(X->n, r.dimension, scores);
        ADV_TRY(adv_panel_kmeans(&call, call.t + s, scores != NULL ? &Z : X,
                                 AUTO_BEST, NULL));
        if (scores != NULL)
            scores += X->n * r.dimension;
    }
    return MTC_OK;
}

/* Three cuts of the spanning tree, and what judge will need. */
static mtc_status auto_trees(const auto_job *j, adv_panel_call call)
{
    static const double gini[] = {0.1, 0.3, 0.5};  /* from candidate 2 on */
    mtc_tree_result tree;
    ADV_TRY(adv_ground_find(call.desk, call.X, &j->ground[call.t]));
    ADV_TRY(adv_call(call.desk, 0, mtc_tree, call.X, &tree));
    ADV_TRY(adv_keep(call.desk, tree.block));
    for (size_t e = 0; e + 2 < MTC_AUTO_CANDIDATES; e++) {
        mtc_tree_options o = {.clusters = adv_clusters(call.p, call.t),
                              .gini = (mtc_real)gini[e]};
        ADV_TRY(adv_call(call.desk, 0, mtc_tree_cut, &tree, &o,
                         adv_panel_run(call.p, call.t, call.run + e)));
    }
    return MTC_OK;
}

/* Run r of family f on the views X of T tasks, of which t is the first. */
static mtc_status auto_call(adv_desk *desk, const auto_job *j, size_t f,
    size_t r, size_t t, size_t T, const mtc_data *X)
{
    const struct auto_family *family = &auto_families[f];
    adv_panel_call call = {.p = &j->p, .desk = desk, .t = t, .T = T, .X = X,
                           .run = j->first[f] + r,
                           .stream = adv_panel_stream(f + 1, r, 0)};
    if (family->way == AUTO_KM)
        return auto_kmeans(j, f, r, call);
    if (family->way == AUTO_TREE)
        return auto_trees(j, call);
    return family->way == AUTO_PCA ? auto_pca(family, call)
                                   : auto_cut(j, family, call);
}

/* A2: item i is a family that does not follow another, and its run or its task.
 * Lanes take items by turns.  The longest stand first, so that two lanes share
 * gauss and ownD, spec and own; their number is odd, so that they share the
 * runs and the tasks of one, and 16 lanes with gauss or ownD get no run of
 * kmeans. */
static mtc_status auto_run(adv_desk *desk, void *job, size_t i)
{
    /* gauss ownD trees knn spec own lsaJ kmeans pcaJ lsa; line 0 */
    static const size_t order[AUTO_LEAD] = {AUTO_GAUSS, 12, AUTO_TREES, 11, 1,
                                            2, 4, 7, 9, 3, 0};
    auto_job *j = (auto_job *)job;
    size_t f = order[i % AUTO_LEAD], at = i / AUTO_LEAD;
    const struct auto_family *family = &auto_families[f];
    const mtc_data *X = j->look[family->view];
    size_t items = family->all ? auto_runs(j, f) : j->p.T;
    if (at >= items || !(family->polls & auto_polls[j->r.geometry]))
        return MTC_OK;
    ADV_TRY(adv_tick(desk->ctx, "auto", i, j->items));
    if (family->all)
        return auto_call(desk, j, f, at, 0, j->p.T, X);
    desk->task = at;
    return X[at].n > 0 ? auto_call(desk, j, f, 0, at, 1, &X[at]) : MTC_OK;
}

/* A3: mean ARI between the first runs of families f and g in a task. */
static mtc_real auto_alike(const auto_job *j, const adv_ballot *vote, size_t f,
    size_t g)
{
    size_t a = ADV_MIN(auto_runs(j, f), AUTO_FIRST);
    size_t b = ADV_MIN(auto_runs(j, g), AUTO_FIRST);
    mtc_real sum = 0;
    for (size_t x = 0; x < a; x++)
        for (size_t y = 0; y < b; y++)
            sum += adv_ballot_ari(vote,
                                  adv_ballot_run(vote, j->first[f] + x), NULL,
                                  adv_ballot_run(vote, j->first[g] + y));
    return sum / (mtc_real)(a * b);
}

/* A3: is family f one of those that are compared, by distances or by angles? */
static int auto_compares(const auto_job *j, size_t f, int distances)
{
    const struct auto_family *family = &auto_families[f];
    return auto_runs(j, f) > 0 && family->compared &&
           family->distances == distances;
}

/* A3: the mean over tasks and pairs of families that are compared. */
static mtc_status auto_agreement(adv_desk *desk, const auto_job *j,
    int distances, mtc_real *mean)
{
    mtc_real sum = 0, pairs = 0;
    for (size_t t = 0; t < j->p.T; t++) {
        adv_ballot vote = adv_ballot_open(&j->p, desk, t);
        ADV_TRY(desk->status);
        for (size_t f = 0; f < AUTO_COUNT; f++)
            for (size_t g = f + 1; g < AUTO_COUNT; g++)
                if (auto_compares(j, f, distances) &&
                    auto_compares(j, g, distances)) {
                    sum += auto_alike(j, &vote, f, g);
                    pairs += 1;
                }
    }
    *mean = sum / pairs;
    return MTC_OK;
}

/* ---- A4 and A5: votes, and the candidates -------------------------------- */

/* z [n]: a vote of families, each of weight 1, which its runs share. */
static mtc_status auto_vote(const auto_job *j, adv_ballot *vote, unsigned on,
    size_t n, int *z)
{
    for (size_t f = 0; f < AUTO_COUNT; f++)
        if (j->polls[f] & on)
            adv_ballot_add(vote, j->first[f], auto_runs(j, f),
                           1 / (mtc_real)auto_runs(j, f));
    return adv_ballot_vote(vote, n, NULL,
                           adv_panel_stream(AUTO_VOTE, on, vote->t), z);
}

/* A5: candidates [5] label the distinct rows: by A, from its labels [n] of all
 * rows; by B; and by the cuts of the spanning tree. */
static mtc_status auto_candidates(const auto_job *j, adv_ballot *vote,
    size_t n, const int *A, int **candidate)
{
    candidate[0] = ADV_TAKE(vote->desk, n, int);
    candidate[1] = ADV_TAKE(vote->desk, n, int);
    ADV_TRY(vote->desk->status);
    for (size_t i = vote->n; i-- > 0;)
        candidate[0][j->twin[vote->t][i]] = A[i];  /* that of the first wins */
    for (size_t e = 2; e < MTC_AUTO_CANDIDATES; e++)
        candidate[e] = adv_ballot_run(vote, j->first[AUTO_TREES] + e - 2);
    return auto_vote(j, vote, AUTO_B, n, candidate[1]);
}

/* A5: answer [n] is A, up to the end; then what judge prefers to it, if any. */
static mtc_status auto_choose(auto_job *j, adv_ballot *vote,
    const mtc_data *distinct, int *answer)
{
    mtc_auto_result *r = &j->r;
    size_t t = vote->t, m = MTC_AUTO_CANDIDATES;
    int *candidate[MTC_AUTO_CANDIDATES];
    mtc_judge_result judge;
    ADV_TRY(auto_vote(j, vote, AUTO_A, vote->n, answer));
    if (!adv_can_judge(distinct->n, vote->k))
        return MTC_OK;
    ADV_TRY(auto_candidates(j, vote, distinct->n, answer, candidate));
    ADV_TRY(adv_call(vote->desk, 0, adv_judge, distinct, &j->ground[t],
                     (const int *const *)candidate, m, vote->k, &judge));
    const int *kept = candidate[judge.kept];
    ADV_COPY(r->candidate + t * m, judge.of, m);
    r->margin[t] = judge.margin;
    r->kept[t] = (int)judge.kept;
    mtc_free(&vote->desk->within, &judge.block);
    r->agreement_ab[t] = adv_ballot_ari(vote, candidate[1], j->twin[t], answer);
    if (r->kept[t] == 0)
        return MTC_OK;
    r->agreement_kept[t] = adv_ballot_ari(vote, kept, j->twin[t], answer);
    for (size_t i = 0; i < vote->n; i++)
        answer[i] = kept[j->twin[t][i]];
    return MTC_OK;
}

/* ---- A6: polish ---------------------------------------------------------- */

typedef struct auto_mix {
    const mtc_data *X;    /* unit rows */
    size_t k;
    int *labels;          /* [n] */
    mtc_real *C, *S;      /* [d*k] centers as columns, and X'Q */
    mtc_real *Q, *prior;  /* [n*k], [k] */
} auto_mix;

/* Rows of Q, q_z ~ prior_z exp(80 x.c_z), and labels by the largest.  Products
 * of a zero row are 0, and stay; so does its label. */
static void auto_mix_rows(const auto_mix *m)
{
    size_t k = m->k;
    mtc_data_times(m->X, k, m->C, k, m->Q, k, NULL);
    for (size_t i = 0; i < m->X->n; i++) {
        mtc_real *q = m->Q + i * k, top = -ADV_HUGE, sum = 0;
        if (adv_square(m->X, i) == 0)
            continue;
        for (size_t z = 0; z < k; z++)
            top = m->prior[z] > 0 ? ADV_MAX(q[z], top) : top;
        for (size_t z = 0; z < k; z++) {
            q[z] = m->prior[z] > 0
                       ? m->prior[z] * mtc_exp(AUTO_KAPPA * (q[z] - top)) : 0;
            sum += q[z];
        }
        for (size_t z = 0; z < k; z++)
            q[z] /= sum;
        m->labels[i] = (int)adv_argmax(k, q);
    }
}

/* Columns c_z = S_z / |S_z|, S = X'Q, and prior, the sums of Q by column.  An
 * empty cluster keeps its center. */
static void auto_mix_centers(const auto_mix *m)
{
    size_t k = m->k;
    mtc_data_transpose_times(m->X, k, m->Q, k, m->S, k, NULL);
    ADV_ZERO(m->prior, k);
    for (size_t i = 0; i < m->X->n; i++)
        mtc_axpy(k, 1, m->Q + i * k, m->prior);
    for (size_t z = 0; z < k; z++) {
        mtc_real square = 0;
        for (size_t e = 0; e < m->X->d; e++)
            square += m->S[e * k + z] * m->S[e * k + z];
        if (square > 0)
            for (size_t e = 0; e < m->X->d; e++)
                m->C[e * k + z] = m->S[e * k + z] / ADV_SQRT(square);
    }
}

/* A6 from labels [n] and their means U [k*d], which become the centers of the
 * mixture.  Zero rows do not count.  They keep their label, or take the first
 * one's where the votes part them; its center is a little shorter, so that new
 * ones follow.  A cluster without other rows has no direction: its center lies
 * opposite the largest one's. */
static mtc_status auto_polish(const adv_ballot *vote, const mtc_data *X,
    int *labels, mtc_real *U)
{
    size_t n = X->n, d = X->d, k = vote->k, *count = vote->count;
    auto_mix m = {.X = X, .k = k, .labels = labels};
    ADV_REALS(vote->desk, adv_mul(d, k), &m.C, &m.S);
    ADV_REALS(vote->desk, adv_mul(n, k), &m.Q);
    ADV_REALS(vote->desk, k, &m.prior);
    ADV_TRY(vote->desk->status);
    for (size_t z = 0; z < k; z++)
        for (size_t e = 0; e < d; e++)
            m.C[e * k + z] = U[z * d + e];
    for (size_t i = 0; i < n; i++)
        m.Q[i * k + (size_t)labels[i]] = adv_square(X, i) > 0;
    auto_mix_centers(&m);
    for (size_t step = 0; step < AUTO_STEPS; step++) {
        auto_mix_rows(&m);
        auto_mix_centers(&m);
    }
    size_t top = adv_argmax(k, m.prior), zero = k;
    if (!(m.prior[top] > 0))
        m.C[top] = 1;  /* no row has a direction: any will do */
    ADV_ZERO(count, k);
    for (size_t i = 0; i < n; i++)
        if (adv_square(X, i) > 0) {
            count[labels[i]]++;
        } else {
            zero = zero < k ? zero : (size_t)labels[i];
            labels[i] = (int)zero;
        }
    for (size_t z = 0; z < k; z++) {
        mtc_real length = z == zero ? AUTO_SHORTER : 1;
        for (size_t e = 0; e < d; e++)
            U[z * d + e] = length * (count[z] > 0 ? m.C[e * k + z]
                                                  : -m.C[e * k + top]);
    }
    adv_fill(X, k, labels, U, vote->share);
    return MTC_OK;
}

/* ---- the answer for all rows --------------------------------------------- */

/* labels [X.n] of the nearest means; directions are compared by angles: at
 * length 1, the nearest is that of the least angle. */
static mtc_status auto_label(mtc_context *ctx, mtc_geometry geometry,
    const mtc_data *X, const mtc_kmeans_result *model, int *labels)
{
    adv_desk desk = adv_open(ctx, MTC_NONE);
    if (geometry != MTC_GEOMETRY_DIRECTIONS)
        return mtc_kmeans_assign(ctx, X, model, labels);
    ADV_TRY(mtc_data_check(ctx, X, MTC_NONE));
    mtc_data unit = adv_directions(&desk, X);
    mtc_status s = desk.status;
    if (s == MTC_OK)
        s = adv_call(&desk, 0, mtc_kmeans_assign, &unit, model, labels);
    return adv_close(&desk, s);
}

/* labels [n_t]: rows that did not take part follow the nearest mean or, where A
 * was not kept, the nearest row that did.  The others keep their answer. */
static mtc_status auto_rest(const auto_job *j, const adv_ballot *vote,
    const int *answer)
{
    const mtc_auto_result *r = &j->r;
    adv_desk *desk = vote->desk;
    size_t t = vote->t, voter = 0;
    const mtc_data *X = &j->p.tasks[t];
    int rest = vote->n < X->n, by_row = rest && r->kept[t] != 0;
    int *labels = r->labels[t];
    mtc_kmeans_result model = {.clusters = vote->k, .d = X->d,
                               .centers = r->centers[t]};
    mtc_random random = adv_stream(desk->ctx,
                                   adv_panel_stream(AUTO_DRAW, 0, t));
    size_t *nearest = ADV_TAKE(desk, by_row ? X->n : 0, size_t);
    ADV_TRY(desk->status);
    if (by_row)
        ADV_TRY(adv_call(desk, 0, mtc_neighbors, &j->rows[t], X, 1,
                         MTC_DISTANCE_SQEUCLIDEAN, nearest, NULL));
    else if (rest)
        ADV_TRY(adv_call(desk, 0, auto_label, r->geometry, X, &model, labels));
    for (size_t i = 0; i < X->n; i++)
        if (adv_drawn(&random, X->n - i, vote->n - voter))  /* as in adv_draw */
            labels[i] = answer[voter++];
        else if (by_row)
            labels[i] = answer[nearest[i]];
    return MTC_OK;
}

/* How well each family agrees with the answer; -1: it did not run.  What looks
 * at fewer rows than take part looks at distinct ones. */
static void auto_report(auto_job *j, const adv_ballot *vote, const int *answer)
{
    mtc_auto_result *r = &j->r;
    mtc_real *by_family = r->by_family + vote->t * r->families;
    mtc_real sum = 0, asked = 0;
    for (size_t f = 0; f < AUTO_COUNT; f++) {
        const mtc_data *X = &j->look[auto_families[f].view][vote->t];
        const int *twin = X->n < vote->n ? j->twin[vote->t] : NULL;
        size_t runs = X->n > 0 ? auto_runs(j, f) : 0;
        if (!(j->polls[f] & auto_polls[r->geometry]))
            continue;
        mtc_real ari = 0;
        for (size_t i = 0; i < runs; i++)
            ari += adv_ballot_ari(vote,
                                  adv_ballot_run(vote, j->first[f] + i), twin,
                                  answer) / (mtc_real)runs;
        *by_family++ = runs > 0 ? ari : -1;
        sum += ari;
        asked += runs > 0;
    }
    r->agreement[vote->t] = sum / asked;
}

/* A4 to A6 for task t: the answer, a model of it, and the report. */
static mtc_status auto_answer(adv_desk *desk, void *job, size_t t)
{
    auto_job *j = (auto_job *)job;
    mtc_auto_result *r = &j->r;
    const mtc_data *X = &j->p.tasks[t], *derived = &j->derived[t];
    adv_ballot vote = adv_ballot_open(&j->p, desk, t);
    int directions = r->geometry == MTC_GEOMETRY_DIRECTIONS;
    int *answer = ADV_TAKE(desk, vote.n, int);
    desk->task = t;
    ADV_TRY(desk->status);
    if (r->geometry == MTC_GEOMETRY_DISTANCES)
        ADV_TRY(auto_choose(j, &vote, derived, answer));
    else
        ADV_TRY(auto_vote(j, &vote, auto_polls[r->geometry], vote.n, answer));
    adv_means(directions ? derived : &j->rows[t], vote.k, answer,
              r->centers[t], vote.share);
    if (directions)
        ADV_TRY(auto_polish(&vote, derived, answer, r->centers[t]));
    ADV_TRY(auto_rest(j, &vote, answer));
    auto_report(j, &vote, answer);
    r->clusters[t] = vote.k;
    r->k_effective[t] = adv_count(X->n, r->labels[t], vote.k, vote.count);
    return MTC_OK;
}

/* ---- all of it ----------------------------------------------------------- */

/* A1 to A3: the geometry, and all runs. */
static mtc_status auto_run_all(adv_desk *desk, auto_job *j)
{
    mtc_auto_result *r = &j->r;
    mtc_geometry seen = auto_geometry(&j->p, &r->zeros);
    if (r->geometry == MTC_GEOMETRY_AUTO)
        r->geometry = seen;
    ADV_TRY(auto_take(desk, j));
    j->look[AUTO_ROWS] = j->rows;
    j->look[AUTO_UNIT] = j->derived;
    j->look[AUTO_ONCE] = r->geometry == MTC_GEOMETRY_DISTANCES ? j->derived
                                                               : j->rows;
    ADV_TRY(auto_gauss(desk, j));
    ADV_TRY(adv_share(desk, j->items, adv_panel_work(&j->p), auto_run, j));
    if (r->geometry != MTC_GEOMETRY_AUTO)
        return MTC_OK;
    ADV_TRY(auto_agreement(desk, j, 1, &r->agreement_distances));
    ADV_TRY(auto_agreement(desk, j, 0, &r->agreement_directions));
    r->geometry = r->agreement_distances > r->agreement_directions + AUTO_GAP
                      ? MTC_GEOMETRY_SIZES : MTC_GEOMETRY_DIRECTIONS;
    return MTC_OK;
}

static mtc_status auto_work(adv_desk *desk, void *job)
{
    auto_job *j = (auto_job *)job;
    adv_panel *p = &j->p;
    mtc_auto_result *r = &j->r;
    p->runs = adv_panel_labels(desk, p, p->m, p->sample);
    ADV_TRY(desk->status);
    ADV_TRY(auto_run_all(desk, j));
    int distances = r->geometry == MTC_GEOMETRY_DISTANCES;
    for (size_t f = 0; f < AUTO_COUNT; f++)
        if (j->polls[f] & auto_polls[r->geometry])
            r->name[r->families++] = p->T == 1 ? auto_families[f].alone
                                               : auto_families[f].name;
    for (size_t t = 0; t < p->T; t++) {  /* unless others than A are judged */
        r->agreement_ab[t] = distances ? -1 : 0;
        r->agreement_kept[t] = distances ? 1 : 0;
    }
    ADV_TRY(adv_share(desk, p->T, adv_panel_work(p), auto_answer, j));
    return adv_panel_match(p, desk, r->labels, NULL, r->k_effective,
                           r->matched);
}

/* Which families run, and how often.  LSSMTC needs one k. */
static void auto_enlist(auto_job *j, size_t R)
{
    const adv_panel *p = &j->p;
    unsigned wanted = auto_polls[j->r.geometry];
    if (j->r.geometry == MTC_GEOMETRY_AUTO)
        wanted |= auto_polls[MTC_GEOMETRY_DISTANCES];  /* A1 may find them */
    for (size_t f = 0; f < AUTO_COUNT; f++) {
        const struct auto_family *family = &auto_families[f];
        int votes = (p->T == 1 ? family->alone : family->name) != NULL &&
                    (family->way != AUTO_LSS || p->even);
        size_t runs = 0;
        if ((family->polls & wanted) && (votes || family->way == AUTO_KM))
            runs = family->way <= AUTO_LSS ? R : 1;
        else if ((family->polls & wanted) && family->way == AUTO_TREE)
            runs = MTC_AUTO_CANDIDATES - 2;
        j->polls[f] = votes && runs > 0 ? family->polls : 0;
        j->first[f + 1] = adv_add(j->first[f], runs);
    }
}

mtc_status mtc_auto(mtc_context *ctx, const mtc_data *tasks, size_t n_tasks,
    const mtc_auto_options *opt, mtc_auto_result *res)
{
    const mtc_auto_options usual = mtc_auto_defaults();
    const mtc_auto_options *o = opt != NULL ? opt : &usual;
    auto_job job = {.p = {.tasks = tasks, .T = n_tasks, .sample = o->sample,
                          .clusters = o->clusters,
                          .clusters_of = o->clusters_of}};
    adv_panel *p = &job.p;
    ADV_TRY(adv_panel_begin(p, ctx, NULL, NULL));
    ADV_TRY(adv_require(ctx, o->runs > 0, "runs: need 1 or more"));
    ADV_TRY(adv_require(ctx, (unsigned)o->geometry <= MTC_GEOMETRY_DISTANCES,
                        "geometry: need one of MTC_GEOMETRY_*"));
    job.r.geometry = o->geometry;
    job.r.agreement_distances = job.r.agreement_directions = -1;
    p->method.mbc.tolerance = p->method.lss.tolerance = AUTO_NEAR;
    auto_enlist(&job, o->runs);
    p->m = job.first[AUTO_COUNT];
    job.items = adv_mul(AUTO_LEAD, ADV_MAX(o->runs, n_tasks));
    return adv_result(ctx, auto_shape, auto_work, &job, res);
}

mtc_status mtc_auto_assign(mtc_context *ctx, const mtc_data *X, size_t task,
    const mtc_auto_result *res, int *labels)
{
    ADV_TRY(adv_require(ctx, res != NULL && task < res->tasks,
                        "task: need one of the result's"));
    mtc_kmeans_result model = {.clusters = res->clusters[task], .d = res->d,
                               .centers = res->centers[task]};
    return auto_label(ctx, res->geometry, X, &model, labels);
}
