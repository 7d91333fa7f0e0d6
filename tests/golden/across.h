/* SPDX-License-Identifier: MIT
 *
 * across: worked cases, computed by an independent program.
 */
#ifndef GOLDEN_ACROSS_H
#define GOLDEN_ACROSS_H

#include <stddef.h>

typedef struct across_case {
    const char *name;
    size_t tasks, d, groups;
    const size_t *n, *clusters;     /* [tasks] rows, and numbers of clusters */
    const double *x;                /* [sum n * d] */
    const int *labels;              /* [sum n] */
    const double *zero;             /* [d] or NULL */
    const int *group;               /* [sum clusters] */
    const double *sure;             /* [groups] */
    const int *perhaps;             /* [groups] */
    const int *anchored;            /* [tasks] */
    const double *same;             /* [sum clusters squared] log odds; 0:
                                       of one task, or no rows */
    const double *scale, *offset, *odd;     /* [tasks*d] */
    const int *kind;
    const double *gain;             /* [tasks] */
} across_case;

/* equal: all rows the same, one cluster a task */

static const size_t across_equal_n[] = {
    4, 3
};
static const size_t across_equal_k[] = {
    1, 1
};
static const double across_equal_x[] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
};
static const int across_equal_labels[] = {
    0, 0, 0, 0, 0, 0, 0
};
static const int across_equal_group[] = {
    0, 0
};
static const double across_equal_sure[] = {
    0.9933071490757153
};
static const int across_equal_perhaps[] = {
    -1
};
static const int across_equal_anchored[] = {
    1, 1
};
static const double across_equal_same[] = {
    0, 5, 5, 0
};
static const double across_equal_scale[] = {
    1, 1, 1, 1
};
static const double across_equal_offset[] = {
    0, 0, 0, 0
};
static const double across_equal_odd[] = {
    1, 1, 1, 1
};
static const int across_equal_kind[] = {
    0, 0, 0, 0
};
static const double across_equal_gain[] = {
    0, 0
};

/* missing:
 * the second task lacks a group; columns on scales of their own; clusters
 * counted in another order; one cluster number is empty */

static const size_t across_missing_n[] = {
    24, 21
};
static const size_t across_missing_k[] = {
    4, 4
};
static const double across_missing_x[] = {
    73.6241, 23.9952, 7.3695, 21.3803, 1.475, 11.3163, 41.2576, 79.5547,
    4.3223, 30.6501, 112.4831, 0.7636, 18.7737, 14.4373, 12.0545, 32.8371,
    118.9814, 0.7842, 19.6439, 13.015, 12.6127, 15.4338, 13.2488, 11.4903,
    45.8506, 82.7688, 2.8498, 49.8252, 73.9401, 5.0312, 18.4245, 12.2656,
    12.3911, 33.5741, 105.0361, 2.6713, 72.6333, 34.7636, 7.8604, 51.0843,
    78.6264, 4.1236, 31.3313, 108.6925, -0.1792, 70.0763, 35.7114, 6.376,
    67.7156, 34.4917, 7.8325, 20.1949, 13.109, 11.8679, 47.5682, 78.9536,
    5.4641, 67.2488, 28.0844, 8.7192, 68.5203, 18.4309, 8.7522, 42.5288,
    71.8159, 4.026, 34.9507, 110.1512, 1.6408, 31.6274, 109.3848, 1.1887,
    23.291, 8.1412, 11.3972, 17.605, 9.4976, 13.2795, 23.804, 13.7521,
    14.7806, 72.0716, 36.8623, 7.0419, 73.4903, 21.5437, 6.2194, 45.6735,
    84.6428, 4.9478, 27.4129, 14.8391, 10.2305, 47.836, 76.1578, 2.5932,
    39.1841, 78.0191, 1.91, 69.1028, 25.1025, 8.8768, 22.6177, 6.8554,
    10.3775, 72.0054, 30.7982, 6.8901, 40.3654, 83.0449, 5.1357, 42.8488,
    79.68, 1.7595, 22.1123, 13.4547, 12.7691, 40.7812, 81.7775, 3.3746,
    70.4489, 19.408, 6.9991, 42.6294, 66.6949, 4.7221, 68.8033, 30.5983,
    9.2095, 20.4669, 10.0782, 11.8591, 67.6888, 32.1967, 8.4576
};
static const int across_missing_labels[] = {
    2, 0, 1, 3, 0, 3, 0, 0, 1, 1, 0, 3, 2, 1, 3, 2, 2, 0, 1, 2, 2, 1, 3, 3,
    0, 0, 0, 3, 3, 1, 0, 1, 1, 3, 0, 3, 1, 1, 0, 1, 3, 1, 3, 0, 3
};
static const int across_missing_group[] = {
    0, 1, 2, 3, 0, 1, -1, 2
};
static const double across_missing_sure[] = {
    0.9933071490757153, 0.9933071490757153, 0.9933071490757153,
    0.9933071490757153
};
static const int across_missing_perhaps[] = {
    -1, -1, -1, -1
};
static const int across_missing_anchored[] = {
    1, 1
};
static const double across_missing_same[] = {
    0, 0, 0, 0, 5, -5, 0, -5, 0, 0, 0, 0, -5, 5, 0, -5, 0, 0, 0, 0, -5, -5,
    0, 5, 0, 0, 0, 0, -5, -5, 0, -5, 5, -5, -5, -5, 0, 0, 0, 0, -5, 5, -5,
    -5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -5, -5, 5, -5, 0, 0, 0, 0
};
static const double across_missing_scale[] = {
    1, 1, 1, 1, 1, 1
};
static const double across_missing_offset[] = {
    0, 0, 0, 0, 0, 0
};
static const double across_missing_odd[] = {
    1, 1, 1, 1, 1, 1
};
static const int across_missing_kind[] = {
    0, 0, 0, 0, 0, 0
};
static const double across_missing_gain[] = {
    0, 0
};

/* moved: all columns of the second task are moved */

static const size_t across_moved_n[] = {
    24, 24
};
static const size_t across_moved_k[] = {
    4, 4
};
static const double across_moved_x[] = {
    10.8315, 19.1245, 3.49, 15.5866, 5.079, 6.4099, 4.7713, 0.8021, 9.6784,
    10.2663, 14.6373, 2.5465, 11.625, 13.5036, 2.0706, 19.6334, 2.8219,
    6.2086, 4.6866, 1.7404, 10.3548, 5.0422, 1.8424, 9.8042, 12.0584,
    13.0957, 2.9936, 17.93, 3.2196, 7.7849, 5.2486, 0.6103, 8.554, 10.3703,
    16.6165, 2.1254, 5.2465, 1.8732, 10.7368, 8.7985, 17.5336, 1.5079,
    12.117, 13.5376, 3.4427, 5.8137, 3.2094, 10.9991, 9.757, 19.0601,
    2.9004, 17.3764, 5.7384, 6.6122, 16.5693, 7.4767, 5.6188, 11.715,
    12.5295, 4.5856, 9.7702, 18.4296, 0.6986, 11.3469, 14.7984, 3.6112,
    19.5632, 3.7396, 6.9496, 9.8982, 17.2785, 1.3482, 12.2777, 14.1704,
    5.1051, 12.7533, 12.3558, 5.3873, 12.1486, 13.4967, 5.9179, 22.4442,
    0.2217, 11.4901, 10.6726, 12.4086, 5.6273, 10.5652, -4.4371, 16.0116,
    16.3113, 6.6109, 9.0945, 22.8776, -1.5491, 12.2159, 13.6525, 13.311,
    7.3869, 17.4536, 7.93, 8.2887, 8.0427, -4.3567, 14.6772, 8.5821,
    -4.4091, 16.2351, 21.2946, -1.4452, 11.6927, 22.9077, -1.1286, 12.9641,
    14.5396, 6.6886, 8.0907, 15.6684, 7.0672, 8.0921, 13.6046, 8.1771,
    8.896, 15.4575, 7.4828, 8.9359, 9.4663, -4.9135, 16.2185, 22.2194,
    0.1824, 11.7643, 9.2549, -5.417, 15.7445, 12.3144, 11.73, 7.4985,
    9.8336, -3.7013, 15.9158, 21.0851, -2.025, 11.4998
};
static const int across_moved_labels[] = {
    3, 2, 0, 1, 1, 2, 0, 0, 1, 2, 0, 3, 0, 3, 1, 0, 3, 2, 2, 1, 3, 1, 2, 3,
    0, 0, 0, 1, 0, 2, 3, 1, 0, 3, 2, 2, 1, 1, 3, 3, 3, 3, 2, 1, 2, 0, 2, 1
};
static const int across_moved_group[] = {
    0, 1, 2, 3, 3, 2, 0, 1
};
static const double across_moved_sure[] = {
    0.9933071490757153, 0.9933071490757153, 0.9933071490757153,
    0.9714218412149987
};
static const int across_moved_perhaps[] = {
    -1, -1, -1, -1
};
static const int across_moved_anchored[] = {
    1, 1
};
static const double across_moved_same[] = {
    0, 0, 0, 0, -5, -5, 5, -5, 0, 0, 0, 0, -5, -5, -5, 5, 0, 0, 0, 0, -5,
    5, -5, -5, 0, 0, 0, 0, 3.526118066695392, -5, -5, -5, -5, -5, -5,
    3.526118066695392, 0, 0, 0, 0, -5, -5, 5, -5, 0, 0, 0, 0, 5, -5, -5,
    -5, 0, 0, 0, 0, -5, 5, -5, -5, 0, 0, 0, 0
};
static const double across_moved_scale[] = {
    1, 1, 1, 1, 1, 1
};
static const double across_moved_offset[] = {
    0, 0, 0, -3.725225000000002, 5.826970833333333, -5.154937499999999
};
static const double across_moved_odd[] = {
    1, 1, 1, 1, 1, 1
};
static const int across_moved_kind[] = {
    0, 0, 0, 2, 2, 2
};
static const double across_moved_gain[] = {
    0, 9.183831746290538
};

/* nothing: no group in common */

static const size_t across_nothing_n[] = {
    18, 18
};
static const size_t across_nothing_k[] = {
    3, 3
};
static const double across_nothing_x[] = {
    9.6786, 0.4481, 1.4699, -1.2929, -0.5148, -0.8934, 2.4874, 7.9347,
    3.9634, 2.1042, 11.6952, 4.6507, 8.4295, 0.9877, 1.0275, -1.1085,
    0.3964, 0.4062, 0.4362, 0.51, 0.0247, 0.9337, 9.2651, 3.3577, 1.7738,
    8.21, 4.9608, 1.7765, 7.6491, 2.8883, 9.3653, 1.3751, 1.6768, -0.1514,
    -0.8143, -1.4089, 0.4454, 1.0629, 1.8499, 8.412, 1.993, 3.2569, 0.2686,
    -0.1631, 1.599, 9.1916, 0.8088, 1.1587, 2.1709, 10.6189, 3.7112,
    9.6044, 1.667, 2.6265, 11.5268, 10.3652, 2.74, 4.6823, 4.8241, -8.4587,
    6.3308, 4.5415, -9.5923, 9.6141, 12.5544, 2.6133, 3.9585, 1.3284,
    11.9208, 12.1856, 11.4432, 3.4027, 6.7187, 6.0924, -7.672, 3.9669,
    4.1145, -7.2504, 3.245, 1.9918, 13.1077, 5.9675, 5.8709, -9.4577,
    5.9291, 5.1913, -7.9804, 2.3441, 3.5525, 11.9205, 2.9511, 1.8711,
    10.0092, 2.2526, 1.459, 9.9612, 2.138, 3.0568, 10.0134, 9.6954,
    11.6256, 3.9538, 11.0215, 11.4728, 2.7688, 11.2725, 10.8962, 3.9365
};
static const int across_nothing_labels[] = {
    1, 0, 2, 2, 1, 0, 0, 2, 2, 2, 1, 0, 0, 1, 0, 1, 2, 1, 1, 2, 2, 1, 0, 1,
    2, 2, 0, 2, 2, 0, 0, 0, 0, 1, 1, 1
};
static const int across_nothing_group[] = {
    0, 1, 2, 3, 4, 5
};
static const double across_nothing_sure[] = {
    0.8, 0.8, 0.8, 0.8, 0.8, 0.8
};
static const int across_nothing_perhaps[] = {
    -1, -1, -1, -1, -1, -1
};
static const int across_nothing_anchored[] = {
    0, 0
};
static const double across_nothing_same[] = {
    0, 0, 0, -5, -5, -5, 0, 0, 0, -5, -5, -5, 0, 0, 0, -5, -5, -5, -5, -5,
    -5, 0, 0, 0, -5, -5, -5, 0, 0, 0, -5, -5, -5, 0, 0, 0
};
static const double across_nothing_scale[] = {
    1, 1, 1, 1, 1, 1
};
static const double across_nothing_offset[] = {
    0, 0, 0, 0, 0, 0
};
static const double across_nothing_odd[] = {
    1, 1, 1, 1, 1, 1
};
static const int across_nothing_kind[] = {
    0, 0, 0, 0, 0, 0
};
static const double across_nothing_gain[] = {
    0, 0
};

/* sparse: sparse rows (at least 90 % zeros): directions, no maps */

static const size_t across_sparse_n[] = {
    15, 10
};
static const size_t across_sparse_k[] = {
    3, 2
};
static const double across_sparse_x[] = {
    1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 1, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 2, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 2, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0,
    0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 1, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1,
    0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 3, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 3, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0,
    2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 0, 2, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
    0, 0, 3, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 1, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    2, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 3, 0, 0, 3, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 3, 0, 0, 3, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0,
    0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, 0, 0, 1, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 3
};
static const int across_sparse_labels[] = {
    0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 1, 1, 1, 1,
    1
};
static const int across_sparse_group[] = {
    0, 1, 2, 2, 3
};
static const double across_sparse_sure[] = {
    0.8888888888888888, 0.8888888888888888, 0.6599146508044045,
    0.8888888888888888
};
static const int across_sparse_perhaps[] = {
    3, 3, -1, 0
};
static const int across_sparse_anchored[] = {
    1, 1
};
static const double across_sparse_same[] = {
    0, 0, 0, -5, -2.079441541679836, 0, 0, 0, -5, -2.079441541679836, 0, 0,
    0, 0.6629138965412293, -5, -5, -5, 0.6629138965412293, 0, 0,
    -2.079441541679836, -2.079441541679836, -5, 0, 0
};
static const double across_sparse_scale[] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1
};
static const double across_sparse_offset[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0
};
static const double across_sparse_odd[] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1
};
static const int across_sparse_kind[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0
};
static const double across_sparse_gain[] = {
    0, 0
};

/* three:
 * three tasks, one with a single group, one with a cluster of one row */

static const size_t across_three_n[] = {
    18, 8, 13
};
static const size_t across_three_k[] = {
    3, 1, 3
};
static const double across_three_x[] = {
    11.1816, 14.0696, 2.6757, 18.177, 5.9233, 5.1859, 5.4484, 1.061,
    8.8249, 16.7873, 2.9331, 7.8656, 10.7683, 14.1501, 3.819, 5.4767,
    2.4201, 9.9117, 10.4865, 14.1212, 4.7768, 12.0012, 13.4121, 4.3286,
    17.6599, 6.0146, 6.2184, 3.0219, 1.9256, 10.1232, 6.0028, 2.7794,
    10.3208, 3.9967, 1.6384, 10.5857, 17.1717, 3.4334, 6.7241, 11.7775,
    12.0483, 4.1721, 17.1195, 4.1505, 6.2672, 12.0935, 13.4598, 2.7497,
    18.0967, 5.6993, 7.0861, 3.3129, 0.2695, 9.0423, 16.2942, 5.2822,
    9.1883, 17.1586, 3.9824, 6.9179, 17.858, 5.6408, 5.9756, 18.1811,
    3.7718, 6.2358, 17.1871, 6.0456, 7.1937, 17.5389, 4.8191, 5.4694,
    17.5298, 2.6447, 5.2186, 16.598, 5.2839, 7.0069, 17.9893, 5.6451,
    6.6779, 16.606, 5.2775, 4.9043, 12.3739, 13.5529, 2.391, 17.415,
    4.5606, 6.7011, 10.5056, 11.4748, 2.8086, 12.7074, 13.6895, 2.6523,
    11.2025, 12.9177, 2.473, 10.746, 12.906, 5.3284, 15.8036, 4.6998,
    5.0033, 17.9884, 5.013, 5.9309, 17.6568, 5.0795, 3.1555, 10.3613,
    13.5743, 3.12, 9.1, 17.5, 1.6
};
static const int across_three_labels[] = {
    1, 2, 0, 2, 1, 0, 1, 1, 2, 0, 0, 0, 2, 1, 2, 1, 2, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 2
};
static const int across_three_group[] = {
    0, 1, 2, 2, 1, 2, 3
};
static const double across_three_sure[] = {
    0.9933071490757153, 0.9933071490757153, 0.9933071490757153,
    0.9933071490757153
};
static const int across_three_perhaps[] = {
    -1, -1, -1, -1
};
static const int across_three_anchored[] = {
    1, 1, 1
};
static const double across_three_same[] = {
    0, 0, 0, -5, -5, -5, -5, 0, 0, 0, -5, 5, -5, -5, 0, 0, 0, 5, -5, 5, -5,
    -5, -5, 5, 0, -5, 5, -5, -5, 5, -5, -5, 0, 0, 0, -5, -5, 5, 5, 0, 0, 0,
    -5, -5, -5, -5, 0, 0, 0
};
static const double across_three_scale[] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1
};
static const double across_three_offset[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0
};
static const double across_three_odd[] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1
};
static const int across_three_kind[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0
};
static const double across_three_gain[] = {
    0, 0, 0
};

/* units: spend of the third task in other units; the second lacks a group */

static const size_t across_units_n[] = {
    32, 24, 32
};
static const size_t across_units_k[] = {
    4, 3, 4
};
static const double across_units_x[] = {
    67.2394, 28.6995, 9.6996, 35.3141, 112.3285, 3.2794, 67.7299, 24.1983,
    8.8011, 21.382, 3.4279, 12.6769, 42.9, 74.0894, 3.3355, 35.1789,
    106.4721, 0.8635, 74.982, 31.0526, 10.8363, 29.6616, 122.0521, 0.4257,
    71.9383, 20.2984, 7.4962, 19.3335, 20.8422, 11.088, 24.4645, 0.3231,
    10.0934, 33.6073, 117.8439, 2.2092, 22.0055, 4.2029, 10.507, 50.3873,
    84.2039, 4.4929, 73.4128, 18.9913, 8.2047, 46.0218, 85.5799, 2.5241,
    21.1835, 12.0187, 9.6639, 28.9473, 106.4413, -0.3329, 69.1975, 28.9781,
    7.7047, 72.1068, 14.7506, 7.4882, 12.8188, 14.018, 12.2598, 16.6345,
    18.436, 13.1093, 33.401, 124.1539, 2.8634, 74.0745, 36.7137, 7.0085,
    45.181, 82.1304, 3.6789, 33.0318, 107.8844, 3.0453, 46.1152, 88.5466,
    3.5256, 43.8835, 107.1451, 2.7059, 47.5636, 88.915, 4.3233, 15.6268,
    14.6685, 11.5421, 46.2284, 72.4918, 4.6443, 46.3028, 83.3289, 5.7038,
    35.5871, 102.7435, 1.8156, 45.085, 72.8212, 3.4609, 17.3527, 10.9334,
    10.9337, 42.2179, 109.126, -1.0085, 45.3271, 82.276, 3.7266, 20.0724,
    -3.8384, 12.3952, 20.7794, 7.1076, 10.8746, 18.1309, 15.6528, 10.7664,
    43.5009, 91.7257, 4.5071, 42.1934, 113.7815, 2.4934, 49.1678, 77.559,
    2.3254, 46.7069, 86.3328, 3.9753, 34.4588, 113.6243, 2.5315, 44.6412,
    114.149, 3.1957, 34.9848, 101.3025, 0.237, 27.8141, 5.3819, 10.5921,
    38.8071, 80.9717, 4.2262, 24.5743, 7.8951, 14.8161, 41.176, 67.0515,
    2.4961, 14.1415, 17.1511, 11.6075, 44.7418, 70.0247, 3.1488, 36.3802,
    112.5446, 0.4008, 26.1237, 5.6818, 10.3602, 34.4966, 107.8386, 2.7401,
    72.0572, 1382.8735, 9.084, 45.3191, 2542.3638, 3.7819, 39.9818,
    3313.7899, 0.8736, 17.5773, 135.159, 11.7909, 17.3923, 294.2181,
    13.4681, 31.5432, 3272.6953, -0.1926, 17.4062, 65.2591, 10.9606,
    42.9782, 2566.8186, 6.2175, 47.4398, 2465.1937, 2.4964, 60.3829,
    804.9536, 7.9823, 21.073, 295.5218, 12.0035, 67.2622, 1316.3249,
    8.9249, 16.6392, 649.5783, 12.3396, 74.4086, 982.176, 9.8779, 35.6569,
    3245.2746, 4.2505, 14.7988, 203.6099, 12.0355, 47.5295, 2267.5989,
    3.2225, 26.4395, 3333.288, 0.7741, 38.2274, 3520.299, 2.8585, 69.1673,
    1046.164, 9.4751, 45.2394, 2765.6266, 7.8968, 45.438, 2609.4056, 4.183,
    51.5426, 2114.8712, 4.1397, 65.4625, 1099.7582, 8.6121, 77.0422,
    1074.7885, 7.3322, 51.7045, 2561.7498, 3.0908, 19.6043, 314.6257,
    11.2509, 32.1609, 3567.7201, 3.3288, 19.9444, 450.1679, 13.3276,
    73.8135, 932.6703, 7.226, 36.768, 3318.7034, 2.1726, 31.1855,
    3204.5274, 4.882
};
static const int across_units_labels[] = {
    2, 3, 2, 0, 1, 3, 2, 3, 2, 0, 0, 3, 0, 1, 2, 1, 0, 3, 2, 2, 0, 0, 3, 2,
    1, 3, 1, 3, 1, 0, 1, 1, 0, 1, 2, 0, 1, 2, 2, 2, 1, 0, 1, 1, 0, 0, 0, 2,
    1, 2, 1, 2, 1, 0, 2, 0, 3, 0, 2, 1, 1, 2, 1, 0, 0, 3, 1, 3, 1, 3, 2, 1,
    0, 2, 2, 3, 0, 0, 0, 3, 3, 0, 1, 2, 1, 3, 2, 2
};
static const double across_units_zero[] = {
    0, 0, 0
};
static const int across_units_group[] = {
    0, 1, 2, 3, 3, 1, 0, 1, 0, 3, 2
};
static const double across_units_sure[] = {
    0.9933071490757153, 0.9933071490757153, 0.9933071490757153,
    0.9933071490757153
};
static const int across_units_perhaps[] = {
    -1, -1, -1, -1
};
static const int across_units_anchored[] = {
    1, 1, 1
};
static const double across_units_same[] = {
    0, 0, 0, 0, -5, -5, 5, -5, 5, -5, -5, 0, 0, 0, 0, -5, 5, -5, 5, -5, -5,
    -5, 0, 0, 0, 0, -5, -5, -5, -5, -5, -5, 5, 0, 0, 0, 0, 5, -5, -5, -5,
    -5, 5, -5, -5, -5, -5, 5, 0, 0, 0, -5, -5, 5, -5, -5, 5, -5, -5, 0, 0,
    0, 5, -5, -5, -5, 5, -5, -5, -5, 0, 0, 0, -5, 5, -5, -5, -5, 5, -5, -5,
    -5, 5, -5, 0, 0, 0, 0, 5, -5, -5, -5, -5, -5, 5, 0, 0, 0, 0, -5, -5,
    -5, 5, 5, -5, -5, 0, 0, 0, 0, -5, -5, 5, -5, -5, -5, -5, 0, 0, 0, 0
};
static const double across_units_scale[] = {
    1, 1, 1, 1, 1, 1, 1, 0.033091477342129666, 1
};
static const double across_units_offset[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0
};
static const double across_units_odd[] = {
    1, 1, 1, 1, 1, 1, 1, 26.33419807382358, 1
};
static const int across_units_kind[] = {
    0, 0, 0, 0, 0, 0, 0, 1, 0
};
static const double across_units_gain[] = {
    0, 0, 17.93488844228745
};

static const across_case across_cases[] = {
    {"equal", 2, 2, 1, across_equal_n, across_equal_k, across_equal_x,
     across_equal_labels, NULL, across_equal_group, across_equal_sure,
     across_equal_perhaps, across_equal_anchored, across_equal_same,
     across_equal_scale, across_equal_offset, across_equal_odd,
     across_equal_kind, across_equal_gain},
    {"missing", 2, 3, 4, across_missing_n, across_missing_k,
     across_missing_x, across_missing_labels, NULL, across_missing_group,
     across_missing_sure, across_missing_perhaps, across_missing_anchored,
     across_missing_same, across_missing_scale, across_missing_offset,
     across_missing_odd, across_missing_kind, across_missing_gain},
    {"moved", 2, 3, 4, across_moved_n, across_moved_k, across_moved_x,
     across_moved_labels, NULL, across_moved_group, across_moved_sure,
     across_moved_perhaps, across_moved_anchored, across_moved_same,
     across_moved_scale, across_moved_offset, across_moved_odd,
     across_moved_kind, across_moved_gain},
    {"nothing", 2, 3, 6, across_nothing_n, across_nothing_k,
     across_nothing_x, across_nothing_labels, NULL, across_nothing_group,
     across_nothing_sure, across_nothing_perhaps, across_nothing_anchored,
     across_nothing_same, across_nothing_scale, across_nothing_offset,
     across_nothing_odd, across_nothing_kind, across_nothing_gain},
    {"sparse", 2, 40, 4, across_sparse_n, across_sparse_k, across_sparse_x,
     across_sparse_labels, NULL, across_sparse_group, across_sparse_sure,
     across_sparse_perhaps, across_sparse_anchored, across_sparse_same,
     across_sparse_scale, across_sparse_offset, across_sparse_odd,
     across_sparse_kind, across_sparse_gain},
    {"three", 3, 3, 4, across_three_n, across_three_k, across_three_x,
     across_three_labels, NULL, across_three_group, across_three_sure,
     across_three_perhaps, across_three_anchored, across_three_same,
     across_three_scale, across_three_offset, across_three_odd,
     across_three_kind, across_three_gain},
    {"units", 3, 3, 4, across_units_n, across_units_k, across_units_x,
     across_units_labels, across_units_zero, across_units_group,
     across_units_sure, across_units_perhaps, across_units_anchored,
     across_units_same, across_units_scale, across_units_offset,
     across_units_odd, across_units_kind, across_units_gain}
};

#endif /* GOLDEN_ACROSS_H */
