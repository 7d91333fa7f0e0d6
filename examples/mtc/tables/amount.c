/* SPDX-License-Identifier: MIT
 *
 * amount.c - numbers as people write them
 *
 *   [-] [currency] [-] digits [%| currency| unit]     $1,301.58   7.2 %
 *   ( ... )  or a minus behind it                     (12.5)      12.5-
 *   a dash in place of cents                          49,-        49.-
 *
 *   a currency and a dash alone, as accounts have it: 0   $-
 *
 * A currency is a sign or an ISO code.  A unit is any other word behind a
 * space or decimals, or a usual one right behind the digits, as in 7cm; 10a is
 * a word.  Digits may stand in groups of three, parted by a comma, a point, a
 * space or an apostrophe.  Which of comma and point is the decimal sign is
 * often seen from one value (1,301.58), sometimes from none (1,301): see
 * amount_fits.  Nothing here looks at more than one value; survey.c does.
 */
#include "../base/data.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Signs of one meaning each; of several bytes in UTF-8, or of one in the tables
 * of Windows. */
static const char *const currency_sign[] = {
    "$", "\xc2\xa3", "\xc2\xa5", "\xc2\xa2", "\xe2\x82\xac", "\xe2\x82\xb9",
    "\xe2\x82\xa9", "\xe2\x82\xbd", "\xe2\x82\xba", "\xe2\x82\xaa",
    "\xe2\x82\xab", "\xe2\x82\xb4", "\xe2\x82\xa6", "\xe2\x82\xb1",
    "US$", "R$", "A$", "C$", "NZ$", "HK$", "NT$", "S$",
    "\x80", "\xa2", "\xa3", "\xa5"
};
enum { N_SIGNS = sizeof currency_sign / sizeof currency_sign[0] };

static const char currency_code[] =
    " USD EUR GBP JPY CHF CNY INR AUD CAD NZD SEK NOK DKK ISK PLN CZK HUF RON "
    "BGN HRK RUB UAH TRY ILS AED SAR QAR KWD BHD OMR EGP ZAR NGN KES GHS MAD "
    "BRL MXN ARS CLP COP PEN UYU KRW TWD HKD SGD MYR THB IDR PHP VND PKR BDT "
    "LKR KZT GEL RSD ";

/* A place in the text, which ends at `end`. */
typedef struct place {
    const char *at, *end;
} place;

static int sees(const place *p, const char *s)
{
    size_t n = strlen(s);
    return (size_t)(p->end - p->at) >= n && memcmp(p->at, s, n) == 0;
}

static int digit_at(const place *p)
{
    return p->at < p->end && isdigit((unsigned char)*p->at);
}

/* Bytes of the space at p: a plain one, or one that does not break. */
static size_t space_at(const place *p)
{
    return sees(p, " ")              ? 1
           : sees(p, "\xa0")         ? 1
           : sees(p, "\xc2\xa0")     ? 2
           : sees(p, "\xe2\x80\xaf") ? 3
           : sees(p, "\xe2\x80\x89") ? 3 : 0;
}

static size_t skip_spaces(place *p)
{
    size_t n = 0;
    for (size_t wide; (wide = space_at(p)) > 0; n += wide)
        p->at += wide;
    return n;
}

/* A minus, also the printers' one, and the dash that many take for it. */
static int take_minus(place *p)
{
    size_t n = sees(p, "-")              ? 1
               : sees(p, "\xe2\x88\x92") ? 3
               : sees(p, "\xe2\x80\x93") ? 3 : 0;
    p->at += n;
    return n > 0;
}

static void set_sign(amount *m, amount_kind kind, const char *s, size_t n)
{
    unsigned byte = (unsigned char)*s;
    m->kind = kind;
    memcpy(m->sign, s, n);
    if (n == 1 && byte > 127) {                 /* in UTF-8, too */
        m->sign[0] = (char)(0xc0 | byte >> 6);
        m->sign[n++] = (char)(0x80 | (byte & 63));
    }
    m->sign[n] = '\0';
    if (strcmp(m->sign, "\xe2\x82\xac") == 0 ||
        strcmp(m->sign, "\xc2\x80") == 0)
        strcpy(m->sign, "EUR");
}

/* A currency at p, if there is one. */
static int take_currency(place *p, amount *m)
{
    char code[6] = "    ";
    for (int i = 0; i < N_SIGNS; i++)
        if (sees(p, currency_sign[i])) {
            size_t n = strlen(currency_sign[i]);
            set_sign(m, CURRENCY, p->at, n);
            p->at += n;
            return 1;
        }
    if (p->end - p->at < 3)
        return 0;
    memcpy(code + 1, p->at, 3);
    code[4] = ' ';
    if (strstr(currency_code, code) == NULL || memchr(p->at, ' ', 3) != NULL ||
        (p->end - p->at > 3 && isalpha((unsigned char)p->at[3])))
        return 0;
    set_sign(m, CURRENCY, p->at, 3);
    p->at += 3;
    return 1;
}

/* Digits and what parts them; 0: there are none, or not in this form. */
static int take_digits(place *p, amount *m)
{
    m->body = p->at;
    for (;;) {
        size_t run = 0, wide;
        for (; digit_at(p); p->at++)
            run++;
        if (m->parts == MOST_PARTS)
            return 0;
        m->run[m->parts++] = run < 255 ? (unsigned char)run : 255;
        wide = space_at(p);
        place next = {p->at + (wide > 0 ? wide : 1), p->end};
        if (sees(p, ".") || sees(p, ","))
            m->mark[m->parts - 1] = *p->at;
        else if ((wide > 0 || sees(p, "'")) && run > 0 && digit_at(&next))
            m->mark[m->parts - 1] = wide > 0 ? ' ' : '\'';
        else
            break;
        p->at = next.at;
    }
    size_t digits = 0;
    for (size_t i = 0; i < m->parts; i++)
        digits += m->run[i];
    place sign = {p->at + 1, p->end};
    if (digits > 0 && (sees(p, "e") || sees(p, "E"))) {
        sign.at += sees(&sign, "+") || sees(&sign, "-");
        if (digit_at(&sign)) {
            m->exponent = 1;
            for (p->at = sign.at; digit_at(p); p->at++)
                continue;
        }
    }
    m->length = (size_t)(p->at - m->body);
    return digits > 0;
}

/* A word, as kg or km/h. */
static int take_unit(place *p, amount *m)
{
    size_t n = 0;
    for (const char *s = p->at; s < p->end; s++, n++)
        if (!isalpha((unsigned char)*s) && !((unsigned char)*s & 128) &&
            !(*s == '/' && n > 0))
            return 0;
    if (n == 0 || n >= sizeof m->sign)
        return 0;
    set_sign(m, UNIT, p->at, n);
    p->at += n;
    return 1;
}

/* Is there a usual unit, as cm in 7cm? */
static int sees_unit(const place *p)
{
    static const char known[] =
        " mm cm dm m km in ft yd mi nm um mg g kg lb lbs oz t ml cl dl l gal "
        "ms s sec min h hr hrs mV V kV mA W kW MW Wh kWh MWh J kJ kcal cal "
        "Hz kHz MHz GHz KB MB GB TB kB dB Pa hPa kPa bar psi mph kmh km/h "
        "m/s rpm px pt ppm k K M ";
    char unit[8] = " ";
    size_t n = (size_t)(p->end - p->at);
    if (n == 0 || n > 4)
        return 0;
    memcpy(unit + 1, p->at, n);
    unit[n + 1] = ' ';
    unit[n + 2] = '\0';
    return memchr(p->at, ' ', n) == NULL && strstr(known, unit) != NULL;
}

/* What stands behind the digits. */
static int take_behind(place *p, amount *m)
{
    int even = m->run[m->parts - 1] == 0 && !m->exponent;
    if (take_minus(p) && !even) {               /* 49,- has no cents */
        if (m->negative)
            return 0;
        m->negative = 1;
    }
    size_t gap = skip_spaces(p);
    if (p->at == p->end)
        return gap == 0;
    if (m->kind != BARE)
        return 0;
    if (sees(p, "%")) {
        set_sign(m, PERCENT, p->at, 1);
        p->at++;
    } else if (!take_currency(p, m)) {
        int decimals = m->parts > 1 && m->run[m->parts - 1] > 0;
        if ((gap == 0 && !decimals && !sees_unit(p)) || !take_unit(p, m))
            return 0;
    }
    if (!m->negative && take_minus(p))
        m->negative = 1;
    return p->at == p->end;
}

/* A dash for nothing, behind its currency, as sheets write accounts. */
static int is_nothing(place p, amount *m)
{
    if (m->kind != CURRENCY || !take_minus(&p) || p.at < p.end)
        return 0;
    m->body = "0";
    m->length = m->parts = m->run[0] = 1;
    return 1;
}

/* Is the text of n bytes a number as people write it?  Then *m is what it
 * consists of. */
int amount_at(const char *s, size_t n, amount *m)
{
    place p = {s, s + n};
    memset(m, 0, sizeof *m);
    m->negative = take_minus(&p);
    if (!m->negative && sees(&p, "+"))
        p.at++;
    if (take_currency(&p, m))
        skip_spaces(&p);
    if (is_nothing(p, m))
        return 1;
    int inside = sees(&p, "(") && n > 2 && p.end[-1] == ')' && !m->negative;
    if (inside) {
        p.at++;
        p.end--;
        skip_spaces(&p);
        if (m->kind == BARE && take_currency(&p, m))
            skip_spaces(&p);
    } else if (!m->negative && m->kind == CURRENCY)
        m->negative = take_minus(&p);
    m->negative |= inside;
    return take_digits(&p, m) && take_behind(&p, m);
}

/* Can the number be read with this decimal sign, point or comma?  It stands
 * once at most, behind all groups; groups are parted by one other sign, have
 * three digits, but for the first, and do not begin with 0. */
int amount_fits(const amount *m, char decimal)
{
    size_t groups = m->parts;
    char parted = '\0';
    if (m->parts > 1 && m->mark[m->parts - 2] == decimal)
        groups--;                               /* the last run is decimals */
    for (size_t i = 0; i + 1 < groups; i++) {
        if (m->mark[i] == decimal || (parted != '\0' && m->mark[i] != parted))
            return 0;
        parted = m->mark[i];
        if (m->run[i + 1] != 3)
            return 0;
    }
    if (groups > 1 && (m->run[0] < 1 || m->run[0] > 3 || *m->body == '0' ||
                       m->exponent))
        return 0;
    return 1;
}

/* Has it groups if that is the decimal sign? */
int amount_groups(const amount *m, char decimal)
{
    return m->parts > 1 && m->mark[0] != decimal;
}

/* Has it a point or comma at all? */
char amount_mark(const amount *m)
{
    for (size_t i = 0; i + 1 < m->parts; i++)
        if (m->mark[i] == '.' || m->mark[i] == ',')
            return m->mark[i];
    return '\0';
}

/* The number, which fits that decimal sign; 0: it is too large or too long. */
int amount_value(const amount *m, char decimal, double *x)
{
    char plain[400];
    size_t n = 0;
    for (size_t i = 0; i < m->length; i++) {
        char c = m->body[i];
        if (n + 1 == sizeof plain)
            return 0;
        if (isdigit((unsigned char)c) || strchr("eE+-", c) != NULL)
            plain[n++] = c;
        else if (c == decimal)
            plain[n++] = '.';
    }
    plain[n] = '\0';
    decimal_at(plain, '.', x);
    if (m->negative)
        *x = -*x;
    return fabs(*x) <= APP_REAL_MAX;
}

/* Is it the sign of a currency, and not a unit or percent? */
int is_currency(const char *sign)
{
    amount m = {.parts = 0};
    place p = {sign, sign + strlen(sign)};
    return take_currency(&p, &m) && p.at == p.end;
}
