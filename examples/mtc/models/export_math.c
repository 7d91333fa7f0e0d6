/* SPDX-License-Identifier: MIT
 *
 * export_math.c - functions that an exported header may carry: the library's
 * dot, exp and log as C that stands alone, and a root.  tests/program/test_cli_export.c
 * and `make check-export` compare them with the library's, bit by bit.
 */
#include "export.h"

void begin_function(header *h, const char *prototype)
{
    put_code(h, prototype);
    put(h->a, &h->out, "\n{\n#if !defined(__GNUC__) || defined(__clang__)\n"
        "#pragma STDC FP_CONTRACT OFF\n#endif\n");
}

/* sum_j x_j w_j as mtc_dot adds it up: eight running sums, then pairwise.
 * They are no array, which a compiler might clear by memset. */
void put_dot(header *h)
{
    begin_function(h, "static @_real @_lane(const @_real *x, const @_real *w, "
                   "int j)");
    put_code(h,
"    @_real sum = 0;\n"
"    for (; j < $_FEATURES; j += 8)\n"
"        sum += x[j] * w[j];\n"
"    return sum;\n"
"}\n\n");
    begin_function(h, "static @_real @_dot(const @_real *x, const @_real *w)");
    put_code(h,
"    return ((@_lane(x, w, 0) + @_lane(x, w, 4)) +\n"
"            (@_lane(x, w, 2) + @_lane(x, w, 6))) +\n"
"           ((@_lane(x, w, 1) + @_lane(x, w, 5)) +\n"
"            (@_lane(x, w, 3) + @_lane(x, w, 7)));\n"
"}\n\n");
}

/* |x - y|^2 as sq_distance adds it up: four running sums, the last one to
 * three features in the first. */
void put_distance(header *h)
{
    begin_function(h, "static @_real @_distance(const @_real *x, "
                   "const @_real *y)");
    put_code(h,
"    @_real a = 0, b = 0, c = 0, d = 0, t;\n"
"    int j;\n"
"    for (j = 0; j < $_FEATURES; j++) {\n"
"        const int lane = j < $_FEATURES / 4 * 4 ? j & 3 : 0;\n"
"        t = x[j] - y[j];\n"
"        t *= t;\n"
"        if (lane == 0)\n"
"            a += t;\n"
"        else if (lane == 1)\n"
"            b += t;\n"
"        else if (lane == 2)\n"
"            c += t;\n"
"        else\n"
"            d += t;\n"
"    }\n"
"    return (a + b) + (c + d);\n"
"}\n\n");
}

/* Digit by digit, in integers: rounded as IEEE 754 wants it.  Two digits more
 * than a number has are p + 2; the last one decides, no root ends just there.
 * square = m 2^e, the power made even, but for a constant. */
void put_sqrt(header *h)
{
    put(h->a, &h->out, "/* The root of a number above 0, correctly rounded. "
        "*/\n");
    begin_function(h, "static @_real @_sqrt(@_real square)");
    put_code(h,
"#ifdef $_SINGLE\n"
"    union { float x; uint32_t bits; } w;\n"
"    uint32_t m, one = 1, root = 0, rest = 0;\n"
"    const int p = 23, infinite = 255, half = 125;\n"
"#else\n"
"    union { double x; uint64_t bits; } w;\n"
"    uint64_t m, one = 1, root = 0, rest = 0;\n"
"    const int p = 52, infinite = 2047, half = 1021;\n"
"#endif\n"
"    int e, i;\n"
"    w.x = square;\n"
"    one <<= p;\n"
"    e = (int)(w.bits >> p);\n"
"    if (e == infinite)\n"
"        return square;\n"
"    m = w.bits & (one - 1);\n"
"    if (e > 0)\n"
"        m |= one;\n"
"    else\n"
"        for (e = 1; m < one; e--)\n"
"            m <<= 1;\n"
"    if ((e & 1) == 0) {\n"
"        m <<= 1;\n"
"        e--;\n"
"    }\n"
"    for (i = 0; i < p + 2; i++, m <<= 2) {\n"
"        rest = rest << 2 | (m >> p & 3);\n"
"        root <<= 1;\n"
"        if (rest > 2 * root) {\n"
"            rest -= 2 * root + 1;\n"
"            root++;\n"
"        }\n"
"    }\n"
"    rest = (unsigned)((e + half) / 2);\n"
"    w.bits = ((root + 1) >> 1) + (rest << p);\n"
"    return w.x;\n"
"}\n\n");
}

/* mtc_exp for x <= 0, and a short one for float. */
void put_exp(header *h)
{
    put(h->a, &h->out, "/* e^x for x <= 0. */\n");
    begin_function(h, "static @_real @_exp(@_real x)");
    put_code(h,
"#ifdef $_SINGLE\n"
"    union { float x; uint32_t bits; } w;\n"
"    const int k = x < -87 ? 0 : (int)(x * 1.44269504f - .5f);\n"
"    const float r = (x - (float)k * .693359375f) +\n"
"                    (float)k * 2.12194440e-4f;\n"
"    w.bits = (uint32_t)(k + 127) << 23;\n"
"    return x < -87 ? 0 : w.x * (1 + r * (1 + r * (1 / 2.f + r * (1 / 6.f +\n"
"           r * (1 / 24.f + r * (1 / 120.f + r * (1 / 720.f)))))));\n"
"#else\n"
"    union { double x; uint64_t bits; } w;\n"
"    double a, b, q, hi, lo, sum, rest, scale;\n"
"    const int k = x < -746 ? 0 : (int)(x * 1.4426950408889634 +\n"
"                                       (x < 0 ? -.5 : .5));\n"
"    const double top = x - k * .69314718036912382, low = k *\n"
"                 1.9082149292705877e-10, r = top - low, r2 = r * r;\n"
"    const double r4 = r2 * r2;\n"
"    const double c03 = (1. / 6 + r * (1. / 24)) + r2 * (1. / 120 +\n"
"                 r * (1. / 720));\n"
"    const double c47 = (1. / 5040 + r * (1. / 40320)) + r2 * (1. / 362880 +\n"
"                 r * (1. / 3628800));\n"
"    const double c8b = (1. / 39916800 + r * (1. / 479001600)) + r2 *\n"
"                 (1. / 6227020800. + r * (1. / 87178291200.));\n"
"    const double tail = r2 * r * (c03 + r4 * (c47 + r4 * c8b));\n"
"    if (x < -746)\n"
"        return 0;\n");
    put_code(h,
"    w.x = top;\n"
"    w.bits &= ~(uint64_t)0x7ffffff;\n"
"    a = w.x;\n"
"    b = top - a - low;\n"
"    q = .5 * a * a;\n"
"    hi = top + q;\n"
"    lo = ((top - hi) + q) + (b * (a + .5 * b) + (tail - low));\n"
"    sum = 1 + hi;\n"
"    rest = ((1 - sum) + hi) + lo;\n"
"    if (k > -1022 || (k == -1022 && sum >= 1)) {\n"
"        w.bits = (uint64_t)(k + 1023) << 52;\n"
"        return (sum + rest) * w.x;\n"
"    }\n"
"    w.bits = (uint64_t)(k + 2045) << 52;  /* subnormal: rounded once */\n"
"    scale = w.x;\n"
"    sum *= scale;\n"
"    rest *= scale;\n"
"    hi = 1 + sum;\n"
"    hi += ((1 - hi) + sum) + rest;\n"
"    w.bits = (uint64_t)1 << 52;\n"
"    return (hi - 1) * w.x;\n"
"#endif\n"
"}\n\n");
}

/* mtc_log for x >= 0, and a short one for float. */
void put_log(header *h)
{
    put(h->a, &h->out, "/* ln x for x >= 0. */\n");
    begin_function(h, "static @_real @_log(@_real x)");
    put_code(h,
"#ifdef $_SINGLE\n"
"    union { float x; uint32_t bits; } w;\n"
"    const int tiny = x < 1.17549435e-38f;\n"
"    if (!(x > 0) || x > 3.40282347e+38f)\n"
"        return x > 0 ? x : -1 / x;\n"
"    w.x = tiny ? x * 33554432.f : x;\n"
"    {\n"
"        const uint32_t part = w.bits & 0x7fffff;\n"
"        const int up = part >= 0x3504f3;\n"
"        const int k = (int)(w.bits >> 23) - 127 + up - (tiny ? 25 : 0);\n"
"        float f, s, z;\n"
"        w.bits = part | (uint32_t)(127 - up) << 23;\n"
"        f = w.x - 1;\n"
"        s = f / (2 + f);\n"
"        z = s * s;\n"
"        z *= 2 / 3.f + z * (2 / 5.f + z * (2 / 7.f + z * (2 / 9.f)));\n"
"        return (float)k * .693359375f + ((f - .5f * f * f) +\n"
"               (s * (.5f * f * f + z) - (float)k * 2.12194440e-4f));\n"
"    }\n"
"#else\n");
    put_code(h,
"    union { double x; uint64_t bits; } w;\n"
"    const int tiny = x < 2.2250738585072014e-308;\n"
"    uint64_t part;\n"
"    double f, s, z, v, even, odd, a, b, q, top, low, base, sum;\n"
"    int up, k;\n"
"    if (!(x > 0) || x > 1.7976931348623157e+308)\n"
"        return x > 0 ? x : -1 / x;\n"
"    w.x = tiny ? x * 18014398509481984. : x;\n"
"    part = w.bits & (((uint64_t)1 << 52) - 1);\n"
"    up = part >= ((uint64_t)0x6a09e << 32 | 0x667f3bcd);  /* sqrt 2 */\n"
"    k = (int)(w.bits >> 52) - 1023 + up - (tiny ? 54 : 0);\n"
"    w.bits = part | (uint64_t)(1023 - up) << 52;\n"
"    f = w.x - 1;\n"
"    s = f / (2 + f);\n"
"    z = s * s;\n"
"    v = z * z;\n"
"    even = v * (2. / 5 + v * (2. / 9 + v * (2. / 13 + v * (2. / 17 +\n"
"           v * (2. / 21)))));\n"
"    odd = z * (2. / 3 + v * (2. / 7 + v * (2. / 11 + v * (2. / 15 +\n"
"          v * (2. / 19)))));\n"
"    w.x = f;\n"
"    w.bits &= ~(uint64_t)0x7ffffff;\n"
"    a = w.x;\n"
"    b = f - a;\n"
"    q = .5 * a * a;\n"
"    top = f - q;\n"
"    low = ((f - top) - q) - b * (a + .5 * b);\n"
"    base = k * .69314718036912382;\n"
"    sum = base + top;\n"
"    low += k == 0 ? 0 : (base - sum) + top;\n"
"    low += s * (.5 * f * f + (even + odd)) + k * 1.9082149292705877e-10;\n"
"    return sum + low;\n"
"#endif\n"
"}\n\n");
}

/* saito_term of the library: r - log r - 1 for r = x / y, also where these are
 * close. */
void put_gap(header *h)
{
    put(h->a, &h->out, "/* x/y - ln(x/y) - 1. */\n");
    begin_function(h, "static @_real @_gap(@_real x, @_real y)");
    put_code(h,
"    const @_real r = x / y, t = (x - y) / y, s = t / (2 + t);\n"
"    @_real sum = 0;\n"
"    int m;\n"
"    if (!(t < (@_real).125 && t > (@_real)-.125))\n"
"        return r - @_log(r) - 1;\n"
"    for (m = 17; m > 1; m -= 2)\n"
"        sum = sum * s * s + 1 / (@_real)m;\n"
"    return t * s - 2 * s * s * s * sum;\n"
"}\n\n");
}
