/* SPDX-License-Identifier: MIT
 *
 * Worked cases of S-MBC from an independent
 * implementation, every start given.
 */
#ifndef GOLDEN_CMP_SMBC_H
#define GOLDEN_CMP_SMBC_H

#include <stddef.h>

typedef struct golden_smbc {
    const char *name;
    int literal;
    double lambda;
    size_t tasks, d, n[3], k[3], iterations;
    const double *X[3];
    const int *start[3];
    const double *own_loss;
    const int *boosted;
    const int *labels[3];
    const double *mbc_loss, *own_boosted, *own_plain;   /* polish */
    const double *trace;                                /* literal */
    const int *picks;
} golden_smbc;

static const double smbc_literal_T1_X0[45] = {
    1.2567, -0.9185, 1.7094, -0.9121, 1.4103, -8.9118, -0.1998, 1.3441,
    -2.7192, -1.2069, 2.2235, -5.3602, -2.9254, 0.753, -4.1724, 1.3226, 0.2697,
    0.717, 2.3021, -1.1915, 1.4142, -2.845, 2.8371, -7.3722, -0.5457, 1.5071,
    -7.6905, -0.0241, 1.8879, -9.1532, -1.2259, 1.6205, -9.2484, -2.3913,
    3.2764, -5.7691, 0.3854, -0.2404, -1.9176, -0.9131, -0.1386, -2.4874,
    -0.3358, 1.3882, -2.4563,
};
static const int smbc_literal_T1_h0[15] = {
    0, 1, 2, 0, 1, 2, 2, 0, 2, 1, 1, 0, 2, 2, 1,
};
static const double smbc_literal_T1_own[1] = {
    3.528476699707936,
};
static const int smbc_literal_T1_boosted[1] = {
    0,
};
static const int smbc_literal_T1_l0[15] = {
    2, 1, 2, 0, 0, 2, 2, 1, 1, 1, 1, 0, 2, 2, 2,
};
static const double smbc_literal_T1_trace[2] = {
    3.528476699707936, 3.528476699707936,
};
static const int smbc_literal_T1_picks[2] = {
    0, 0,
};
static const double smbc_literal_T2_X0[54] = {
    0.5104, 4.965, 0.0583, -3.6273, -2.8296, -1.4478, 0.7505, -4.1619, 0.8937,
    3.1254, -0.7953, 2.0127, 0.6337, 4.3054, 2.1031, 5.3115, 1.228, 3.0438,
    3.6062, -1.0167, 1.9053, -1.3601, 0.9219, -3.5868, 1.4272, -4.0243, 2.0343,
    4.7586, -1.2319, 1.884, 0.0145, -3.1432, -0.6625, 0.0095, -3.2714, 1.1265,
    -1.307, -1.0609, 0.4136, 1.9124, -3.0205, 1.0047, -3.1994, -2.1253,
    -3.6193, 4.0366, 3.2503, -0.1437, -0.0126, -0.7123, -2.0028, 1.8943,
    -0.9717, 3.9974,
};
static const double smbc_literal_T2_X1[60] = {
    -1.2701, 4.3392, 1.6969, -2.2923, -2.656, -3.2716, -0.7976, -3.7977, 0.094,
    5.3151, 1.8185, 1.6193, -2.451, 0.299, -3.5725, 2.5176, -0.2555, 1.7334,
    0.4228, 2.6498, -0.968, 2.3965, 4.0604, 0.7104, 3.3259, 0.1054, 1.9733,
    3.8306, 0.3334, 0.8151, 0.8209, -3.3023, 1.1747, -2.1724, 0.4487, -2.3563,
    -2.5783, 0.3699, -3.008, 4.7391, -1.264, 3.9841, -1.7498, -1.4194, -1.9298,
    3.5743, 0.8389, 3.6318, 0.9322, -1.8227, 0.1973, 5.045, -1.2058, 3.0446,
    -3.1652, -0.8916, -0.8593, -2.2234, 0.0206, -2.2783,
};
static const int smbc_literal_T2_h0[18] = {
    0, 1, 2, 3, 2, 0, 0, 3, 2, 1, 2, 2, 2, 2, 3, 2, 3, 3,
};
static const int smbc_literal_T2_h1[20] = {
    0, 1, 2, 3, 2, 2, 2, 2, 0, 0, 2, 3, 2, 3, 1, 2, 0, 3, 1, 1,
};
static const double smbc_literal_T2_own[2] = {
    3.5909883489814822, 2.6375499276190473,
};
static const int smbc_literal_T2_boosted[2] = {
    1, 0,
};
static const int smbc_literal_T2_l0[18] = {
    0, 3, 1, 2, 0, 2, 2, 3, 1, 2, 1, 1, 1, 1, 3, 0, 3, 2,
};
static const int smbc_literal_T2_l1[20] = {
    0, 1, 2, 3, 1, 3, 0, 0, 3, 3, 2, 1, 1, 3, 1, 3, 2, 3, 1, 1,
};
static const double smbc_literal_T2_trace[8] = {
    5.986640191099774, 3.6002894649817705, 4.377736876342565,
    2.6375499276190473, 3.5909883489814822, 2.6375499276190473,
    3.5909883489814822, 2.6375499276190473,
};
static const int smbc_literal_T2_picks[8] = {
    0, 0, 1, 0, 0, 0, 0, 0,
};
static const double smbc_polish_T3_X0[48] = {
    0.2912, 0.6375, 3.1374, -0.8428, 5.2766, 1.7392, -1.2811, 1.4749, 1.797,
    2.0784, 0.0375, 0.4464, 1.1189, -0.4921, -0.2667, 0.2428, 4.1233, 0.98,
    3.2374, 1.3853, 0.3163, 0.1724, 0.5233, 3.2641, -0.6999, -0.7417, 3.2172,
    -3.2606, 1.7541, 2.2086, -1.1307, 1.6515, 1.2143, 0.6483, 3.0477, -0.0649,
    0.026, 1.8126, 3.3465, -0.3958, 0.3342, 1.0224, 2.4216, 3.9426, 3.2584,
    0.7834, 2.0181, 0.7395,
};
static const double smbc_polish_T3_X1[60] = {
    -0.3241, -1.1141, 0.2189, -1.6062, 3.3173, 1.9692, -0.3624, 3.2406, 4.9871,
    1.8604, 1.4266, 0.4854, -0.06, -0.1726, -0.9956, 1.4715, 1.6977, 0.9329,
    -2.1955, 3.9596, -0.3984, -3.1984, 1.9985, 3.2708, -2.0961, -1.0059,
    0.9174, -0.7156, 2.5709, 1.1753, 1.62, 3.8517, 2.5783, 0.9414, 1.9285,
    0.6421, 0.0285, 1.755, 1.2529, -2.6983, 3.8399, -0.4405, -0.584, -0.1423,
    -0.9169, -3.6133, 2.0129, 0.965, 0.597, -0.1459, 2.023, 1.8792, 3.6441,
    0.2538, 0.1364, -1.261, 0.3202, -0.7521, 1.9253, 3.027,
};
static const double smbc_polish_T3_X2[42] = {
    0.8382, -0.4729, 3.48, -3.3667, 0.7141, 2.268, 0.5225, 2.9684, 1.9838,
    -0.1087, 0.9428, 0.2582, -4.2865, -0.0105, 1.7838, 0.8564, 0.9256, 3.2492,
    2.4117, -1.6649, 2.9299, -3.9911, 1.8023, 1.9058, -4.3728, 1.8663, 2.8064,
    3.1443, 1.1266, 2.2894, 1.4811, -0.6149, 2.3894, 1.069, -0.5038, 3.9591,
    2.3726, -1.6229, 4.9922, 1.1016, 1.8771, 2.7816,
};
static const int smbc_polish_T3_h0[16] = {
    0, 1, 2, 3, 3, 3, 1, 1, 0, 2, 3, 2, 2, 3, 1, 1,
};
static const int smbc_polish_T3_h1[20] = {
    0, 1, 2, 0, 0, 2, 2, 2, 0, 1, 2, 2, 1, 1, 2, 1, 2, 2, 2, 2,
};
static const int smbc_polish_T3_h2[14] = {
    0, 1, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1,
};
static const double smbc_polish_T3_own[3] = {
    2.5926452647083336, 3.214035438933333, 3.406603128821429,
};
static const int smbc_polish_T3_boosted[3] = {
    1, 0, 1,
};
static const int smbc_polish_T3_l0[16] = {
    0, 2, 2, 3, 3, 1, 1, 0, 0, 2, 2, 1, 0, 3, 1, 1,
};
static const int smbc_polish_T3_l1[20] = {
    0, 1, 2, 2, 0, 2, 1, 1, 0, 2, 2, 2, 2, 1, 0, 1, 0, 2, 0, 2,
};
static const int smbc_polish_T3_l2[14] = {
    1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1,
};
static const double smbc_polish_T3_loss[11] = {
    25.912274649316004, 15.78510453257626, 14.913959966362148,
    14.883022734708433, 14.881351065546045, 14.881231628167711,
    14.881222584611502, 14.881221873354566, 14.881221816700272,
    14.881221812161948, 14.881221811797696,
};
static const double smbc_polish_T3_a[3] = {
    2.5926452647083336, 3.3218396101904757, 3.406603128821429,
};
static const double smbc_polish_T3_b[3] = {
    2.5926452647083336, 3.214035438933333, 3.406603128821429,
};
static const double smbc_polish_lam0_X0[42] = {
    -0.4724, -0.9605, -1.1294, -2.7949, 1.6089, -0.78, -0.5758, 0.8083,
    -0.2835, 1.1972, -0.8853, 1.7257, 0.2934, -1.5883, -3.151, -1.1868,
    -1.1795, -0.7458, -0.9173, -3.4142, -1.3106, -1.8606, 0.348, 0.549,
    -2.7292, 1.1664, -0.4721, -1.2941, -1.5852, -1.0405, -0.8654, -2.3347,
    0.294, -1.8328, -1.3499, 0.1899, -1.3013, -0.6985, -1.3819, -0.9069,
    0.5841, 1.12,
};
static const double smbc_polish_lam0_X1[39] = {
    -0.2976, -0.8996, -1.9415, -2.1268, 0.3045, -3.0324, -0.4235, -1.2666,
    -0.7041, 0.7325, -0.9834, -1.1894, -1.8849, 0.2947, -0.1516, -0.0776,
    -1.2689, -2.9204, -0.5471, 0.9723, -1.8642, -1.421, 0.999, 0.3183, -0.8278,
    -1.1381, 0.4552, -2.5065, 0.2377, 0.8991, 1.2841, 0.737, -0.0927, 0.0995,
    -1.279, 2.2518, -0.0804, 0.2229, -0.2359,
};
static const int smbc_polish_lam0_h0[14] = {
    0, 1, 2, 2, 2, 2, 2, 2, 0, 0, 2, 2, 2, 2,
};
static const int smbc_polish_lam0_h1[13] = {
    0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0,
};
static const double smbc_polish_lam0_own[2] = {
    1.9907221759285714, 2.5611241389230766,
};
static const int smbc_polish_lam0_boosted[2] = {
    1, 1,
};
static const int smbc_polish_lam0_l0[14] = {
    0, 1, 1, 2, 0, 2, 2, 1, 1, 2, 2, 2, 0, 1,
};
static const int smbc_polish_lam0_l1[13] = {
    0, 0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0,
};
static const double smbc_polish_lam0_loss[6] = {
    6.76077605535348, 5.258866864458791, 4.949563417145867, 4.744070576065934,
    4.551846314851648, 4.551846314851648,
};
static const double smbc_polish_lam0_a[2] = {
    1.9907221759285714, 2.5611241389230766,
};
static const double smbc_polish_lam0_b[2] = {
    1.9907221759285714, 2.5611241389230766,
};

static const golden_smbc golden_smbcs[] = {
    {"smbc_literal_T1", 1, 0.5, 1, 3, {15, 0, 0}, {3, 0, 0}, 2,
     {smbc_literal_T1_X0, NULL, NULL}, {smbc_literal_T1_h0, NULL, NULL},
     smbc_literal_T1_own, smbc_literal_T1_boosted,
     {smbc_literal_T1_l0, NULL, NULL}, NULL, NULL, NULL, smbc_literal_T1_trace,
     smbc_literal_T1_picks},
    {"smbc_literal_T2", 1, 0.5, 2, 3, {18, 20, 0}, {4, 4, 0}, 4,
     {smbc_literal_T2_X0, smbc_literal_T2_X1, NULL},
     {smbc_literal_T2_h0, smbc_literal_T2_h1, NULL}, smbc_literal_T2_own,
     smbc_literal_T2_boosted, {smbc_literal_T2_l0, smbc_literal_T2_l1, NULL},
     NULL, NULL, NULL, smbc_literal_T2_trace, smbc_literal_T2_picks},
    {"smbc_polish_T3", 0, 0.5, 3, 3, {16, 20, 14}, {4, 3, 2}, 10,
     {smbc_polish_T3_X0, smbc_polish_T3_X1, smbc_polish_T3_X2},
     {smbc_polish_T3_h0, smbc_polish_T3_h1, smbc_polish_T3_h2},
     smbc_polish_T3_own, smbc_polish_T3_boosted,
     {smbc_polish_T3_l0, smbc_polish_T3_l1, smbc_polish_T3_l2},
     smbc_polish_T3_loss, smbc_polish_T3_a, smbc_polish_T3_b, NULL, NULL},
    {"smbc_polish_lam0", 0, 0.0, 2, 3, {14, 13, 0}, {3, 2, 0}, 5,
     {smbc_polish_lam0_X0, smbc_polish_lam0_X1, NULL},
     {smbc_polish_lam0_h0, smbc_polish_lam0_h1, NULL}, smbc_polish_lam0_own,
     smbc_polish_lam0_boosted,
     {smbc_polish_lam0_l0, smbc_polish_lam0_l1, NULL}, smbc_polish_lam0_loss,
     smbc_polish_lam0_a, smbc_polish_lam0_b, NULL, NULL},
};

#endif /* GOLDEN_CMP_SMBC_H */
