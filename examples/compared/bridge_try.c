/* SPDX-License-Identifier: MIT
 *
 * bridge_try.c - does a bridge between source and target help?
 *
 * Where the target's truth is known, labels are propagated to it twice:
 *   A1  rows to length 1, so that gamma means the same in every domain
 *   A2  from the source                                     `direct`
 *   A3  from the source, with the bridge's samples, which have no labels,
 *       in the graph as well                                `bridged`
 * Harmonic functions on the complete graph w = exp(-gamma |x-y|^2), class
 * masses scaled to the source's shares, or one class may take all.  The
 * bridge helps if bridged > 1.03 direct [TSZX15, section 4.1].
 */
#define CMP_INTERNAL
#include "compared.h"

#define BRIDGE_GAIN ((mtc_real)1.03)

/* The share of the target's samples whose label is the truth. */
static mtc_status bridge_accuracy(mtc_context *ctx, const mtc_data *sources,
                                  const int *const *labels, size_t n_sources,
                                  const mtc_data *target, const int *truth,
                                  const cmp_propagate_options *o,
                                  mtc_real *accuracy)
{
    cmp_propagate_result r;
    size_t right = 0;
    mtc_status s = cmp_propagate(ctx, sources, labels, n_sources, target, o,
                                 &r);
    if (s != MTC_OK)
        return s;
    for (size_t i = 0; i < r.n; i++)
        right += r.labels[i] == truth[i];
    *accuracy = (mtc_real)right / (mtc_real)r.n;
    s = r.converged ? MTC_OK
                    : adv_refuse(ctx, MTC_LIMIT, "gamma: too large");
    mtc_free(ctx, &r.block);
    return s;
}

mtc_status cmp_bridge_try(mtc_context *ctx, const mtc_data *source,
                          const int *source_labels, const mtc_data *bridge,
                          const mtc_data *target, const int *truth,
                          size_t classes, mtc_real gamma,
                          cmp_bridge_gain *out)
{
    if (source == NULL || bridge == NULL || target == NULL || out == NULL)
        return cmp_check_options(ctx, "no data");
    mtc_data sets[3] = {*source, *bridge, *target}, unit[3];
    const int *const labels[2] = {source_labels, NULL};
    ADV_TRY(adv_check_sets(ctx, sets, 3));
    for (size_t t = 0; t < 3; t++)
        ADV_TRY(cmp_check_nonnegative(ctx, &sets[t], t));
    ADV_TRY(cmp_check_options(               /* 1 / gamma is a width */
        ctx, gamma > 0 && ADV_FINITE(1 / gamma) && ADV_FINITE(gamma)
                 ? NULL : "gamma: need above 0"));
    ADV_TRY(cmp_check_labels(ctx, source_labels, source->n, classes, 0));
    ADV_TRY(cmp_check_labels(ctx, truth, target->n, classes, 2));
    cmp_propagate_options o = cmp_propagate_defaults();
    cmp_bridge_gain gain = {0, 0, 0};
    adv_desk desk = adv_open(ctx, MTC_NONE);
    o.classes = classes;
    o.graph.neighbors = 0;                          /* complete */
    o.graph.absolute = 1;
    o.graph.width = 1 / gamma;
    o.mass_normalization = 1;
    for (size_t t = 0; t < 3; t++)
        unit[t] = cmp_unit_rows(&desk, &sets[t], CMP_LENGTH);   /* A1 */
    mtc_status s = desk.status;
    if (s == MTC_OK)
        s = bridge_accuracy(ctx, unit, labels, 1, &unit[2], truth, &o,
                            &gain.direct);                      /* A2 */
    if (s == MTC_OK)
        s = bridge_accuracy(ctx, unit, labels, 2, &unit[2], truth, &o,
                            &gain.bridged);                     /* A3 */
    gain.helps = gain.bridged > BRIDGE_GAIN * gain.direct;
    s = adv_close(&desk, s);
    if (s == MTC_OK)
        *out = gain;
    return s;
}
