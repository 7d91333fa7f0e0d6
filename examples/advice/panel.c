/* SPDX-License-Identifier: MIT
 *
 * panel.c - panels and ballots; panel.h says what they are.
 */
#include "panel.h"

/* ---- a panel ------------------------------------------------------------- */

mtc_status adv_panel_begin(adv_panel *p, mtc_context *ctx,
    const mtc_mbc_options *mbc, const mtc_lssmtc_options *lss)
{
    adv_method *m = &p->method;
    ADV_TRY(adv_check_sets(ctx, p->tasks, p->T));
    p->d = p->tasks[0].d;
    p->even = 1;
    for (size_t t = 0; t < p->T; t++) {
        size_t k = adv_clusters(p, t);
        ADV_TRY(adv_check_clusters(ctx, k, adv_panel_rows(p, t), t));
        p->even &= k == adv_clusters(p, 0);
        p->most = ADV_MAX(k, p->most);
    }
    m->mbc = mbc != NULL ? *mbc : mtc_mbc_defaults();
    if (mbc == NULL)
        m->mbc.iterations = 30;
    m->lss = lss != NULL ? *lss : mtc_lssmtc_defaults();
    if (lss == NULL)
        m->lss.lambda = (mtc_real)0.5;
    m->mbc.clusters = p->clusters;
    m->mbc.clusters_of = p->clusters_of;
    m->lss.clusters = adv_clusters(p, 0);
    m->mbc.restarts = m->lss.restarts = 1;
    m->mbc.start_labels = m->lss.start_labels = NULL;
    m->mbc.start_centers = NULL;
    m->lss.start_W = NULL;
    m->lss.start = MTC_START_ALIGNED;
    m->lss.match_start = 1;
    return MTC_OK;
}

size_t adv_panel_work(const adv_panel *p)
{
    size_t n = 0;
    for (size_t t = 0; t < p->T; t++)
        n = adv_add(n, p->tasks[t].n);
    return adv_mul(10, adv_mul(adv_mul(n, p->d), p->most));
}

int **adv_panel_carve_labels(adv_carver *c, const adv_panel *p)
{
    int **labels = ADV_CARVE(c, p->T, int *);
    for (size_t t = 0; t < p->T; t++) {
        int *of_task = ADV_CARVE(c, p->tasks[t].n, int);
        if (labels != NULL)  /* not while measuring */
            labels[t] = of_task;
    }
    return labels;
}

mtc_real **adv_panel_carve_centers(adv_carver *c, const adv_panel *p)
{
    mtc_real **centers = ADV_CARVE(c, p->T, mtc_real *);
    for (size_t t = 0; t < p->T; t++) {
        size_t size = adv_mul(adv_clusters(p, t), p->d);
        mtc_real *of_task = ADV_CARVE(c, size, mtc_real);
        if (centers != NULL)  /* not while measuring */
            centers[t] = of_task;
    }
    return centers;
}

int **adv_panel_labels(adv_desk *desk, const adv_panel *p, size_t times,
    size_t rows)
{
    int **labels = ADV_TAKE(desk, p->T, int *);
    for (size_t t = 0; t < p->T && labels != NULL; t++) {
        size_t n = ADV_MIN(p->tasks[t].n, rows);
        labels[t] = ADV_TAKE(desk, adv_mul(times, n), int);
    }
    return labels;
}

mtc_status adv_panel_kmeans(const adv_panel_call *c, size_t t,
    const mtc_data *X, size_t restarts, mtc_real *loss)
{
    mtc_kmeans_options o = mtc_kmeans_defaults();
    o.clusters = adv_clusters(c->p, t);
    o.restarts = restarts;
    c->desk->task = t;
    return adv_kmeans(c->desk, c->stream ^ t, X, &o,
                      adv_panel_run(c->p, t, c->run), loss);
}

mtc_status adv_panel_method(const adv_panel_call *c, adv_method m, size_t from)
{
    mtc_mbc_result mbc;
    mtc_lssmtc_result lss;
    const int **start = ADV_TAKE(c->desk, c->T, const int *);
    ADV_TRY(c->desk->status);
    for (size_t t = 0; t < c->T; t++)
        start[t] = adv_panel_run(c->p, t, from);
    m.mbc.start_labels = m.lss.start_labels = start;
    c->desk->task = MTC_NONE;
    if (m.is_mbc)
        ADV_TRY(adv_call(c->desk, c->stream, mtc_mbc, c->X, c->T, &m.mbc,
                         &mbc));
    else
        ADV_TRY(adv_call(c->desk, c->stream, mtc_lssmtc, c->X, c->T, &m.lss,
                         &lss));
    int *const *labels = m.is_mbc ? mbc.labels : lss.labels;
    for (size_t t = 0; t < c->T; t++)
        ADV_COPY(adv_panel_run(c->p, t, c->run), labels[t], c->X[t].n);
    mtc_free(&c->desk->within, m.is_mbc ? &mbc.block : &lss.block);
    return MTC_OK;
}

/* ---- one numbering ------------------------------------------------------- */

/* Label from[z] becomes z. */
static void panel_renumber(const size_t *from, size_t n, int *labels)
{
    for (size_t i = 0; i < n; i++) {
        size_t z = 0;
        while (from[z] != (size_t)labels[i])
            z++;
        labels[i] = (int)z;
    }
}

mtc_status adv_panel_match(const adv_panel *p, adv_desk *desk, int **labels,
    int **others, const size_t *k_effective, int *matched)
{
    size_t *from;
    mtc_real *used;
    ADV_SIZES(desk, p->most, &from);
    ADV_REALS(desk, p->most, &used);
    ADV_TRY(desk->status);
    for (size_t t = 0; t < p->T; t++) {
        size_t n = p->tasks[t].n, k = adv_clusters(p, t);
        matched[t] = t == 0;
        if (t == 0 || k != adv_clusters(p, 0))
            continue;
        ADV_TRY(adv_call(desk, ADV_SAME_SEED, mtc_match, k, p->d,
                         p->centers[0], p->centers[t], n, labels[t], from,
                         &matched[t]));
        if (others != NULL)
            panel_renumber(from, n, others[t]);
        matched[t] &= k_effective[t] == k && k_effective[0] == k;
    }
    for (size_t t = 0; t < p->T; t++)
        if (k_effective[t] < adv_clusters(p, t))
            adv_fill(&p->tasks[t], adv_clusters(p, t), labels[t],
                     p->centers[t], used);
    return MTC_OK;
}

/* ---- a ballot ------------------------------------------------------------ */

adv_ballot adv_ballot_open(const adv_panel *p, adv_desk *desk, size_t t)
{
    adv_ballot vote = {.p = p, .desk = desk, .t = t,
                       .k = adv_clusters(p, t), .n = adv_panel_rows(p, t)};
    vote.runs = ADV_TAKE(desk, p->m, const int *);
    ADV_REALS(desk, p->m, &vote.weight);
    ADV_SIZES(desk, adv_mul(vote.k, vote.k), &vote.count);
    ADV_REALS(desk, vote.k, &vote.share);
    return vote;
}

void adv_ballot_add(adv_ballot *vote, size_t first, size_t runs,
    mtc_real weight)
{
    for (size_t r = 0; r < runs; r++) {
        vote->runs[vote->m] = adv_ballot_run(vote, first + r);
        vote->weight[vote->m++] = weight;
    }
}

mtc_status adv_ballot_vote(adv_ballot *vote, size_t n, const mtc_real *losses,
    uint64_t stream, int *z)
{
    mtc_vote_options o = mtc_vote_defaults();
    mtc_vote_result r;
    size_t m = vote->m;
    o.clusters = vote->k;
    o.losses = losses;
    o.weights = vote->weight;
    vote->m = 0;
    ADV_TRY(adv_call(vote->desk, stream, mtc_vote, n, vote->runs, m, &o, &r));
    ADV_COPY(z, r.labels, n);
    mtc_free(&vote->desk->within, &r.block);
    return MTC_OK;
}

mtc_real adv_ballot_ari(const adv_ballot *vote, const int *a, const int *place,
    const int *b)
{
    ADV_ZERO(vote->count, vote->k * vote->k);
    for (size_t i = 0; i < vote->n; i++) {
        size_t label = (size_t)a[place != NULL ? (size_t)place[i] : i];
        vote->count[label * vote->k + (size_t)b[i]]++;
    }
    return adv_ari(vote->count, vote->n, vote->k);
}
