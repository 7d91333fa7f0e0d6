/* SPDX-License-Identifier: MIT
 *
 * compared.h - the systems of examples/compared/ as rows for methods.c, in
 * the manner of calls.h: options by dice, every part of a result seen.
 * Sources are the tasks of a scene but the last, which is the target.
 */
#ifndef FUZZ_COMPARED_H
#define FUZZ_COMPARED_H

#include "../../examples/compared/compared.c"
#include "../../examples/compared/bridge_try.c"
#include "../../examples/compared/cdsc.c"
#include "../../examples/compared/cocc.c"
#include "../../examples/compared/geometry.c"
#include "../../examples/compared/cotransfer.c"
#include "../../examples/compared/dmtc.c"
#include "../../examples/compared/htlic.c"
#include "../../examples/compared/latentmap.c"
#include "../../examples/compared/mtctki.c"
#include "../../examples/compared/nb.c"
#include "../../examples/compared/views.c"
#include "../../examples/compared/propagate.c"
#include "../../examples/compared/samtc.c"
#include "../../examples/compared/smbc.c"
#include "../../examples/compared/smkc.c"
#include "../../examples/compared/tritl.c"
#include "../../examples/compared/tsvm.c"
#include "../../examples/compared/starts.c"

static const mtc_data *target_of(const scene *s)
{
    return &s->task[s->tasks - 1];
}

/* Is every value 0, or of a size that people measure? */
static int is_tame(const scene *s)
{
    for (size_t t = 0; t < s->tasks; t++) {
        const mtc_data *X = &s->task[t];
        for (size_t e = 0; e < adv_end(X, X->n - 1); e++) {
            mtc_real x = MTC_FABS(X->values[e]);
            if (!(x == 0 || (x >= (mtc_real)1e-6 && x <= (mtc_real)1e6)))
                return 0;
        }
    }
    return 1;
}

/* An objective that falls but for rounding, and for what counts as equal; of
 * values far apart it need only be finite. */
static void see_settling(const scene *s, witness *w, const mtc_real *x,
                         size_t n)
{
    const mtc_real equal = sizeof(mtc_real) == 8 ? (mtc_real)1e-8
                                                 : (mtc_real)1e-3;
    see_reals(w, x, n);
    for (size_t i = 1; i < n && is_tame(s); i++)
        if (x[i] > x[i - 1] + equal * MTC_FABS(x[i - 1]))
            see_wrong(w, "an objective that increases");
}

/* NULL, or as many labels as the target has, none above k if legal. */
static const int *pick_target_labels(scene *s)
{
    return pick_enum(s, 0, 3) == 1 ? s->labels[s->tasks - 1] : NULL;
}

/* ---- label propagation, TSVM ------------------------------------------- */

static mtc_status propagate_by(mtc_context *ctx, scene *s, void *out,
                               cmp_propagation kind)
{
    cmp_propagate_options o = cmp_propagate_defaults();
    const int *labels[SCENE_TASKS];
    memcpy(labels, s->labels, sizeof labels);
    o.classes = s->k;
    o.kind = kind;
    o.graph = graph_pick(s, o.graph);
    o.mu = pick_real(s, o.mu, 0, 4);
    o.mass_normalization = pick_enum(s, 0, 2);
    o.tolerance = pick_real(s, o.tolerance, 0, (mtc_real)0.5);
    o.iterations = pick_size(s, o.iterations, 0, 50);
    if (s->tasks > 2 && pick_enum(s, 0, 2) == 1)
        labels[0] = NULL;
    return cmp_propagate(ctx, s->task, labels, s->tasks - 1, target_of(s), &o,
                         (cmp_propagate_result *)out);
}

RUN_ROW(cmp_gfhf)
{
    return propagate_by(ctx, s, out, CMP_HARMONIC);
}

RUN_ROW(cmp_llgc)
{
    return propagate_by(ctx, s, out, CMP_CONSISTENCY);
}

SEE_ROW(cmp_gfhf)
{
    const cmp_propagate_result *r = (const cmp_propagate_result *)out;
    (void)s;
    see_labels(w, r->labels, r->n, r->classes);
    see_reals(w, r->scores, r->n * r->classes);
    see_size(w, r->iterations);
    see_reals(w, &r->residual, 1);
    see_flag(w, r->converged);
}

RUN_ROW(cmp_tsvm)
{
    cmp_tsvm_options o = cmp_tsvm_defaults();
    o.classes = s->k;
    o.kernel = (mtc_kernel)pick_enum(s, (int)o.kernel, 2);
    o.gamma = pick_real(s, 0, 0, 2);
    o.cost = pick_real(s, o.cost, 0, 100);
    pick_real(s, 0, 0, 100);            /* an option that is gone */
    o.tolerance = pick_real(s, o.tolerance, 0, (mtc_real)0.5);
    o.iterations = pick_size(s, o.iterations, 0, 5000);
    return cmp_tsvm(ctx, s->task, s->labels, s->tasks - 1, target_of(s), &o,
                    (cmp_tsvm_result *)out);
}

SEE_ROW(cmp_tsvm)
{
    const cmp_tsvm_result *r = (const cmp_tsvm_result *)out;
    see_labels(w, r->labels, r->n, s->k);
    see_reals(w, r->decisions, r->n * r->problems);
    see_size(w, r->solved);
    see_size(w, r->exchanged);
    see_size(w, r->iterations);
    see_flag(w, r->converged);
}

/* The first task, the others as bridge and target. */
RUN_ROW(cmp_bridge_try)
{
    arrays a;
    cmp_bridge_gain gain;
    mtc_status st = arrays_take(ctx, &a, 0, 0, 2);
    if (st != MTC_OK)
        return st;
    st = cmp_bridge_try(ctx, &s->task[0], s->labels[0], &s->task[2],
                        &s->task[1], s->labels[1], s->k,
                        pick_real(s, (mtc_real)12.5, 0, 20), &gain);
    if (st == MTC_OK) {
        a.reals[0] = gain.direct;
        a.reals[1] = gain.bridged;
    }
    return arrays_done(ctx, &a, st, out);
}

/* ---- naive Bayes, CoCC, CDSC ------------------------------------------- */

RUN_ROW(cmp_nb)
{
    cmp_nb_options o = cmp_nb_defaults();
    o.classes = s->k;
    return cmp_nb(ctx, s->task, s->labels, s->tasks - 1, target_of(s), &o,
                  (cmp_nb_result *)out);
}

SEE_ROW(cmp_nb)
{
    const cmp_nb_result *r = (const cmp_nb_result *)out;
    (void)s;
    see_labels(w, r->labels, r->n, r->classes);
    see_reals(w, r->scores, r->n * r->classes);
    see_reals(w, r->words, r->d * r->classes);
    see_reals(w, r->prior, r->classes);
}

RUN_ROW(cmp_cocc)
{
    cmp_cocc_options o = cmp_cocc_defaults();
    o.classes = s->k;
    o.lambda = pick_real(s, o.lambda, 0, 2);
    o.words = pick_size(s, o.words, 1, 14);
    o.start = (cmp_word_start)pick_enum(s, (int)o.start, 3);
    o.iterations = pick_size(s, o.iterations, 0, 30);
    o.realign = pick_enum(s, 0, 2);
    o.start_labels = pick_target_labels(s);
    if (pick_enum(s, 0, 3) == 1 && target_of(s)->d <= s->task[0].n)
        o.start_words = s->labels[0];
    return cmp_cocc(ctx, s->task, s->labels, s->tasks - 1, target_of(s), &o,
                    (cmp_cocc_result *)out);
}

SEE_ROW(cmp_cocc)
{
    const cmp_cocc_result *r = (const cmp_cocc_result *)out;
    see_labels(w, r->labels, r->n, r->classes);
    see_labels(w, r->word_clusters, r->d, r->words);
    see_labels(w, r->class_of, r->classes, r->classes);
    if (s->hostile)                         /* rounding times any lambda */
        see_reals(w, r->objective, r->iterations + 1);
    else
        see_settling(s, w, r->objective, r->iterations + 1);
    see_flag(w, r->converged);
}

RUN_ROW(cmp_cdsc)
{
    cmp_cdsc_options o = cmp_cdsc_defaults();
    o.classes = s->k;
    o.form = (cmp_cdsc_form)pick_enum(s, (int)o.form, 3);
    o.lambda = pick_real(s, o.lambda, 0, 4);
    o.beta = pick_real(s, o.beta, 0, 30);
    o.vectors = pick_size(s, o.vectors, 1, 12);
    o.trust = pick_real(s, o.trust, 0, 4000);
    return cmp_cdsc(ctx, s->task, s->labels, s->tasks - 1, target_of(s), &o,
                    (cmp_cdsc_result *)out);
}

SEE_ROW(cmp_cdsc)
{
    const cmp_cdsc_result *r = (const cmp_cdsc_result *)out;
    size_t n = cmp_count(s->task, s->tasks);
    int spans = r->form == CMP_CDSC_TRANSDUCER;
    see_labels(w, r->labels, r->n, r->classes);
    see_reals(w, r->scores, r->n * r->classes);
    see_size(w, r->nodes);
    see_reals(w, r->eigenvalues, r->vectors);
    see_reals(w, r->V, n * r->vectors);
    see_reals(w, r->a, spans ? r->classes * r->vectors : 0);
    see_reals(w, r->multipliers, spans ? r->classes : 0);
    see_flag(w, r->converged);
}

/* ---- S-MBC, S-MKC ------------------------------------------------------ */

RUN_ROW(cmp_smbc)
{
    cmp_smbc_options o = cmp_smbc_defaults();
    mbc_given g;
    o.rule = (cmp_boost_rule)pick_enum(s, (int)o.rule, 2);
    mbc_pick(s, &g);
    o.mbc = g.o;
    o.mbc.start_centers = s->hostile ? g.o.start_centers : NULL;
    return cmp_smbc(ctx, s->task, s->tasks, &o, (cmp_smbc_result *)out);
}

RUN_ROW(cmp_smkc)
{
    cmp_smkc_options o = cmp_smkc_defaults();
    mbc_given g;
    o.kernel = (mtc_kernel)pick_enum(s, (int)o.kernel, 2);
    o.sigma = pick_real(s, 0, 0, 4);
    o.smbc.rule = (cmp_boost_rule)pick_enum(s, (int)o.smbc.rule, 2);
    mbc_pick(s, &g);
    o.smbc.mbc = g.o;
    if (!s->hostile) {
        o.smbc.mbc.start_centers = NULL;
        o.smbc.mbc.divergence = NULL;
        o.smbc.mbc.smooth = 0;
    }
    return cmp_smkc(ctx, s->task, s->tasks, &o, (cmp_smkc_result *)out);
}

SEE_ROW(cmp_smbc)
{
    const cmp_smbc_result *r = (const cmp_smbc_result *)out;
    size_t T = r->tasks;
    for (size_t t = 0; t < T; t++) {
        see_labels(w, r->labels[t], s->task[t].n, r->clusters[t]);
        see_reals(w, r->centers[t], r->clusters[t] * r->d);
        see_flag(w, r->boosted[t]);
    }
    see_reals(w, r->own_loss, T);
    see_reals(w, r->own_boosted, T);
    see_reals(w, r->own_plain, T);
    see_settling(s, w, r->objective, r->iterations + 1);
    see_reals(w, r->trace, r->trace != NULL ? r->iterations * T : 0);
    see_labels(w, r->picks, r->trace != NULL ? r->iterations * T : 0, 2);
    see_flag(w, r->converged);
    see_reals(w, &r->sigma, 1);
}

/* ---- DMTC, SAMTC, MTCTKI ----------------------------------------------- */

RUN_ROW(cmp_dmtc)
{
    cmp_dmtc_options o = cmp_dmtc_defaults();
    o.clusters = s->k;
    o.coupling = (cmp_coupling)pick_enum(s, (int)o.coupling, 2);
    o.lambda1 = pick_real(s, o.lambda1, 0, 1);
    o.lambda2 = pick_real(s, o.lambda2, 0, 1);
    o.slack = pick_real(s, o.slack, 0, 2);
    o.iterations = pick_size(s, o.iterations, 0, 20);
    o.tolerance = pick_real(s, o.tolerance, 0, (mtc_real)0.25);
    if (pick_enum(s, 0, 3) == 1)
        o.start_labels = s->labels;
    return cmp_dmtc(ctx, s->task, s->tasks, &o, (cmp_dmtc_result *)out);
}

SEE_ROW(cmp_dmtc)
{
    const cmp_dmtc_result *r = (const cmp_dmtc_result *)out;
    size_t T = r->tasks;
    for (size_t t = 0; t < T; t++) {
        see_labels(w, r->labels[t], s->task[t].n, s->k);
        see_reals(w, r->scores[t], s->task[t].n * s->k);
    }
    see_reals(w, r->objective, 1);          /* the start need not be balanced */
    see_settling(s, w, r->objective + 1, r->iterations);
    see_reals(w, r->features, r->features != NULL ? r->rank : 0);
    see_reals(w, r->relatedness, r->relatedness != NULL ? T * T : 0);
    see_flag(w, r->converged);
}

RUN_ROW(cmp_samtc)
{
    cmp_samtc_options o = cmp_samtc_defaults();
    size_t clusters[SCENE_TASKS];
    o.clusters = s->k;
    o.clusters_of = pick_clusters(s, clusters);
    o.mu1 = pick_real(s, o.mu1, 0, 1);
    o.mu2 = pick_real(s, o.mu2, 0, 1);
    o.restarts = pick_size(s, 2, 1, 3);
    if (pick_enum(s, 0, 3) == 1)
        o.start_labels = s->labels;
    return cmp_samtc(ctx, s->task, s->tasks, &o, (cmp_samtc_result *)out);
}

SEE_ROW(cmp_samtc)
{
    const cmp_samtc_result *r = (const cmp_samtc_result *)out;
    size_t T = r->tasks;
    for (size_t t = 0; t < T; t++) {
        size_t n = s->task[t].n, k = r->clusters[t];
        see_labels(w, r->labels[t], n, k);
        see_labels(w, r->first_labels[t], n, k);
        see_reals(w, r->S[t], n * n);
        for (size_t u = 0; u < T; u++) {
            const int *matched = r->matched[t * T + u];
            see_within(w, r->relatedness[t * T + u], 0, 1);
            if (u == t)
                continue;
            see_reals(w, r->divergence[t * T + u], k * r->clusters[u]);
            for (size_t z = 0; z < k; z++)
                if (matched[z] != -1)
                    see_labels(w, matched + z, 1, r->clusters[u]);
        }
    }
    see_sizes(w, r->k_effective, T);
    see_reals(w, &r->sigma, 1);
    see_sizes(w, r->neighbors, T);
}

RUN_ROW(cmp_mtctki)
{
    cmp_mtctki_options o = cmp_mtctki_defaults();
    size_t clusters[SCENE_TASKS];
    o.clusters = s->k;
    o.clusters_of = pick_clusters(s, clusters);
    o.space = (cmp_mtctki_space)pick_enum(s, (int)o.space, 2);
    o.trade = pick_real(s, o.trade, 0, 1);
    o.dim = pick_size(s, o.dim, 1, 12);
    o.mu = pick_real(s, o.mu, 0, 1);
    o.restarts = pick_size(s, 2, 1, 3);
    return cmp_mtctki(ctx, s->task, s->tasks, &o, (cmp_mtctki_result *)out);
}

SEE_ROW(cmp_mtctki)
{
    const cmp_mtctki_result *r = (const cmp_mtctki_result *)out;
    for (size_t t = 0; t < r->tasks; t++) {
        size_t n = s->task[t].n;
        see_labels(w, r->labels[t], n, r->clusters[t]);
        see_reals(w, r->S[t], n * n);
    }
    see_sizes(w, r->k_effective, r->tasks);
    see_size(w, r->dim);
    see_reals(w, r->Z, r->n * r->width);
    see_reals(w, &r->sigma, 1);
    see_sizes(w, r->neighbors, r->tasks);
}

/* ---- TriplexTL, LatentMap ---------------------------------------------- */

RUN_ROW(cmp_tritl)
{
    cmp_tritl_options o = cmp_tritl_defaults();
    o.classes = s->k;
    o.identical = pick_size(s, 4, 0, 6);
    o.alike = pick_size(s, 4, 0, 6);
    o.distinct = pick_size(s, 2, 0, 6);
    o.start = (cmp_tritl_start)pick_enum(s, (int)o.start, 2);
    o.exponent = pick_enum(s, 0, 2) == 1 ? (mtc_real)0.5 : o.exponent;
    o.iterations = pick_size(s, 10, 0, 20);
    o.tolerance = pick_real(s, o.tolerance, 0, (mtc_real)0.25);
    o.start_labels = pick_target_labels(s);
    throw_die(s);                       /* an option that is gone */
    size_t rows = mtc_mul(mtc_add(s->task[0].d, s->k), s->tasks);
    size_t most = mtc_mul(rows, o.identical | o.alike | o.distinct);
    most = mtc_add(mtc_mul(4, most), mtc_mul(target_of(s)->n, s->k));
    if (pick_enum(s, 0, 3) == 1 && most <= s->plain_n)
        o.start_factors = s->plain;
    if (s->hostile)
        o.exponent = pick_real(s, o.exponent, 0, 2);
    return cmp_tritl(ctx, s->task, s->labels, s->tasks - 1, target_of(s), &o,
                     (cmp_tritl_result *)out);
}

/* Scaling the target's classes may raise the objective. */
SEE_ROW(cmp_tritl)
{
    const cmp_tritl_result *r = (const cmp_tritl_result *)out;
    size_t c = s->k, factors = (size_t)(r->target - r->factors);
    see_labels(w, r->labels, r->n, c);
    for (size_t e = 0; e < r->n * c && r->iterations > 0; e++)
        see_within(w, r->target[e], 0, 1 + 16 * MTC_EPS);
    see_reals(w, r->target, r->n * c);          /* a start stays as it is */
    see_reals(w, r->factors, factors);          /* G is the last */
    see_reals(w, r->objective, r->iterations + 1);
    see_flag(w, r->converged);
}

RUN_ROW(cmp_latentmap)
{
    cmp_latentmap_options o = cmp_latentmap_defaults();
    o.classes = s->k;
    o.ridge = pick_real(s, o.ridge, 0, 4);
    o.rank = pick_size(s, o.rank, 1, 12);
    o.neighbors = pick_size(s, o.neighbors, 1, 12);
    o.fill = pick_enum(s, o.fill, 2);
    return cmp_latentmap(ctx, s->task, s->labels, s->tasks - 1, target_of(s),
                         &o, (cmp_latentmap_result *)out);
}

SEE_ROW(cmp_latentmap)
{
    const cmp_latentmap_result *r = (const cmp_latentmap_result *)out;
    (void)s;
    see_labels(w, r->labels, r->n, r->classes);
    see_reals(w, r->scores, r->n * r->classes);
    see_reals(w, r->fill_source, r->source_n * r->n);
    see_reals(w, r->fill_target, r->source_n * r->n);
    see_size(w, r->rank);
    see_size(w, r->neighbors);
    see_size(w, r->common);
    see_size(w, r->missing);
}

/* ---- co-transfer, HTLIC ------------------------------------------------ */

/* Known classes of the target from the scene's labels, -1 for others; `room`
 * has place for them. */
enum { MOST_KNOWN = 32 };

static const int *pick_known(scene *s, size_t n, const int *labels, int *room)
{
    unsigned r = throw_die(s);
    if (r % 4 == 0 || n > MOST_KNOWN)
        return NULL;
    for (size_t i = 0; i < n; i++)
        room[i] = (i * 7 + r) % (r % 4 + 1) == 0 ? labels[i] : -1;
    return room;
}

/* Pairs of view 1, in the first task's features, with the square matrix as
 * view 2; the same matrix is the target. */
RUN_ROW(cmp_cotransfer)
{
    cmp_cotransfer_options o = cmp_cotransfer_defaults();
    int room[MOST_KNOWN], views = pick_enum(s, 0, 2);
    const mtc_data *target = views ? &s->square : target_of(s);
    const int *labels = s->labels[views ? 0 : s->tasks - 1];
    const int *known = pick_known(s, target->n, labels, room);
    o.classes = s->k;
    o.alpha = pick_real(s, o.alpha, 0, 1);
    o.stay = pick_real(s, o.stay, 0, 1);
    o.neighbors = pick_size(s, o.neighbors, 1, 12);
    o.iterations = pick_size(s, o.iterations, 0, 50);
    return cmp_cotransfer(ctx, s->task, s->labels, s->tasks - 1, &s->positive,
                          views ? &s->square : NULL, target, known, &o,
                          (cmp_cotransfer_result *)out);
}

SEE_ROW(cmp_cotransfer)
{
    const cmp_cotransfer_result *r = (const cmp_cotransfer_result *)out;
    (void)s;
    see_labels(w, r->labels, r->n, r->classes);
    see_reals(w, r->scores, r->n * r->classes);
    see_reals(w, r->source_scores, r->n_source * r->classes);
    see_size(w, r->iterations);
    see_reals(w, &r->step, 1);
    see_flag(w, r->converged);
}

RUN_ROW(cmp_htlic)
{
    cmp_htlic_options o = cmp_htlic_defaults();
    int room[MOST_KNOWN], views = pick_enum(s, 0, 2);
    const mtc_data *images = views ? &s->square : &s->positive;
    const int *known = pick_known(s, images->n, s->labels[0], room);
    o.classes = s->k;
    o.rank = pick_size(s, 4, 1, 14);
    o.lambda = pick_real(s, o.lambda, 0, 1);
    o.ridge = pick_real(s, o.ridge, 0, 1);
    o.append = pick_enum(s, 0, 2);
    o.iterations = pick_size(s, 10, 0, 20);
    o.cost = pick_real(s, o.cost, 0, 100);
    if (pick_enum(s, 0, 3) == 1 &&
        adv_mul(s->positive.d, o.rank) <= s->plain_n)
        o.start = s->plain;
    return cmp_htlic(ctx, s->task, s->tasks, &s->positive, images, images,
                     known != NULL || s->hostile ? known : s->labels[0], &o,
                     (cmp_htlic_result *)out);
}

/* Scores of a class that is not known are -Inf. */
SEE_ROW(cmp_htlic)
{
    const cmp_htlic_result *r = (const cmp_htlic_result *)out;
    see_labels(w, r->labels, r->n, r->classes);
    for (size_t e = 0; e < r->n * r->classes; e++)
        if (r->scores[e] >= -MTC_HUGE)
            see_reals(w, r->scores + e, 1);
    see_reals(w, r->features, r->n * r->rank);
    see_reals(w, r->U, r->tags * r->rank);
    see_reals(w, r->V, r->d * r->rank);
    if (s->hostile)
        see_reals(w, r->objective, r->iterations + 1);
    else
        see_settling(s, w, r->objective, r->iterations + 1);
}

/* ---- the table --------------------------------------------------------- */

typedef union compared_outcome {
    outcome library;
    cmp_propagate_result propagate;
    cmp_tsvm_result tsvm;
    cmp_nb_result nb;
    cmp_cocc_result cocc;
    cmp_cdsc_result cdsc;
    cmp_smbc_result smbc;
    cmp_dmtc_result dmtc;
    cmp_samtc_result samtc;
    cmp_mtctki_result mtctki;
    cmp_tritl_result tritl;
    cmp_latentmap_result latentmap;
    cmp_cotransfer_result cotransfer;
    cmp_htlic_result htlic;
} compared_outcome;

#define ROW_CMP(NAME, SEE) ROW_AS(cmp_##NAME, cmp_##SEE, 0)

static const method_row compared_rows[] = {
    ROW_CMP(gfhf, gfhf), ROW_CMP(llgc, gfhf), ROW_CMP(tsvm, tsvm),
    ROW_ARRAYS(cmp_bridge_try, arrays, 0),
    ROW_CMP(nb, nb), ROW_CMP(cocc, cocc), ROW_CMP(cdsc, cdsc),
    ROW_CMP(smbc, smbc), ROW_CMP(smkc, smbc), ROW_CMP(dmtc, dmtc),
    ROW_CMP(samtc, samtc), ROW_CMP(mtctki, mtctki), ROW_CMP(tritl, tritl),
    ROW_CMP(latentmap, latentmap), ROW_CMP(cotransfer, cotransfer),
    ROW_CMP(htlic, htlic),
};

enum { COMPARED_ROWS = sizeof compared_rows / sizeof compared_rows[0] };

#endif /* FUZZ_COMPARED_H */
