/* SPDX-License-Identifier: MIT
 *
 * double.c - sums of doubles, rounded as IEEE 754 says, for machines without
 * a double-precision unit.  Those of libgcc for ARM (12.2) are wrong by one
 * unit in the last place for some differences of numbers 33 binary places
 * apart: 1 - 0x1.0000000000001p-33 comes out one below the nearest double.
 * Linked with -Wl,--wrap=__aeabi_dadd and so on they take their place, and
 * the bits are those of all other machines.
 */
#include <stdint.h>
#include <string.h>

/* The run-time's calls pass doubles in core registers, whatever the ABI. */
#define RUNTIME __attribute__((pcs("aapcs")))
RUNTIME double __wrap___aeabi_dadd(double a, double b);
RUNTIME double __wrap___aeabi_dsub(double a, double b);
RUNTIME double __wrap___aeabi_drsub(double a, double b);

enum { GUARD = 10 };                    /* bits below the last place */
#define SIGN (UINT64_C(1) << 63)
#define HIDDEN (UINT64_C(1) << 52)

static uint64_t exponent_of(uint64_t x)
{
    return (x >> 52) & 2047;
}

/* With the hidden bit and room for rounding; denormals have none. */
static uint64_t mantissa_of(uint64_t x)
{
    uint64_t m = x & (HIDDEN - 1);
    return (exponent_of(x) > 0 ? m | HIDDEN : m) << GUARD;
}

/* x >> n; what falls off leaves its trace in the last bit. */
static uint64_t shift_jam(uint64_t x, uint64_t n)
{
    if (n > 63)
        return x != 0;
    return (x >> n) | ((x & ((UINT64_C(1) << n) - 1)) != 0);
}

static uint64_t round_pack(uint64_t sign, uint64_t e, uint64_t m)
{
    uint64_t half = UINT64_C(1) << (GUARD - 1), rest = m & (2 * half - 1);
    m = (m >> GUARD) + (rest > half || (rest == half && (m >> GUARD & 1)));
    if (m >= 2 * HIDDEN) {
        m >>= 1;
        e++;
    }
    if (e >= 2047)
        return sign | UINT64_C(2047) << 52;
    return sign | (m < HIDDEN ? m : (m - HIDDEN) | e << 52);
}

static uint64_t sum(uint64_t a, uint64_t b)
{
    if ((a & ~SIGN) < (b & ~SIGN)) {    /* a is the larger */
        uint64_t t = a;
        a = b;
        b = t;
    }
    uint64_t ea = exponent_of(a), eb = exponent_of(b), sign = a & SIGN;
    if (ea == 2047)                     /* Inf - Inf, NaN, or a itself */
        return (a & (HIDDEN - 1)) != 0 || (eb == 2047 && a != b)
               ? UINT64_C(0x7ff8) << 48 : a;
    ea += ea == 0;
    eb += eb == 0;
    uint64_t ma = mantissa_of(a), mb = shift_jam(mantissa_of(b), ea - eb);
    if (sign == (b & SIGN)) {
        ma += mb;
        if (ma >= (HIDDEN << GUARD) * 2) {
            ma = shift_jam(ma, 1);
            ea++;
        }
    } else {
        ma -= mb;
        if (ma == 0)
            return 0;
        while (ma < HIDDEN << GUARD && ea > 1) {
            ma <<= 1;
            ea--;
        }
    }
    return round_pack(sign, ea, ma);
}

static double sum_of(double a, double b, uint64_t flip_a, uint64_t flip_b)
{
    uint64_t x, y;
    double r;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x = sum(x ^ flip_a, y ^ flip_b);
    memcpy(&r, &x, sizeof r);
    return r;
}

double __wrap___aeabi_dadd(double a, double b)
{
    return sum_of(a, b, 0, 0);
}

double __wrap___aeabi_dsub(double a, double b)
{
    return sum_of(a, b, 0, SIGN);
}

double __wrap___aeabi_drsub(double a, double b)
{
    return sum_of(a, b, SIGN, 0);
}
