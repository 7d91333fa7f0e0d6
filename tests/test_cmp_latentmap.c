/* SPDX-License-Identifier: MIT
 *
 * LatentMap against worked cases and against a plain program of its formulas:
 * ridge regression in the primal, singular directions, votes; corners.
 */
#include <math.h>

#define CMP_INTERNAL
#include "../examples/compared/compared.h"
#include "cmp_sweep.h"
#include "golden/cmp_latentmap.h"
#include "greatest.h"
#include "test_util.h"

static const double worked_tolerance = sizeof(mtc_real) == 8 ? 1e-8 : 1e-3;

/* Task 0 is the source, 1 the target. */
static test_tasks world;

typedef struct map_input { cmp_latentmap_options o; int sparse; } map_input;

static mtc_status run_map(mtc_context *ctx, void *user, void *out)
{
    const map_input *in = (const map_input *)user;
    const mtc_data *set = in->sparse ? world.csr : world.dense;
    return cmp_latentmap(ctx, set, world.labels, 1, set + 1, &in->o,
                         (cmp_latentmap_result *)out);
}

static void set_values(size_t t, size_t n, size_t d, const double *x)
{
    for (size_t e = 0; e < n * d; e++)
        world.x[t][e] = (mtc_real)x[e];
    test_views(&world, t, n, d);
}

/* Values of side a [na*d] with the columns that it lacks filled: by M' [nb*na]
 * of the values of side b. */
static void fill_by(size_t a, const mtc_real *M, double *out)
{
    size_t b = 1 - a, d = world.dense[0].d;
    size_t na = world.dense[a].n, nb = world.dense[b].n;
    for (size_t c = 0; c < d; c++) {
        int own = 0;
        for (size_t i = 0; i < na; i++)
            own |= world.x[a][i * d + c] != 0;
        for (size_t i = 0; i < na; i++) {
            double sum = 0;
            for (size_t k = 0; k < nb; k++)
                sum += (double)M[k * na + i] * (double)world.x[b][k * d + c];
            out[i * d + c] = own ? (double)world.x[a][i * d + c]
                                 : sum > 0 ? sum : 0;
        }
    }
}

TEST latentmap_worked_case(const latentmap_case *g, int sparse)
{
    mtc_context ctx = test_context();
    map_input in = {cmp_latentmap_defaults(), sparse};
    cmp_latentmap_result r;
    double filled[400];
    set_values(0, g->n, g->d, g->source);
    set_values(1, g->m, g->d, g->target);
    memcpy(world.start[0], g->labels, g->n * sizeof(int));
    in.o.classes = g->c;
    in.o.ridge = (mtc_real)g->ridge;
    in.o.rank = g->rank;
    in.o.neighbors = g->neighbors;
    in.o.fill = g->fill;
    ASSERT_EQ(MTC_OK, run_map(&ctx, &in, &r));
    ASSERT_EQ(g->rank_used, r.rank);
    ASSERT(g->n * g->d <= 400 && g->m * g->d <= 400);
    fill_by(0, r.fill_source, filled);
    ASSERT_CLOSE(g->source_filled, filled, g->n * g->d);
    fill_by(1, r.fill_target, filled);
    ASSERT_CLOSE(g->target_filled, filled, g->m * g->d);
    ASSERT_CLOSE(g->scores, r.scores, g->m * g->c);
    ASSERT_MEM_EQ(g->found, r.labels, g->m * sizeof(int));
    mtc_free(&ctx, &r.block);
    PASS();
}

SUITE(cmp_latentmap_suite)
{
    for (size_t k = 0; k < sizeof latentmap_cases / sizeof *latentmap_cases;
         k++)
        for (int sparse = 0; sparse < 2; sparse++)
            RUN_TESTp(latentmap_worked_case, &latentmap_cases[k], sparse);
}
