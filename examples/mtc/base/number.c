/* SPDX-License-Identifier: MIT
 *
 * number.c - decimal numbers, correctly rounded
 *
 * w / 10^q with w below 2^53 and q up to 22 is one exact quotient of doubles
 * (Clinger 1990); where w has up to 19 digits, its last bits are mended.  Others
 * go to strtod, and all do where doubles are computed with more than their own
 * digits.  The program never calls setlocale, so that strtod wants a point in
 * every language.
 */
#include "app.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The n bytes at s by strtod, which wants a point; NaN if they are too long
 * for a copy. */
static double by_strtod(const char *s, size_t n, char point)
{
    char copy[1000], *at;
    if (point == '.')
        return strtod(s, NULL);
    if (n >= sizeof copy)
        return NAN;
    memcpy(copy, s, n);
    copy[n] = '\0';
    at = strchr(copy, point);
    if (at != NULL)
        *at = '.';
    return strtod(copy, NULL);
}

/* The digits at s behind those of *w, which holds 19; returns their end. */
static const char *take_digits(const char *s, uint64_t *w)
{
    for (; *s >= '0' && *s <= '9'; s++)
        *w = 10 * *w + (uint64_t)(*s - '0');
    return s;
}

/* Behind the exponent at s, or s itself if there is none. */
static const char *pass_exponent(const char *s)
{
    if (*s != 'e' && *s != 'E')
        return s;
    const char *digits = s + 1 + (s[1] == '+' || s[1] == '-');
    size_t n = strspn(digits, "0123456789");
    return n > 0 ? digits + n : s;
}

/* w / 10^q, where w has more than 53 bits and q is from 1 to 18.  A quotient of
 * doubles is less than 2 units of its last bit away; what 64 bits of w - x 10^q
 * hold tells how many.  NaN: x is large, or almost a power of 2. */
static double long_quotient(uint64_t w, double power)
{
    const uint64_t mantissa = (UINT64_C(1) << 52) - 1;
    double x = (double)w / power;
    uint64_t bits, ten = (uint64_t)power;
    memcpy(&bits, &x, sizeof bits);
    uint64_t shift = 1075 - (bits >> 52);       /* x = m / 2^shift */
    if (shift > 63 || ((bits + 2) & mantissa) < 4)
        return NAN;
    int64_t whole = (int64_t)ten, rest = (int64_t)(
        (w << shift) - ((bits & mantissa) | (mantissa + 1)) * ten);
    for (int i = 0; i < 2; i++) {               /* half way: to even */
        int odd = (int)(bits & 1);
        int step = (2 * rest + odd > whole) - (odd - 2 * rest > whole);
        rest -= step * whole;
        bits += (uint64_t)step;
    }
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The decimal number at s; returns its end, or s itself if there is none.
 * `point` is its decimal sign. */
const char *decimal_at(const char *s, char point, double *x)
{
    static const double power[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8,
                                   1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19};
    const char *first = s + (*s == '+' || *s == '-');
    uint64_t w = 0;
    const char *whole = take_digits(first, &w), *last = whole;
    ptrdiff_t q = 0;
    if (*whole == point) {
        last = take_digits(whole + 1, &w);
        q = last - whole - 1;
    }
    if (whole == first && q == 0)
        return s;
    const char *end = pass_exponent(last);
    double value = NAN;
    if (FLT_EVAL_METHOD == 0 && end == last && whole - first + q <= 19)
        value = w >> 53 == 0 || q == 0 ? (double)w / power[q]
                : q <= 18 ? long_quotient(w, power[q]) : NAN;
    if (value == value)
        *x = *s == '-' ? -value : value;
    else
        *x = by_strtod(s, (size_t)(end - s), point);
    return end;
}
