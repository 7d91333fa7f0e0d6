/* SPDX-License-Identifier: MIT
 *
 * test_cli_picture.c - the SVG.
 */
#include "cli.h"

/* How often does `what` occur in the text? */
static int occurrences(const char *s, const char *what)
{
    int n = 0;
    for (; (s = strstr(s, what)) != NULL; s++)
        n++;
    return n;
}

/* The samples of a picture: each begins a line `M x,y` or follows d=". */
static int svg_samples(const char *svg)
{
    int n = 0;
    for (const char *s = svg; (s = strstr(s, "fill-opacity=\"0.8\" d=\"")) !=
                              NULL;) {
        const char *end = strstr(s, "/>");
        for (s = strchr(s, 'M'); s != NULL && s < end; s = strchr(s + 1, 'M'))
            n++;
        s = end;
    }
    return n;
}

TEST svg_is_a_picture_with_every_sample(void)
{
    static char svg[CLI_TEXT];
    cli_write("t&<x>.csv", SQUARE);
    RUNS(0, "cluster kmeans a.csv 't&<x>.csv' --svg p.svg");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strncmp(svg, "<?xml", 5) == 0);
    ASSERT(strstr(svg, "</svg>\n") != NULL);
    ASSERT(strstr(svg, "t&#38;&#60;x&#62;") != NULL);
    ASSERT(strstr(svg, "nan") == NULL);
    ASSERT_EQ_FMT(8, svg_samples(svg), "%d");
    /* The long side spans the inner 212 of 260, the short one a tenth of it
     * around the middle. */
    ASSERT(strstr(svg, "M24.00,") && strstr(svg, "M236.00,"));
    ASSERT(strstr(svg, ",119.40m") && strstr(svg, ",140.60m"));
    PASS();
}

TEST svg_goes_to_standard_output_alone(void)
{
    RUNS(0, "cluster kmeans a.csv --svg -");
    OUT_HAS("</svg>");
    ASSERT(strstr(cli_last()->out, "task ") == NULL);
    RUNS(2, "cluster kmeans a.csv --svg - --json -");
    ERR_HAS("--json and --svg both go to -");
    PASS();
}

TEST svg_leaves_out_what_a_method_has_not(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "cluster kmeans --k 2 a.csv b.csv --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strstr(svg, ">relatedness<") == NULL);
    ASSERT(strstr(svg, "fill-opacity=\"0.4\"") == NULL);     /* ribbons */
    ASSERT(strstr(svg, "equal marks do not mean") != NULL);
    RUNS(0, "transfer svm --source a.csv --target b.csv --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strstr(svg, ">objective") == NULL);
    ASSERT(strstr(svg, ">class<") != NULL);
    PASS();
}

TEST svg_shows_correspondence_relatedness_and_objective(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "cluster lssmtc --k 2 a.csv b.csv a.csv --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(12, svg_samples(svg), "%d");
    ASSERT_EQ_FMT(4, occurrences(svg, "fill-opacity=\"0.4\""), "%d");
    ASSERT_EQ_FMT(1, occurrences(svg, ">relatedness<"), "%d");
    ASSERT_EQ_FMT(9, occurrences(svg, "height=\"26\""), "%d");
    ASSERT_EQ_FMT(1, occurrences(svg, "<polyline"), "%d");
    ASSERT(strstr(svg, ">20 iterations<") != NULL);
    ASSERT(strstr(svg, "Matched clusters have the same color") != NULL);
    /* Light as it stands, dark where the reader asks for it. */
    ASSERT(strstr(svg, "prefers-color-scheme:dark") != NULL);
    ASSERT(strstr(svg, "fill=\"#ffffff\"") != NULL);
    RUNS(0, "cluster kmeans --k 2 a.csv b.csv --svg p.svg "
            "--quiet");
    ASSERT_EQ_FMT(4, occurrences(cli_read(cli_path("p.svg"), svg),
                                 "<polyline"), "%d");   /* and the legend's */
    /* snmf's start is far above all that follows, unless the graph is tiny. */
    RUNS(0, "generate blobs --n 40 --tasks 1 --out g");
    RUNS(0, "cluster snmf g/blobs1.svm --svg p.svg --json -");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(json_number("objective.0.0") > 10 * json_number("objective.0.1"));
    ASSERT(strstr(svg, ">objective after the first step<") != NULL);
    ASSERT(strstr(svg, ">1</text>") != NULL);
    PASS();
}

TEST svg_of_many_samples_shows_all(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "generate blobs --n 1500 --tasks 1 --out g");
    RUNS(0, "cluster kmeans --restarts 1 g/blobs1.svm --svg p.svg");
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(1500, svg_samples(svg), "%d");
    PASS();
}

TEST svg_shortens_long_names_and_takes_many_clusters(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "generate blobs --n 60 --tasks 8 --out g");
    RUNS(0, "cluster kmeans --k 20 g/blobs1.svm g/blobs2.svm g/blobs3.svm "
            "g/blobs4.svm g/blobs5.svm g/blobs6.svm g/blobs7.svm g/blobs8.svm "
            "--svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(480, svg_samples(svg), "%d");
    ASSERT(strstr(svg, "viewBox=\"0 0 1040 ") != NULL);      /* rows of 4 */
    cli_write("a_name_that_goes_on_and_on_and_on_and_on_for_ever_2026.csv",
              SQUARE);
    RUNS(0, "cluster kmeans --svg p.svg --quiet "
            "a_name_that_goes_on_and_on_and_on_and_on_for_ever_2026.csv");
    ASSERT(strstr(cli_read(cli_path("p.svg"), svg),
                  ">a_name_that_goes_on_a..r_ever_2026<") != NULL);
    PASS();
}

TEST svg_of_data_without_spread_is_fine(void)
{
    static char svg[CLI_TEXT];
    cli_write("same.csv", "1,1\n1,1\n");
    RUNS(0, "cluster kmeans --k 1 same.csv --svg p.svg");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strstr(svg, "nan") == NULL && strstr(svg, "inf") == NULL);
    PASS();
}

SUITE(cli_picture_suite)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(svg_is_a_picture_with_every_sample);
    RUN_TEST(svg_goes_to_standard_output_alone);
    RUN_TEST(svg_leaves_out_what_a_method_has_not);
    RUN_TEST(svg_shows_correspondence_relatedness_and_objective);
    RUN_TEST(svg_of_many_samples_shows_all);
    RUN_TEST(svg_shortens_long_names_and_takes_many_clusters);
    RUN_TEST(svg_of_data_without_spread_is_fine);
}
