/* SPDX-License-Identifier: MIT
 *
 * date.c - dates and times
 *
 *   2024-05-31  2024/05/31  2024-05  2024-05-31T14:30:15.5Z  14:30
 *   31.5.2024   5/31/2024 or 31/5/2024, with or without a time behind a space
 *
 * Years have four digits.  Of a date with slashes one value may not tell which
 * number is the day: both are kept.
 */
#include "../base/data.h"

#include <ctype.h>
#include <string.h>

/* A number of `least` to `most` digits at *s; -1: there is none. */
static int digits_at(const char **s, const char *end, int least, int most)
{
    int n = 0, x = 0;
    for (; *s < end && n < most && isdigit((unsigned char)**s); ++*s, n++)
        x = 10 * x + (**s - '0');
    return n < least || (*s < end && isdigit((unsigned char)**s)) ? -1 : x;
}

static int takes(const char **s, const char *end, const char *any)
{
    if (*s == end || strchr(any, **s) == NULL)
        return 0;
    ++*s;
    return 1;
}

/* hh:mm, hh:mm:ss or hh:mm:ss.fff as a share of a day; 0: it is none.  A day
 * ends at 24:00. */
static int clock_at(const char **s, const char *end, double *day)
{
    double second = 0, unit = 1;
    int hour = digits_at(s, end, 1, 2);
    if (hour < 0 || hour > 24 || !takes(s, end, ":"))
        return 0;
    int minute = digits_at(s, end, 2, 2);
    if (minute < 0 || minute > 59)
        return 0;
    if (takes(s, end, ":")) {
        int whole = digits_at(s, end, 2, 2);
        if (whole < 0 || whole > 60)
            return 0;
        second = whole;
        if (takes(s, end, ".,"))
            for (; *s < end && isdigit((unsigned char)**s); ++*s) {
                unit /= 10;
                second += unit * (**s - '0');
            }
    }
    *day = (hour * 3600.0 + minute * 60.0 + second) / 86400;
    return hour < 24 || *day == 1;
}

/* Z, +hh:mm, +hhmm or +hh, which leads to the time at Greenwich. */
static int zone_at(const char **s, const char *end, double *day)
{
    if (*s == end || takes(s, end, "Z"))
        return 1;
    int east = **s == '+';
    if (!takes(s, end, "+-"))
        return 0;
    int hour = 0, minute = 0, digits = 0;
    for (; *s < end && digits < 4; ++*s) {
        if (**s == ':' && digits == 2)
            continue;
        if (!isdigit((unsigned char)**s))
            return 0;
        if (digits++ < 2)
            hour = 10 * hour + (**s - '0');
        else
            minute = 10 * minute + (**s - '0');
    }
    *day += (east ? -1 : 1) * (hour * 60.0 + minute) / 1440;
    return digits == 2 || digits == 4;
}

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* Days since the first of March of the year 0. */
static double day_number(int year, int month, int day)
{
    int y = month > 2 ? year : year - 1, m = (month + 9) % 12;
    return 365.0 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1;
}

static int is_day(int year, int month, int day)
{
    return month >= 1 && month <= 12 && day >= 1 && day <= days_in(year, month);
}

/* Year, month, day; or in one of the other orders. */
static int calendar_at(const char **s, const char *end, date *d)
{
    const char *start = *s;
    int year = digits_at(s, end, 4, 4);
    if (year >= 0 && *s < end && (**s == '-' || **s == '/')) {
        char by[2] = {**s, '\0'};
        ++*s;
        int month = digits_at(s, end, 2, 2), day = 1;
        if (takes(s, end, by))
            day = digits_at(s, end, 2, 2);
        else if (*by == '/')
            return 0;
        d->day_first = d->month_first = is_day(year, month, day);
        if (d->day_first)
            d->days[0] = d->days[1] = day_number(year, month, day);
        return d->day_first;
    }
    *s = start;
    int one = digits_at(s, end, 1, 2);
    int point = *s < end && **s == '.';
    if (one < 0 || !takes(s, end, "./"))
        return 0;
    int two = digits_at(s, end, 1, 2);
    if (two < 0 || !takes(s, end, point ? "." : "/"))
        return 0;
    year = digits_at(s, end, 4, 4);
    d->day_first = year >= 0 && is_day(year, two, one);
    d->month_first = !point && year >= 0 && is_day(year, one, two);
    d->slashes = !point;
    if (d->day_first)
        d->days[0] = day_number(year, two, one);
    if (d->month_first)
        d->days[1] = day_number(year, one, two);
    else
        d->days[1] = d->days[0];
    return d->day_first || d->month_first;
}

/* Is the text of n bytes a date, a time or both? */
int date_at(const char *s, size_t n, date *d)
{
    const char *end = s + n;
    double day = 0;
    memset(d, 0, sizeof *d);
    if (n >= 4 && (s[1] == ':' || s[2] == ':')) {
        d->day_first = d->month_first = 1;
        if (!clock_at(&s, end, &day) || s != end)
            return 0;
        day += TIMES;
    } else {
        if (!calendar_at(&s, end, d))
            return 0;
        if (s < end && (!takes(&s, end, "T ") || !clock_at(&s, end, &day) ||
                        !zone_at(&s, end, &day) || s != end))
            return 0;
    }
    d->days[0] += day;
    d->days[1] += day;
    return 1;
}

/* Is it 31.5.24 or the like, which may be of any century and order? */
int is_short_date(const char *s)
{
    const char *end = s + strlen(s);
    char by[2] = {'\0', '\0'};
    if (digits_at(&s, end, 1, 2) < 0 || s == end)
        return 0;
    *by = *s;
    if (!takes(&s, end, "./-") || digits_at(&s, end, 1, 2) < 0 ||
        !takes(&s, end, by))
        return 0;
    return digits_at(&s, end, 2, 2) >= 0 && (s == end || *s == ' ');
}

/* "2024-05-31" of a day, a time of day aside. */
const char *day_text(app *a, double days)
{
    int number = (int)days, year = number / 366, month = 3;
    while (day_number(year + 1, 3, 1) <= number)
        year++;
    int rest = number - (int)day_number(year, 3, 1);
    while (rest >= days_in(month < 3 ? year + 1 : year, month)) {
        rest -= days_in(month < 3 ? year + 1 : year, month);
        month = month % 12 + 1;
    }
    return formed(a, "%04d-%02d-%02d", month < 3 ? year + 1 : year, month,
                  rest + 1);
}
