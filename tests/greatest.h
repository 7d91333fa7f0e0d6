/* SPDX-License-Identifier: MIT
 *
 * greatest.h - a small test harness: C99, one header, no allocation.
 *
 * The macro names, the command line and the meaning are those of *greatest*
 * 1.5 by Scott Vokes, so that either header can stand in for the other; the
 * text is our own.  One difference, on purpose: ASSERT_IN_RANGE fails for a
 * NaN, which compares with nothing.
 *
 *     TEST addition_works(void) { ASSERT_EQ(4, 2 + 2); PASS(); }
 *     SUITE(arithmetic_suite) { RUN_TEST(addition_works); }
 *     GREATEST_MAIN_DEFS();
 *     int main(int argc, char **argv)
 *     {
 *         GREATEST_MAIN_BEGIN();
 *         RUN_SUITE(arithmetic_suite);
 *         GREATEST_MAIN_END();
 *     }
 *
 * A failed assertion ends its test, not the run (-f ends the run).  Every
 * assertion has a form with a message in front: ASSERTm("why", condition).
 */
#ifndef GREATEST_H
#define GREATEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define GREATEST_TESTNAME_BUF_SIZE 128
#define GREATEST_STDOUT stdout
#define GREATEST_FPRINTF fprintf

/* ---- state: one object, defined by GREATEST_MAIN_DEFS() ---------------- */

enum greatest_test_res {
    GREATEST_TEST_RES_PASS = 0,
    GREATEST_TEST_RES_FAIL = -1,
    GREATEST_TEST_RES_SKIP = 1
};

typedef void greatest_suite_cb(void);
typedef void greatest_setup_cb(void *udata);
typedef void greatest_teardown_cb(void *udata);

struct greatest_report_t {
    unsigned passed, failed, skipped, assertions;
};

typedef struct greatest_run_info {
    struct greatest_report_t total, suite;
    int verbosity, list_only, first_fail, abort_on_fail, exact_match;
    const char *suite_filter, *test_filter, *test_exclude;
    const char *file, *msg;                 /* of the assertion that failed */
    unsigned line;
    greatest_setup_cb *setup;               /* last until the suite ends */
    greatest_teardown_cb *teardown;
    void *setup_udata, *teardown_udata;
    char name[GREATEST_TESTNAME_BUF_SIZE];  /* test_suffix */
    char suffix[GREATEST_TESTNAME_BUF_SIZE];
    unsigned column;                        /* of the line of dots */
    clock_t suite_start;
} greatest_run_info;

extern greatest_run_info greatest_info;

/* ---- running ----------------------------------------------------------- */

/* Does the filter select the name?  No filter selects all. */
static inline int greatest_selects(const char *name, const char *filter,
                                   int none)
{
    if (filter == NULL)
        return none;
    if (greatest_info.exact_match)
        return strcmp(name, filter) == 0;
    return strstr(name, filter) != NULL;
}

/* The next test is known as "name_suffix". */
static inline void greatest_set_test_suffix(const char *suffix)
{
    snprintf(greatest_info.suffix, sizeof greatest_info.suffix, "%s", suffix);
}

/* 1 if the test is to run now; then its setup has been called. */
static inline int greatest_test_pre(const char *name)
{
    greatest_run_info *g = &greatest_info;
    snprintf(g->name, sizeof g->name, "%.60s%s%.60s", name,
             g->suffix[0] != '\0' ? "_" : "", g->suffix);
    g->suffix[0] = '\0';
    if (!greatest_selects(g->name, g->test_filter, 1)
        || greatest_selects(g->name, g->test_exclude, 0))
        return 0;
    if (g->list_only) {
        printf("  %s\n", g->name);
        return 0;
    }
    if (g->first_fail && g->total.failed + g->suite.failed > 0)
        return 0;
    g->msg = NULL;
    if (g->setup != NULL)
        g->setup(g->setup_udata);
    return 1;
}

/* One letter for a result, or a whole line where there is more to say. */
static inline void greatest_print_result(enum greatest_test_res res)
{
    greatest_run_info *g = &greatest_info;
    const char *word = res == GREATEST_TEST_RES_PASS ? "PASS"
                       : res == GREATEST_TEST_RES_FAIL ? "FAIL" : "SKIP";
    int failed = res == GREATEST_TEST_RES_FAIL;
    if (!failed && g->verbosity == 0) {
        putchar(res == GREATEST_TEST_RES_PASS ? '.' : 's');
        if (++g->column % 72 == 0)
            putchar('\n');
    } else {
        if (g->column % 72 != 0)
            putchar('\n');
        g->column = 0;
        printf("%s %s", word, g->name);
        if (g->msg != NULL && g->msg[0] != '\0')
            printf(": %s", g->msg);
        if (failed)
            printf(" (%s:%u)", g->file, g->line);
        putchar('\n');
    }
    fflush(stdout);
}

/* Tears down, counts and prints. */
static inline void greatest_test_post(enum greatest_test_res res)
{
    greatest_run_info *g = &greatest_info;
    if (g->teardown != NULL)
        g->teardown(g->teardown_udata);
    if (res == GREATEST_TEST_RES_FAIL)
        g->suite.failed++;
    else if (res == GREATEST_TEST_RES_SKIP)
        g->suite.skipped++;
    else
        g->suite.passed++;
    greatest_print_result(res);
}

static inline void greatest_run_suite(greatest_suite_cb *run,
                                      const char *name)
{
    static const struct greatest_report_t none = {0, 0, 0, 0};
    greatest_run_info *g = &greatest_info;
    if (!greatest_selects(name, g->suite_filter, 1)
        || (g->first_fail && g->total.failed > 0))
        return;
    g->suite = none;
    g->column = 0;
    g->suite_start = clock();
    printf("\n* Suite %s:\n", name);
    run();
    g->setup = NULL;
    g->teardown = NULL;
    if (g->column % 72 != 0)
        putchar('\n');
    if (!g->list_only)
        printf("%u tests - %u passed, %u failed, %u skipped (%.2f s)\n",
               g->suite.passed + g->suite.failed + g->suite.skipped,
               g->suite.passed, g->suite.failed, g->suite.skipped,
               (double)(clock() - g->suite_start) / CLOCKS_PER_SEC);
    g->total.passed += g->suite.passed;
    g->total.failed += g->suite.failed;
    g->total.skipped += g->suite.skipped;
    g->suite = none;
}

static inline void greatest_get_report(struct greatest_report_t *report)
{
    *report = greatest_info.total;
}

static inline int greatest_all_passed(void)
{
    return greatest_info.total.failed == 0;
}

static inline void greatest_print_report(void)
{
    const struct greatest_report_t *t = &greatest_info.total;
    if (greatest_info.list_only)
        return;
    printf("\nTotal: %u tests, %u assertions\n",
           t->passed + t->failed + t->skipped, t->assertions);
    printf("Pass: %u, fail: %u, skip: %u.\n", t->passed, t->failed,
           t->skipped);
}

/* ---- command line ------------------------------------------------------ */

static inline void greatest_usage(const char *program)
{
    printf("Usage: %s [-hlfavex] [-s SUITE] [-t TEST] [-x EXCLUDE]\n"
           "  -h, --help  this help, then exit\n"
           "  -l          list suites and tests, then exit\n"
           "  -f          stop after the first failure\n"
           "  -a          abort() on the first failure (implies -f)\n"
           "  -v          verbose\n"
           "  -s SUITE    only suites whose name contains SUITE\n"
           "  -t TEST     only tests whose name contains TEST\n"
           "  -e          -s, -t and -x name exactly\n"
           "  -x EXCLUDE  no tests whose name contains EXCLUDE\n",
           program);
}

/* Sets the flag of one letter; 0 if there is no such flag. */
static inline int greatest_flag(char letter)
{
    greatest_run_info *g = &greatest_info;
    switch (letter) {
    case 'l': g->list_only = 1; return 1;
    case 'e': g->exact_match = 1; return 1;
    case 'f': g->first_fail = 1; return 1;
    case 'a': g->first_fail = g->abort_on_fail = 1; return 1;
    case 'v': g->verbosity++; return 1;
    default: return 0;
    }
}

static inline void greatest_parse_options(int argc, char **argv)
{
    greatest_run_info *g = &greatest_info;
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (strcmp(a, "--") == 0)
            return;
        if (strcmp(a, "-h") == 0 || strcmp(a, "--help") == 0) {
            greatest_usage(argv[0]);
            exit(EXIT_SUCCESS);
        }
        int filter = a[0] == '-' && a[1] != '\0' && a[2] == '\0'
                     && i + 1 < argc;
        if (filter && a[1] == 's') {
            g->suite_filter = argv[++i];
        } else if (filter && a[1] == 't') {
            g->test_filter = argv[++i];
        } else if (filter && a[1] == 'x') {
            g->test_exclude = argv[++i];
        } else {
            size_t known = 0;
            if (a[0] == '-')
                while (greatest_flag(a[known + 1]))
                    known++;
            if (known == 0 || a[known + 1] != '\0') {
                fprintf(stderr, "Unknown argument '%s'\n", a);
                greatest_usage(argv[0]);
                exit(EXIT_FAILURE);
            }
        }
    }
}

#define GREATEST_MAIN_DEFS() greatest_run_info greatest_info
#define GREATEST_MAIN_BEGIN() greatest_parse_options(argc, argv)
#define GREATEST_PRINT_REPORT() greatest_print_report()
#define GREATEST_MAIN_END()                                               \
    do {                                                                  \
        GREATEST_PRINT_REPORT();                                          \
        return greatest_all_passed() ? EXIT_SUCCESS : EXIT_FAILURE;       \
    } while (0)
#define GREATEST_IS_VERBOSE() (greatest_info.verbosity > 0)

/* ---- tests and suites -------------------------------------------------- */

#define TEST static enum greatest_test_res
#define SUITE(NAME) void NAME(void); void NAME(void)
#define SUITE_EXTERN(NAME) void NAME(void)
#define RUN_SUITE(NAME) greatest_run_suite(NAME, #NAME)

#define RUN_TESTp(NAME, ...)                                              \
    do {                                                                  \
        if (greatest_test_pre(#NAME))                                     \
            greatest_test_post(NAME(__VA_ARGS__));                        \
    } while (0)
#define RUN_TEST(NAME) RUN_TESTp(NAME, )
#define RUN_TEST1(NAME, ENV) RUN_TESTp(NAME, ENV)

/* void cb(void *udata), before and after each test of this suite. */
#define SET_SETUP(CB, UDATA)                                              \
    (greatest_info.setup = (CB), greatest_info.setup_udata = (UDATA))
#define SET_TEARDOWN(CB, UDATA)                                           \
    (greatest_info.teardown = (CB), greatest_info.teardown_udata = (UDATA))

#define GREATEST_END(RES, MSG)                                            \
    do {                                                                  \
        greatest_info.msg = (MSG);                                        \
        return (RES);                                                     \
    } while (0)
#define PASSm(MSG) GREATEST_END(GREATEST_TEST_RES_PASS, MSG)
#define SKIPm(MSG) GREATEST_END(GREATEST_TEST_RES_SKIP, MSG)
#define FAILm(MSG)                                                        \
    do {                                                                  \
        greatest_info.file = __FILE__;                                    \
        greatest_info.line = __LINE__;                                    \
        if (greatest_info.abort_on_fail)                                  \
            abort();                                                      \
        GREATEST_END(GREATEST_TEST_RES_FAIL, MSG);                        \
    } while (0)
#define PASS() PASSm(NULL)
#define SKIP() SKIPm(NULL)
#define FAIL() FAILm(NULL)

/* Ends the calling test with the result of a helper, unless that passed. */
#define CHECK_CALL(RES)                                                   \
    do {                                                                  \
        enum greatest_test_res greatest_res = (RES);                      \
        if (greatest_res != GREATEST_TEST_RES_PASS)                       \
            return greatest_res;                                          \
    } while (0)

/* ---- assertions -------------------------------------------------------- */

#define ASSERTm(MSG, COND)                                                \
    do {                                                                  \
        greatest_info.total.assertions++;                                 \
        if (!(COND))                                                      \
            FAILm(MSG);                                                   \
    } while (0)
#define ASSERT_FALSEm(MSG, COND) ASSERTm(MSG, !(COND))
#define ASSERT_EQm(MSG, EXP, GOT) ASSERTm(MSG, (EXP) == (GOT))
#define ASSERT_NEQm(MSG, EXP, GOT) ASSERTm(MSG, (EXP) != (GOT))
#define ASSERT_GTm(MSG, EXP, GOT) ASSERTm(MSG, (EXP) > (GOT))
#define ASSERT_GTEm(MSG, EXP, GOT) ASSERTm(MSG, (EXP) >= (GOT))
#define ASSERT_LTm(MSG, EXP, GOT) ASSERTm(MSG, (EXP) < (GOT))
#define ASSERT_LTEm(MSG, EXP, GOT) ASSERTm(MSG, (EXP) <= (GOT))
#define ASSERT_EQ_FMTm(MSG, EXP, GOT, FMT)                                \
    do {                                                                  \
        greatest_info.total.assertions++;                                 \
        if ((EXP) != (GOT)) {                                             \
            printf("\nExpected: " FMT "\n     Got: " FMT "\n",            \
                   (EXP), (GOT));                                         \
            FAILm(MSG);                                                   \
        }                                                                 \
    } while (0)
#define ASSERT_IN_RANGEm(MSG, EXP, GOT, TOL)                              \
    do {                                                                  \
        double greatest_e = (double)(EXP), greatest_g = (double)(GOT);    \
        double greatest_t = (double)(TOL);                                \
        greatest_info.total.assertions++;                                 \
        if (!(greatest_e == greatest_g                                    \
              || (greatest_e - greatest_g <= greatest_t                   \
                  && greatest_g - greatest_e <= greatest_t))) {           \
            printf("\nExpected: %.17g +/- %g\n     Got: %.17g\n",         \
                   greatest_e, greatest_t, greatest_g);                   \
            FAILm(MSG);                                                   \
        }                                                                 \
    } while (0)
#define ASSERT_STR_EQm(MSG, EXP, GOT)                                     \
    do {                                                                  \
        const char *greatest_e = (EXP), *greatest_g = (GOT);              \
        greatest_info.total.assertions++;                                 \
        if (strcmp(greatest_e, greatest_g) != 0) {                        \
            printf("\nExpected: \"%s\"\n     Got: \"%s\"\n", greatest_e,  \
                   greatest_g);                                           \
            FAILm(MSG);                                                   \
        }                                                                 \
    } while (0)
#define ASSERT_MEM_EQm(MSG, EXP, GOT, SIZE)                               \
    ASSERTm(MSG, memcmp(EXP, GOT, SIZE) == 0)

#define ASSERT(COND) ASSERTm(#COND, COND)
#define ASSERT_FALSE(COND) ASSERT_FALSEm("not: " #COND, COND)
#define ASSERT_EQ(EXP, GOT) ASSERT_EQm(#EXP " != " #GOT, EXP, GOT)
#define ASSERT_NEQ(EXP, GOT) ASSERT_NEQm(#EXP " == " #GOT, EXP, GOT)
#define ASSERT_GT(EXP, GOT) ASSERT_GTm(#EXP " <= " #GOT, EXP, GOT)
#define ASSERT_GTE(EXP, GOT) ASSERT_GTEm(#EXP " < " #GOT, EXP, GOT)
#define ASSERT_LT(EXP, GOT) ASSERT_LTm(#EXP " >= " #GOT, EXP, GOT)
#define ASSERT_LTE(EXP, GOT) ASSERT_LTEm(#EXP " > " #GOT, EXP, GOT)
#define ASSERT_EQ_FMT(EXP, GOT, FMT)                                      \
    ASSERT_EQ_FMTm(#EXP " != " #GOT, EXP, GOT, FMT)
#define ASSERT_IN_RANGE(EXP, GOT, TOL)                                    \
    ASSERT_IN_RANGEm(#EXP " != " #GOT " +/- " #TOL, EXP, GOT, TOL)
#define ASSERT_STR_EQ(EXP, GOT) ASSERT_STR_EQm(#EXP " != " #GOT, EXP, GOT)
#define ASSERT_MEM_EQ(EXP, GOT, SIZE)                                     \
    ASSERT_MEM_EQm(#EXP " != " #GOT, EXP, GOT, SIZE)

#endif /* GREATEST_H */
