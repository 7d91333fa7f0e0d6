/* SPDX-License-Identifier: MIT
 *
 * number.c - decimal numbers, correctly rounded and fast
 *
 * A number of up to 19 digits is w 10^q with w below 2^64.  For small q its
 * nearest double follows from w times the first 128 bits of 5^q, in integers
 * alone: the same on every machine (Lemire, Number parsing at a gigabyte per
 * second, 2021; for the q of this table no case is left open).  All others go
 * to strtod.  The program never calls setlocale, so a point is a point.
 */
#include "data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_POWER = -27, MOST_POWER = 22, MOST_DIGITS = 19 };

/* The first 128 bits of 5^q, rounded up where there are more. */
static const uint64_t powers[MOST_POWER - LEAST_POWER + 1][2] = {
    {0x9e74d1b791e07e48, 0x775ea264cf55347e},
    {0xc612062576589dda, 0x95364afe032a819e},
    {0xf79687aed3eec551, 0x3a83ddbd83f52205},
    {0x9abe14cd44753b52, 0xc4926a9672793543},
    {0xc16d9a0095928a27, 0x75b7053c0f178294},
    {0xf1c90080baf72cb1, 0x5324c68b12dd6339},
    {0x971da05074da7bee, 0xd3f6fc16ebca5e04},
    {0xbce5086492111aea, 0x88f4bb1ca6bcf585},
    {0xec1e4a7db69561a5, 0x2b31e9e3d06c32e6},
    {0x9392ee8e921d5d07, 0x3aff322e62439fd0},
    {0xb877aa3236a4b449, 0x09befeb9fad487c3},
    {0xe69594bec44de15b, 0x4c2ebe687989a9b4},
    {0x901d7cf73ab0acd9, 0x0f9d37014bf60a11},
    {0xb424dc35095cd80f, 0x538484c19ef38c95},
    {0xe12e13424bb40e13, 0x2865a5f206b06fba},
    {0x8cbccc096f5088cb, 0xf93f87b7442e45d4},
    {0xafebff0bcb24aafe, 0xf78f69a51539d749},
    {0xdbe6fecebdedd5be, 0xb573440e5a884d1c},
    {0x89705f4136b4a597, 0x31680a88f8953031},
    {0xabcc77118461cefc, 0xfdc20d2b36ba7c3e},
    {0xd6bf94d5e57a42bc, 0x3d32907604691b4d},
    {0x8637bd05af6c69b5, 0xa63f9a49c2c1b110},
    {0xa7c5ac471b478423, 0x0fcf80dc33721d54},
    {0xd1b71758e219652b, 0xd3c36113404ea4a9},
    {0x83126e978d4fdf3b, 0x645a1cac083126ea},
    {0xa3d70a3d70a3d70a, 0x3d70a3d70a3d70a4},
    {0xcccccccccccccccc, 0xcccccccccccccccd},
    {0x8000000000000000, 0x0000000000000000},
    {0xa000000000000000, 0x0000000000000000},
    {0xc800000000000000, 0x0000000000000000},
    {0xfa00000000000000, 0x0000000000000000},
    {0x9c40000000000000, 0x0000000000000000},
    {0xc350000000000000, 0x0000000000000000},
    {0xf424000000000000, 0x0000000000000000},
    {0x9896800000000000, 0x0000000000000000},
    {0xbebc200000000000, 0x0000000000000000},
    {0xee6b280000000000, 0x0000000000000000},
    {0x9502f90000000000, 0x0000000000000000},
    {0xba43b74000000000, 0x0000000000000000},
    {0xe8d4a51000000000, 0x0000000000000000},
    {0x9184e72a00000000, 0x0000000000000000},
    {0xb5e620f480000000, 0x0000000000000000},
    {0xe35fa931a0000000, 0x0000000000000000},
    {0x8e1bc9bf04000000, 0x0000000000000000},
    {0xb1a2bc2ec5000000, 0x0000000000000000},
    {0xde0b6b3a76400000, 0x0000000000000000},
    {0x8ac7230489e80000, 0x0000000000000000},
    {0xad78ebc5ac620000, 0x0000000000000000},
    {0xd8d726b7177a8000, 0x0000000000000000},
    {0x878678326eac9000, 0x0000000000000000}
};

/* The 128 bits of x y: the upper half; the lower one in *low. */
static uint64_t product(uint64_t x, uint64_t y, uint64_t *low)
{
    const uint64_t half = 0xffffffff;
    uint64_t x0 = x & half, x1 = x >> 32, y0 = y & half, y1 = y >> 32;
    uint64_t a = x0 * y0, b = x1 * y0 + (a >> 32);
    uint64_t c = x0 * y1 + (b & half);
    *low = c << 32 | (a & half);
    return x1 * y1 + (b >> 32) + (c >> 32);
}

/* How far w > 0 can be shifted to the left. */
static int leading_zeros(uint64_t w)
{
    int zeros = 0;
    for (int step = 32; step > 0; step /= 2)
        if (w >> (64 - step) == 0) {
            w <<= step;
            zeros += step;
        }
    return zeros;
}

/* The double nearest to w 10^q, ties to even; q is one of the table's. */
static double scaled(uint64_t w, int q)
{
    uint64_t low, more, bits;
    double x;
    if (q == 0 && w <= (uint64_t)1 << 53)
        return (double)(int64_t)w;              /* most whole numbers */
    if (w == 0)
        return 0;
    const uint64_t *power = powers[q - LEAST_POWER];
    int zeros = leading_zeros(w);
    w <<= zeros;
    uint64_t high = product(w, power[0], &low);
    if ((high & 0x1ff) == 0x1ff) {              /* the next bits may carry */
        more = product(w, power[1], &bits);
        low += more;
        high += low < more;
    }
    int top = (int)(high >> 63), shift = top + 9;
    int exponent = (217706 * q + (128 << 16)) / 65536 - 128;
    exponent += 63 + top - zeros + 1023;
    uint64_t m = high >> shift;                 /* 54 bits, one to round by */
    if (low <= 1 && q >= -4 && (m & 3) == 1 && m << shift == high)
        m &= ~(uint64_t)1;                      /* half way: to even */
    m = (m + (m & 1)) >> 1;
    if (m >> 53 != 0) {
        m >>= 1;
        exponent++;
    }
    bits = (uint64_t)exponent << 52 | (m & 0xfffffffffffff);
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Another decimal sign than a point: strtod wants a copy.  NaN: too long. */
static double foreign(const char *s, size_t n, char point)
{
    char copy[1000], *at;
    if (n >= sizeof copy)
        return NAN;
    memcpy(copy, s, n);
    copy[n] = '\0';
    at = strchr(copy, point);
    if (at != NULL)
        *at = '.';
    return strtod(copy, NULL);
}

/* What follows e or E: p itself, or behind the exponent, which is added to
 * *q; one of more than four digits is as good as 9999. */
static const char *exponent_at(const char *p, ptrdiff_t *q)
{
    const char *s = p + 1 + (p[1] == '+' || p[1] == '-'), *end = s;
    ptrdiff_t e = 0;
    for (; *end >= '0' && *end <= '9'; end++)
        e = e < 1000 ? 10 * e + (*end - '0') : 9999;
    if (end == s)
        return p;
    *q += p[1] == '-' ? -e : e;
    return end;
}

/* The decimal number at s; returns its end, or s itself if there is none.
 * `point` is its decimal sign. */
const char *decimal_at(const char *s, char point, double *x)
{
    const char *p = s + (*s == '+' || *s == '-'), *start = p, *end;
    uint64_t w = 0;
    ptrdiff_t digits, q = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        w = 10 * w + (uint64_t)(*p - '0');
    digits = p - start;
    if (*p == point) {
        const char *part = ++p;
        for (; *p >= '0' && *p <= '9'; p++)
            w = 10 * w + (uint64_t)(*p - '0');
        q = part - p;
        digits -= q;
    }
    if (digits == 0)
        return s;
    end = *p == 'e' || *p == 'E' ? exponent_at(p, &q) : p;
    for (p = start; digits > MOST_DIGITS && (*p == '0' || *p == point); p++)
        digits -= *p == '0';                    /* zeros ahead do not count */
    if (digits <= MOST_DIGITS && q >= LEAST_POWER && q <= MOST_POWER)
        *x = *s == '-' ? -scaled(w, (int)q) : scaled(w, (int)q);
    else
        *x = point == '.' ? strtod(s, NULL)
                          : foreign(s, (size_t)(end - s), point);
    return end;
}
