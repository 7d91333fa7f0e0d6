/* SPDX-License-Identifier: MIT */
/* model.h - labels for new samples; written by mtc export, version 0.4.0.
 *
 * Model: mbc, of values as they are.
 *
 *     int model_label(int task, const model_real *x)
 *
 * gives the label, from 0, of a sample x [MODEL_FEATURES], raw: what the
 * model does to values before it looks at them is done here.  It is -1
 * where there is no such task, or where x has a value that `mtc assign`
 * refuses: NaN, an infinity, above 1e45 (in float 1e9).
 * Labels are those of `mtc assign`, to the last bit.  With -DMODEL_SINGLE all
 * is done in float: a sample between two clusters may get the other label.
 * No library is needed, no memory but the stack.
 *
 * Tasks:
 *   0  blobs1, 4 clusters
 *   1  blobs2, 4 clusters
 *
 * Features of x: those of the files, in their order
 */
#ifndef MODEL_H
#define MODEL_H

#define MODEL_TASKS 2
#define MODEL_FEATURES 5
#define MODEL_CLUSTERS 4

#ifdef MODEL_SINGLE
typedef float model_real;
#else
typedef double model_real;
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || \
    defined(__RECIPROCAL_MATH__) || \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "-ffast-math, or a part of it, changes labels; -DMODEL_SINGLE accepts that"
#endif
#if defined(__SIZEOF_DOUBLE__) && __SIZEOF_DOUBLE__ != 8
#error "double is too short here: use -DMODEL_SINGLE"
#endif
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ == 2
#error "x87 arithmetic: use -msse2 -mfpmath=sse, or -DMODEL_SINGLE"
#endif
#endif
#define MODEL_R(x) ((model_real)(x))
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off", "no-tree-loop-distribute-patterns")
#endif

#ifdef __GNUC__
__attribute__((unused))
#endif
static int model_label(int task, const model_real *x)
{
#if !defined(__GNUC__) || defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
    static const model_real centers[] = {
        MODEL_R(-0.45995478794030986), MODEL_R(-0.31963914229337548),
        MODEL_R(-1.8777328305230867), MODEL_R(1.2120943189527342),
        MODEL_R(-0.86157030291873959), MODEL_R(-3.1921762645463168),
        MODEL_R(-0.043990989342704123), MODEL_R(-2.4445920543871207),
        MODEL_R(2.2464720683539166), MODEL_R(0.16229110402691624),
        MODEL_R(2.7319419068810196), MODEL_R(1.8671356552042551),
        MODEL_R(0.92084095891799644), MODEL_R(-0.50479559575813937),
        MODEL_R(1.3250551695786765), MODEL_R(0.77230394089038779),
        MODEL_R(0.424524006043903), MODEL_R(-1.1551250577733794),
        MODEL_R(-4.1398751200224737), MODEL_R(1.4699432330422733),
        MODEL_R(-0.46651637154913767), MODEL_R(-0.28449529345049768),
        MODEL_R(-1.8017815878199424), MODEL_R(1.5160383068738439),
        MODEL_R(-1.1574087954687446), MODEL_R(-3.1615311116403513),
        MODEL_R(-0.081352851232698115), MODEL_R(-2.4010201012878043),
        MODEL_R(2.4727942048793712), MODEL_R(-0.16410440076915864),
        MODEL_R(2.8617704532405099), MODEL_R(2.0434347534621273),
        MODEL_R(1.0721372082589984), MODEL_R(-0.31326236375946964),
        MODEL_R(1.0079035426293381), MODEL_R(0.75193439492919389),
        MODEL_R(0.44347391815155146), MODEL_R(-1.1009955100306896),
        MODEL_R(-3.8314980084112364), MODEL_R(1.1500077384031366)
    };
    const model_real limit = (model_real)(sizeof(model_real) == 8 ? 1e45 : 1e9);
    model_real least = 0;
    int j, z, best = 0;
    if (task < 0 || task >= MODEL_TASKS)
        return -1;
    const int k = 4;
    const model_real *u = centers + task * 20;
    for (j = 0; j < MODEL_FEATURES; j++)
        if (!(x[j] >= -limit && x[j] <= limit))
            return -1;
    for (z = 0; z < k; z++) {
        model_real sum = 0;
        for (j = 0; j < MODEL_FEATURES; j++) {
            const model_real t = x[j] - *u++;
            sum += t * t;
        }
        if (z == 0 || sum < least) {
            least = sum;
            best = z;
        }
    }
    return best;
}

#undef MODEL_R
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif /* MODEL_H */
