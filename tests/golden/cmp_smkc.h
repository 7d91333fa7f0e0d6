/* SPDX-License-Identifier: MIT
 *
 * Worked cases of S-MKC from an independent
 * implementation, every start given.
 */
#ifndef GOLDEN_CMP_SMKC_H
#define GOLDEN_CMP_SMKC_H

#include <stddef.h>

typedef struct golden_smkc {
    const char *name;
    int literal, linear;
    double lambda, sigma;
    size_t tasks, d, n[3], k[3], iterations;
    const double *X[3];
    const int *start[3];
    const double *own_loss;
    const int *boosted;
    const int *labels[3];
    const double *mbc_loss, *own_boosted, *own_plain;   /* polish */
    const double *trace;                                /* literal */
    const int *picks;
} golden_smkc;

static const double smkc_literal_linear_X0[60] = {
    -0.8809, -0.4689, -2.1823, 0.5105, 0.5778, 1.7016, 0.4885, 3.0662, -2.0192,
    2.6897, 0.5224, 0.2117, -0.5502, 1.4602, -0.9563, -0.2367, -2.4445, 0.1721,
    -3.4039, 1.3838, 1.167, 1.2505, 0.7471, -0.8897, 0.2824, 1.2563, -0.0102,
    -0.1472, -1.9631, 0.1249, -2.2515, -0.0088, -0.0737, -0.3238, 1.0904,
    2.3357, 1.5505, 2.5312, 0.2875, -0.4077, -1.4616, -2.2982, -1.4038, 1.3086,
    -0.6306, 2.3075, -2.4208, 3.7276, -1.0257, 0.9512, -1.1996, 0.6555,
    -0.4263, 2.7283, -1.2611, -0.5225, 1.7053, 3.8658, -0.6227, -1.0197,
};
static const double smkc_literal_linear_X1[56] = {
    -1.1294, -0.9442, -2.9719, 1.0805, -0.9688, 1.1879, 1.1925, 3.4195, 0.7347,
    1.8786, 1.3368, -2.4403, -0.163, 4.3715, 1.7656, -3.5567, -2.0216, 0.2548,
    -3.3281, 1.4888, -0.0171, -0.2179, -0.4633, 3.3022, -2.2478, 2.1354,
    0.0815, -1.349, -1.3391, -0.7618, -2.7545, -0.2945, -0.9147, 2.1764,
    1.1246, 2.7292, -2.2001, 0.7825, 1.368, 2.5848, -1.419, 2.1091, 1.4975,
    -0.4674, -1.3695, 2.3507, 1.571, -0.534, -2.3512, -1.2413, -1.7494, 0.8815,
    -1.203, 0.308, -2.3493, 1.275,
};
static const int smkc_literal_linear_h0[15] = {
    0, 1, 2, 0, 0, 1, 0, 0, 0, 0, 2, 0, 1, 1, 0,
};
static const int smkc_literal_linear_h1[14] = {
    0, 1, 2, 0, 2, 0, 2, 1, 1, 1, 0, 1, 1, 2,
};
static const double smkc_literal_linear_own[2] = {
    3.0603168293206355, 2.370396684607143,
};
static const int smkc_literal_linear_boosted[2] = {
    1, 0,
};
static const int smkc_literal_linear_l0[15] = {
    2, 0, 1, 1, 2, 1, 1, 2, 0, 1, 2, 0, 2, 1, 1,
};
static const int smkc_literal_linear_l1[14] = {
    2, 1, 0, 0, 2, 1, 0, 2, 1, 1, 0, 0, 2, 2,
};
static const double smkc_literal_linear_trace[8] = {
    4.309843873809523, 2.9332879094607143, 3.727087246403743,
    2.370396684607143, 3.0603168293206355, 2.370396684607143,
    3.0603168293206355, 2.370396684607143,
};
static const int smkc_literal_linear_picks[8] = {
    0, 0, 1, 0, 0, 0, 0, 0,
};
static const double smkc_polish_rbf_X0[48] = {
    2.5595, -1.3549, 0.7853, -1.4544, -0.3628, -1.9948, -0.4606, -0.4966,
    -1.7087, -3.3707, -1.6572, -2.0322, -2.6101, -1.1527, -1.9667, 1.0728,
    0.6524, -2.5104, -1.9765, -2.0676, -2.5072, -1.872, -2.0085, -1.2442,
    0.2126, 0.5418, -0.1119, 2.704, -1.5971, -0.7342, 0.9506, 0.9598, -4.03,
    2.0519, -0.254, 0.4756, -1.874, 0.1937, -3.8498, 0.8502, 0.1658, 0.1096,
    -1.8355, -2.8891, -2.0454, 0.4492, 0.4688, 1.8313,
};
static const double smkc_polish_rbf_X1[45] = {
    2.4226, -0.1307, -0.0803, -0.201, -2.1972, -4.4819, 0.2521, -1.2674,
    -1.2812, 0.0568, 0.5005, -0.7328, -1.1079, -2.8525, -2.2327, -0.0838,
    -2.1211, 0.6663, -1.5333, -5.29, -2.304, 2.7575, -1.0689, 0.7286, 0.2076,
    -1.1475, 1.0388, 0.179, -2.9125, 0.1121, -0.8737, -1.244, -2.4138, 0.8012,
    0.4142, -1.6132, 0.8686, -0.5297, 1.4992, 2.3204, -0.2135, -1.2742, 0.8775,
    -0.7242, 0.21,
};
static const int smkc_polish_rbf_h0[16] = {
    0, 1, 2, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 1,
};
static const int smkc_polish_rbf_h1[15] = {
    0, 1, 2, 1, 2, 0, 0, 1, 0, 2, 1, 2, 2, 1, 1,
};
static const double smkc_polish_rbf_own[2] = {
    0.14873780858831448, 0.16203431757990697,
};
static const int smkc_polish_rbf_boosted[2] = {
    1, 0,
};
static const int smkc_polish_rbf_l0[16] = {
    0, 2, 2, 1, 1, 2, 1, 1, 0, 0, 2, 0, 2, 0, 1, 0,
};
static const int smkc_polish_rbf_l1[15] = {
    1, 2, 1, 1, 2, 0, 2, 0, 0, 0, 2, 1, 0, 1, 0,
};
static const double smkc_polish_rbf_loss[16] = {
    0.8489721986464469, 0.5843866165137941, 0.5079003989432553,
    0.4772987954050143, 0.4498071869072927, 0.420675576513312,
    0.4022871310839042, 0.4011794654101073, 0.4010760972920775,
    0.40106581642793987, 0.40106476924982115, 0.4010646616037517,
    0.4010646504932743, 0.4010646493440389, 0.401064649225,
    0.40106464921265755,
};
static const double smkc_polish_rbf_a[2] = {
    0.14873780858831448, 0.1938268555025476,
};
static const double smkc_polish_rbf_b[2] = {
    0.14873780858831448, 0.16203431757990697,
};

static const golden_smkc golden_smkcs[] = {
    {"smkc_literal_linear", 1, 1, 0.5, 0, 2, 4, {15, 14, 0}, {3, 3, 0}, 4,
     {smkc_literal_linear_X0, smkc_literal_linear_X1, NULL},
     {smkc_literal_linear_h0, smkc_literal_linear_h1, NULL},
     smkc_literal_linear_own, smkc_literal_linear_boosted,
     {smkc_literal_linear_l0, smkc_literal_linear_l1, NULL}, NULL, NULL, NULL,
     smkc_literal_linear_trace, smkc_literal_linear_picks},
    {"smkc_polish_rbf", 0, 0, 0.5, 3.371636851738336, 2, 3, {16, 15, 0},
     {3, 3, 0}, 15, {smkc_polish_rbf_X0, smkc_polish_rbf_X1, NULL},
     {smkc_polish_rbf_h0, smkc_polish_rbf_h1, NULL}, smkc_polish_rbf_own,
     smkc_polish_rbf_boosted, {smkc_polish_rbf_l0, smkc_polish_rbf_l1, NULL},
     smkc_polish_rbf_loss, smkc_polish_rbf_a, smkc_polish_rbf_b, NULL, NULL},
};

#endif /* GOLDEN_CMP_SMKC_H */
