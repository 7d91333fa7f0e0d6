/* SPDX-License-Identifier: MIT
 *
 * main.c - runs every suite.  suites.h is written by the Makefile: one line
 * RUN(name) for each SUITE(name) in the rooms.  Say `build/tests -h` for the
 * flags.  The last line is "N passed, N failed"; skipped tests are
 * in neither.  A run without any test is a failure, unless the two halves of
 * tools/run.sh divide the suites: one of them may be empty.
 */
#include <stdlib.h>
#include <string.h>

#include "greatest.h"

#define RUN(name) SUITE_EXTERN(name);
#include "suites.h"
#undef RUN

GREATEST_MAIN_DEFS();

/* TESTS_ONLY is how the names of the suites to be run begin, TESTS_WITHOUT the
 * same of those to be left out; flags choose among what is left. */
static int is_wanted(const char *suite)
{
    const char *only = getenv("TESTS_ONLY"), *without = getenv("TESTS_WITHOUT");
    return (only == NULL || strncmp(suite, only, strlen(only)) == 0) &&
           (without == NULL || strncmp(suite, without, strlen(without)) != 0);
}

static int is_a_half(void)
{
    return getenv("TESTS_ONLY") != NULL || getenv("TESTS_WITHOUT") != NULL;
}

int main(int argc, char **argv)
{
    GREATEST_MAIN_BEGIN();
#define RUN(name) if (is_wanted(#name)) RUN_SUITE(name);
#include "suites.h"
#undef RUN
    struct greatest_report_t report;
    greatest_get_report(&report);
    GREATEST_PRINT_REPORT();
    printf("%u passed, %u failed\n", report.passed, report.failed);
    if (report.passed + report.failed + report.skipped == 0 && !is_a_half()) {
        puts("FAIL: no test was run");
        return EXIT_FAILURE;
    }
    return report.failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
