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

/* The samples of a picture: paths that say which row they are. */
static int svg_samples(const char *svg)
{
    int n = 0;
    for (const char *s = svg; (s = strstr(s, "z\"><title>")) != NULL; s++)
        n++;
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
    ASSERT(strstr(svg, "<title>row 4, cluster 1</title>") != NULL);
    /* The long side spans the inner 212 of 260, the short one a tenth of it
     * around the middle of a frame that has room for three tenths. */
    ASSERT(strstr(svg, "M24.00,") && strstr(svg, "M236.00,"));
    ASSERT(strstr(svg, "width=\"252\" height=\"104\""));
    ASSERT(strstr(svg, ",45.20m") && strstr(svg, ",66.40m"));
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
    ASSERT(strstr(svg, "equal marks do not mean") == NULL);
    RUNS(0, "cluster ec --k 2 a.csv b.csv --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strstr(svg, "equal marks do not mean") != NULL);
    RUNS(0, "transfer svm --source a.csv --target b.csv --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strstr(svg, ">objective") == NULL);
    ASSERT(strstr(svg, ">class<") != NULL);
    PASS();
}

TEST svg_shows_relatedness_and_objective(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "cluster lssmtc --k 2 a.csv b.csv a.csv --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(12, svg_samples(svg), "%d");
    ASSERT_EQ_FMT(1, occurrences(svg, ">relatedness<"), "%d");
    ASSERT_EQ_FMT(9, occurrences(svg, "height=\"26\""), "%d");
    ASSERT_EQ_FMT(1, occurrences(svg, "<polyline"), "%d");
    ASSERT(strstr(svg, ">20 iterations<") != NULL);
    ASSERT(strstr(svg, "Matched clusters have the same color") != NULL);
    /* Light as it stands, dark where the reader asks for it. */
    ASSERT(strstr(svg, "prefers-color-scheme:dark") != NULL);
    ASSERT(strstr(svg, "fill=\"#ffffff\"") != NULL);
    RUNS(0, "cluster kmeans --k 2 a.csv b.csv --svg p.svg --quiet");
    ASSERT(strstr(cli_read(cli_path("p.svg"), svg), "<polyline") == NULL);
    RUNS(0, "generate blobs --n 40 --tasks 1 --out g");
    RUNS(0, "cluster snmf g/blobs1.svm --svg p.svg");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strstr(svg, ">objective<") != NULL);
    PASS();
}

TEST svg_of_many_samples_shows_all(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "generate blobs --n 1500 --tasks 1 --out g");
    RUNS(0, "cluster kmeans --k 3 --restarts 1 g/blobs1.svm --svg p.svg");
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(1500, svg_samples(svg), "%d");
    PASS();
}

TEST svg_shortens_long_names_and_takes_many_clusters(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "generate blobs --n 60 --tasks 4 --out g");
    RUNS(0, "cluster kmeans --k 20 g/blobs1.svm g/blobs2.svm g/blobs3.svm "
            "g/blobs4.svm --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(240, svg_samples(svg), "%d");
    ASSERT(strstr(svg, "viewBox=\"0 0 1040 ") != NULL);      /* rows of 4 */
    cli_write("a_name_that_goes_on_and_on_and_on_and_on_for_ever_2026.csv",
              SQUARE);
    RUNS(0, "cluster kmeans --svg p.svg --quiet "
            "a_name_that_goes_on_and_on_and_on_and_on_for_ever_2026.csv");
    ASSERT(strstr(cli_read(cli_path("p.svg"), svg),
                  ">a_name_that_goes_on_a\xe2\x80\xa6r_ever_2026<") != NULL);
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

/* Every tag is closed in its turn, values stand in quotes, and no & or < stands
 * by itself. */
static int well_formed(const char *s)
{
    const char *open[32];
    size_t depth = 0;
    for (; *s != '\0'; s++) {
        if (*s == '&' && strchr(s, ';') == NULL)
            return 0;
        if (*s != '<')
            continue;
        const char *end = strchr(s, '>');
        if (end == NULL)
            return 0;
        if (s[1] == '/') {
            const char *name = depth > 0 ? open[--depth] : "?";
            size_t length = (size_t)(end - s - 2);
            if (strncmp(name, s + 2, length) != 0 ||
                strchr(" >", name[length]) == NULL)
                return 0;
        } else if (s[1] != '?') {
            size_t quotes = 0;
            for (const char *c = s; c < end; c++)
                quotes += *c == '"';
            if (quotes % 2 != 0 || depth == 32)
                return 0;
            if (end[-1] != '/')
                open[depth++] = s + 1;
        }
        s = end;
    }
    return depth == 0;
}

/* The value of an attribute of the tag at s, or `otherwise`. */
static double attribute(const char *s, const char *name, double otherwise)
{
    char wanted[32];
    const char *end = strchr(s, '>');
    sprintf(wanted, " %s=\"", name);
    const char *at = strstr(s, wanted);
    return at != NULL && at < end ? atof(at + strlen(wanted)) : otherwise;
}

typedef struct box { double x0, x1, y0, y1; } box;

/* Where the text at s stands, a letter being .56 of the font's size wide; one
 * in an svg of its own is cut there. */
static box text_box(const char *s, const char *frame)
{
    double size = attribute(s, "font-size", 13), letters = 0;
    const char *end = strstr(s, "</text>");
    for (const char *c = strchr(s, '>') + 1; c < end; c++) {
        letters += ((unsigned char)*c & 0xc0) != 0x80;
        if (*c == '&')
            c = strchr(c, ';');
    }
    double wide = .56 * size * letters;
    double x = attribute(s, "x", 0), y = attribute(s, "y", 0);
    const char *anchor = strstr(s, "text-anchor=\"");
    if (anchor != NULL && anchor < end)
        x -= anchor[13] == 'e' ? wide : anchor[13] == 'm' ? wide / 2 : 0;
    if (frame != NULL) {
        x += attribute(frame, "x", 0);
        y += attribute(frame, "y", 0);
        if (wide > attribute(frame, "width", 0))
            wide = attribute(frame, "width", 0);
    }
    box b = {x, x + wide, y - .75 * size, y};
    return b;
}

/* Are all texts on the page, and none upon another? */
static int texts_fit(const char *svg)
{
    static box b[400];
    size_t n = 0;
    const char *root = strstr(svg, "<svg");
    double width = attribute(root, "width", 0);
    double height = attribute(root, "height", 0);
    for (const char *s = svg; (s = strstr(s, "<text")) != NULL; s++) {
        const char *frame = NULL, *back = s;
        while (back > root && strncmp(back, "\n", 1) != 0)
            back--;
        if (strncmp(back, "\n<svg x", 7) == 0)
            frame = back + 1;
        if (n == 400)
            return 0;
        b[n] = text_box(s, frame);
        if (b[n].x0 < 0 || b[n].x1 > width || b[n].y0 < 0 ||
            b[n].y1 > height) {
            printf("beyond the page: %.60s\n", s);
            return 0;
        }
        for (size_t i = 0; i < n; i++)
            if (b[i].x0 < b[n].x1 && b[n].x0 < b[i].x1 &&
                b[i].y0 < b[n].y1 && b[n].y0 < b[i].y1) {
                printf("upon another: %.60s\n", s);
                return 0;
            }
        n++;
    }
    return n > 0;
}

TEST svg_is_well_formed_and_its_texts_fit(void)
{
    static char svg[CLI_TEXT];
    static const char *const runs[] = {
        "cluster lssmtc --k 2 a.csv b.csv a.csv --svg p.svg --quiet",
        "cluster mbc g/blobs1.svm g/blobs2.svm --svg p.svg --quiet",
        "cluster kmeans --k 20 g/blobs1.svm g/blobs2.svm g/blobs3.svm "
        "g/blobs4.svm g/blobs5.svm --svg p.svg --quiet",
        "cluster mtcfir g/blobs1.svm g/blobs2.svm g/blobs3.svm --svg p.svg "
        "--quiet",
        "cluster kmeans b.csv --k 1 --svg p.svg --quiet",
        "cluster auto g/blobs1.svm g/blobs2.svm --svg p.svg --quiet",
        "transfer svm --source named.csv --target b.csv --svg p.svg --quiet",
        "transfer trec --source g/blobs1.svm --target g/blobs2.svm --svg "
        "p.svg --quiet"};
    RUNS(0, "generate blobs --n 40 --tasks 5 --out g --quiet");
    cli_write("named.csv", "x,y,class\n0,0,a rather long word\n"
              "0,1,a rather long word\n9,0,<&>\n9,1,<&>\n");
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        ASSERT_EQ(0, cli(runs[i]));
        cli_read(cli_path("p.svg"), svg);
        ASSERTm(runs[i], well_formed(svg));
        ASSERTm(runs[i], texts_fit(svg));
    }
    PASS();
}

/* Two tasks, one the other moved to the right by its own width: on common axes
 * it lies there, on its own axes at the same place. */
TEST svg_has_common_axes(void)
{
    static char svg[CLI_TEXT];
    cli_write("left.csv", "x,y\n0,0\n0,1\n10,0\n10,1\n");
    cli_write("right.csv", "x,y\n10,0\n10,1\n20,0\n20,1\n");
    RUNS(0, "cluster kmeans --k 2 --preprocess none left.csv right.csv "
         "--svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(2, occurrences(svg, "M24.00,"), "%d");
    ASSERT_EQ_FMT(4, occurrences(svg, "M130.00,"), "%d");
    ASSERT_EQ_FMT(2, occurrences(svg, "M236.00,"), "%d");
    /* Variances: of x 50, of y .25. */
    ASSERT(strstr(svg, "Axes: principal components of all together, 100 "
                       "% and 0 % of variance.") != NULL);
    PASS();
}

TEST svg_of_a_transfer_shows_sources_and_errors(void)
{
    static char svg[CLI_TEXT];
    cli_write("odd.csv", "x,y,label\n0,0,5\n0,1,7\n10,0,7\n10,1,7\n");
    RUNS(0, "transfer svm --source a.csv --target odd.csv --svg p.svg "
            "--quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(8, svg_samples(svg), "%d");
    ASSERT_EQ_FMT(1, occurrences(svg, "m-6,0a6,6"), "%d");
    ASSERT(strstr(svg, ">source a<") && strstr(svg, ">target odd<"));
    ASSERT(strstr(svg, ">mtc transfer svm, 2 classes, accuracy 0.75<"));
    ASSERT(strstr(svg, "Ringed: not the class that the file has.") != NULL);
    PASS();
}

/* 7 colors: the eighth cluster has the first one's, another shape, a ring. */
TEST svg_tells_more_clusters_than_colors_apart(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "generate blobs --n 60 --tasks 1 --out g --quiet");
    RUNS(0, "cluster kmeans --k 8 g/blobs1.svm --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(2, occurrences(svg, "class=\"c0 r\""), "%d");
    ASSERT_EQ_FMT(0, occurrences(svg, "class=\"c1 r\""), "%d");
    PASS();
}

TEST svg_of_very_many_samples_is_thinned_and_says_so(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "generate blobs --n 5001 --tasks 1 --out g --quiet");
    RUNS(0, "cluster kmeans --k 3 --restarts 1 g/blobs1.svm --svg p.svg "
            "--quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(2501, svg_samples(svg), "%d");
    ASSERT(strstr(svg, ">Of large tasks only some samples are drawn.<"));
    PASS();
}

/* Clusters have a color by what they correspond to, not by their number. */
TEST svg_colors_follow_the_plans(void)
{
    static char svg[CLI_TEXT];
    cli_write("two.csv", "x\n0\n0.5\n9.5\n10\n");
    cli_write("three.csv", "x\n0\n0.5\n9.5\n10\n30\n30.5\n");
    RUNS(0, "cluster mbc --k 2,3 --restarts 5 two.csv three.csv --svg p.svg "
         "--quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strstr(svg, "Matched clusters have the same color and shape; others "
                  "have their own.") != NULL);
    RUNS(0, "cluster kmeans --k 2 two.csv three.csv --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strstr(svg, "Matched clusters have the same color") != NULL);
    cli_write("named.csv", "who,x\nAnn & Co,0\nBob,0.5\nEve,9.5\n");
    RUNS(0, "cluster kmeans --k 2 named.csv --id who --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strstr(svg, "<title>Ann &#38; Co, cluster 0</title>") !=
           NULL);
    PASS();
}

/* Starts with other numbers: group 0 of the one file is 1 of the other, and has
 * one color. */
TEST svg_colors_follow_groups_with_other_numbers(void)
{
    static char svg[CLI_TEXT];
    static const char *const color[] = {"c0", "c1", "c1", "c0"};
    char rows[1000] = "", straight[200] = "", crossed[200] = "", one[40];
    for (int i = 0; i < 30; i++) {
        sprintf(one, "%d,%d\n", i % 2 * 50 + i / 2, i % 5);
        strcat(rows, one);
        strcat(straight, i % 2 ? "1\n" : "0\n");
        strcat(crossed, i % 2 ? "0\n" : "1\n");
    }
    cli_write("p.csv", rows);
    cli_write("q.csv", rows);
    cli_write("p.start", straight);
    cli_write("q.start", crossed);
    RUNS(0, "cluster kmeans --k 2 p.csv q.csv --init p.start,q.start "
            "--svg p.svg --quiet");
    const char *at = cli_read(cli_path("p.svg"), svg);
    for (int g = 0; g < 4; g++) {
        at = strstr(at + 1, "<g class=\"");
        ASSERT(at != NULL && strncmp(at + 10, color[g], 2) == 0);
    }
    PASS();
}

/* Many tasks are small squares, and relatedness has no figures. */
TEST svg_of_many_tasks_is_a_grid(void)
{
    static char svg[CLI_TEXT];
    char args[1000] = "cluster lssmtc --k 2 --svg p.svg --quiet", one[20];
    for (int t = 0; t < 24; t++) {
        sprintf(one, " g%02d.csv", t);
        strcat(args, one);
        cli_write(one + 1, "x,y\n0,1\n0.5,2\n9.5,2\n10,1\n");
    }
    RUNS(0, args);
    cli_read(cli_path("p.svg"), svg);
    ASSERT_EQ_FMT(96, svg_samples(svg), "%d");
    ASSERT(strstr(svg, "width=\"88\" height=\"") != NULL);
    ASSERT(strstr(svg, ">g23</text>") != NULL);
    ASSERT(strstr(svg, "<title>g00, g01: ") != NULL);
    PASS();
}

TEST relate_draws_its_matrices(void)
{
    static char svg[CLI_TEXT];
    RUNS(0, "relate a.csv a.csv --svg p.svg --quiet");
    cli_read(cli_path("p.svg"), svg);
    ASSERT(strstr(svg, ">MMD</text>") && strstr(svg, ">A-distance</text>") &&
           strstr(svg, ">EMD</text>"));
    ASSERT(strstr(svg, "The darker, the farther apart.") != NULL);
    ASSERT(strstr(svg, ">The two tasks have too few samples to") != NULL);
    RUNS(0, "relate a.csv a.csv --svg -");
    ASSERT(strncmp(cli_last()->out, "<?xml", 5) == 0);
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
    RUN_TEST(svg_shows_relatedness_and_objective);
    RUN_TEST(svg_of_many_samples_shows_all);
    RUN_TEST(svg_shortens_long_names_and_takes_many_clusters);
    RUN_TEST(svg_of_data_without_spread_is_fine);
    RUN_TEST(svg_is_well_formed_and_its_texts_fit);
    RUN_TEST(svg_has_common_axes);
    RUN_TEST(svg_of_a_transfer_shows_sources_and_errors);
    RUN_TEST(svg_tells_more_clusters_than_colors_apart);
    RUN_TEST(svg_of_very_many_samples_is_thinned_and_says_so);
    RUN_TEST(svg_colors_follow_the_plans);
    RUN_TEST(svg_colors_follow_groups_with_other_numbers);
    RUN_TEST(svg_of_many_tasks_is_a_grid);
    RUN_TEST(relate_draws_its_matrices);
}
