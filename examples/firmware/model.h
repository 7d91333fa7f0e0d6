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
#define MODEL_LIMIT 1e9f
#else
typedef double model_real;
#define MODEL_LIMIT 1e45
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
        MODEL_R(0.77230518736179155), MODEL_R(0.42452441188008316),
        MODEL_R(-1.1551246115405469), MODEL_R(-4.1398740590891183),
        MODEL_R(1.4699417822130258), MODEL_R(-3.1035286133051514),
        MODEL_R(-0.042890037400625275), MODEL_R(-2.459055796102199),
        MODEL_R(2.2200749885755884), MODEL_R(0.12677650835710438),
        MODEL_R(-0.36778533672192637), MODEL_R(-0.34049747558858839),
        MODEL_R(-1.8181491691300147), MODEL_R(1.1708878182829614),
        MODEL_R(-0.89073585188926274), MODEL_R(2.7319421108986681),
        MODEL_R(1.8671369588310376), MODEL_R(0.92084280019565301),
        MODEL_R(-0.50479321926417131), MODEL_R(1.3250558794123619),
        MODEL_R(0.75193501816489583), MODEL_R(0.44347412106964162),
        MODEL_R(-1.1009952869142734), MODEL_R(-3.8314974779445592),
        MODEL_R(1.1500070129885129), MODEL_R(-3.1117898502428614),
        MODEL_R(-0.078190440023377536), MODEL_R(-2.3943224251645185),
        MODEL_R(2.431904689699802), MODEL_R(-0.22114063290331518),
        MODEL_R(-0.37008102344683669), MODEL_R(-0.30244367592822308),
        MODEL_R(-1.7730533097572996), MODEL_R(1.5051926689598758),
        MODEL_R(-1.1500009608798243), MODEL_R(2.861770555249334),
        MODEL_R(2.0434354052755186), MODEL_R(1.0721381288978264),
        MODEL_R(-0.31326117551248567), MODEL_R(1.0079038975461809)
    };
    const model_real limit = MODEL_LIMIT;
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
#undef MODEL_LIMIT
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

#endif /* MODEL_H */
