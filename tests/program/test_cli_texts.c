/* SPDX-License-Identifier: MIT
 *
 * test_cli_texts.c - texts as tasks: directories, columns of tables, JSON
 * lines; words, weights, models; and what is no text.  `vectorize` shows what
 * was counted: expected values are counted by hand.
 */
#include "cli.h"

/* Files of the last `vectorize --out v`. */
static const char *vector_file(const char *name)
{
    static char text[CLI_TEXT];
    char path[80];
    sprintf(path, "v/%s", name);
    return cli_read(cli_path(path), text);
}

/* The words of a text in one column, with a space behind each. */
static const char *words_of(const char *line, const char *options)
{
    static char text[CLI_TEXT];
    char args[400];
    sprintf(text, "t\n\"%s\"\n\"%s\"\n", line, line);
    cli_write("w.csv", text);
    sprintf(args, "vectorize w.csv --text t --max-share 1 --quiet --out v %s",
            options);
    if (cli(args) != 0)
        return cli_last()->err;
    strcpy(text, vector_file("words.txt"));
    for (char *s = text; *s != '\0'; s++)
        *s = *s == '\n' ? ' ' : *s;
    return text;
}

#define WORDS(expected, line, options) \
    ASSERT_STR_EQ(expected, words_of(line, "--stop none " options))

/* Two classes of two texts each. */
static void write_folder(void)
{
    (void)cli_shell("rm -rf d v && mkdir -p d/pets d/money");
    cli_write("d/pets/b", "The cat and the dog; CAT!\n");
    cli_write("d/pets/a", "a cat in the hat, a dog\n");
    cli_write("d/money/x", "stock and bond\n");
    cli_write("d/money/y", "bond in the bank of stock, stock\n");
}

/* ---- words --------------------------------------------------------------- */

TEST words_are_runs_of_letters(void)
{
    WORDS("abc def ghi ", "Abc, DEF! x 12 ghi", "");
    WORDS("ab cd don ", "ab1cd don't", "");
    WORDS("ab1cd don v2 ", "ab1cd don't 33v2", "--token alnum");
    WORDS("abc abcd ", "a ab abc abcd abcde", "--word-length 3-4");
    WORDS("a ab ", "a ab abc", "--word-length 1-2");
    WORDS("caf\xc3\xa9 \xce\xb1\xce\xb2\xce\xb3 \xd0\xbc\xd0\xb8\xd1\x80 ",
          "CAF\xc3\x89 \xce\x91\xce\x92\xce\x93 \xd0\x9c\xd0\x98\xd0\xa0", "");
    WORDS("ab\xcc\x81" "c ", "Ab\xcc\x81" "c", "");
    WORDS("\xe4\xb8\xad \xe4\xb8\xad\xe6\x96\x87 \xe6\x96\x87 ",
          "\xe4\xb8\xad\xe6\x96\x87", "");
    WORDS("\xe4\xb8\xad \xe6\x96\x87 ", "\xe4\xb8\xad \xe6\x96\x87", "");
    WORDS("ab \xe4\xb8\xad \xe6\x96\x87 ", "\xe4\xb8\xad" "ab\xe6\x96\x87", "");
    PASS();
}

TEST stems_and_stop_words_look_at_the_word(void)
{
    WORDS("cat relat run ", "cats cat relational relate running runs",
          "--stem english");
    WORDS("be done ", "being done", "--stem english");
    ASSERT_STR_EQ("cat ", words_of("The cat and of", ""));
    ASSERT_STR_EQ("cat dog ", words_of("cat the the dog", "--stop english"));
    ASSERT_STR_EQ("dog the ", words_of("cat the dog", "--stop stops.txt"));
    ASSERT_STR_EQ("and cat und ", words_of("cat und and", "--stop none"));
    RUNS(0, "help words");
    OUT_HAS(" the ");
    PASS();
}

TEST markup_is_left_out(void)
{
    WORDS("page text ", "<p class=x>Text of-a</p> page", "--markup html "
          "--word-length 4-9");
    WORDS("page text ", "text <a title = 'x > no' alt=\"\"y > no\"\">page</a>",
          "--markup html");
    WORDS("page text ", "text page <a href", "--markup html");
    WORDS("page text ", "text <a title=\"\"x>page</a>", "--markup html");
    WORDS("caf\xc3\xa9 ", "caf&eacute;<script>no</script>", "--markup html");
    WORDS("ab cd ", "<styled-box>ab</styled-box> cd", "--markup html");
    WORDS("page text ", "text <!-- no --!> page <!-- no -->", "--markup html");
    WORDS("cat dog page ", "cat&rsquo;s dog&mdash;page&hellip;",
          "--markup html");
    WORDS("c\xc5\x93ur d r ", "c&oelig;ur R&D;", "--markup html "
          "--word-length 1-9");
    cli_write("m.csv", "t\n\"From: me\nSubject: hello\n\n> old\nnew <b>one</b>"
              "\n-- \nname\"\n\"Subject: hello\n\nnew one\"\n");
    RUNS(0, "vectorize m.csv --text t --max-share 1 --stop none --quiet "
         "--markup mail,html --out v");
    ASSERT_STR_EQ("hello\nnew\none\n", vector_file("words.txt"));
    cli_write("m.csv", "t\n\"From me\nTo: you\n\nnew one\"\n"
              "\"new\none\n\n> old\n-- \nname\"\nnew: one\n");
    RUNS(0, "vectorize m.csv --text t --max-share 1 --stop none --quiet "
         "--min-texts 1 --markup mail --out v");
    ASSERT_STR_EQ("new\none\n", vector_file("words.txt"));
    RUNS(2, "vectorize m.csv --text t --markup sgml --out v");
    ERR_HAS("--markup sgml: expected one of none|html|mail|mail,html");
    PASS();
}

TEST few_and_many_texts_do_not_keep_a_word(void)
{
    cli_write("s.csv", "t\naa bb cc\naa bb\naa dd bb\naa dd ee\n");
    RUNS(0, "vectorize s.csv --text t --stop none --quiet --out v");
    ASSERT_STR_EQ("dd\n", vector_file("words.txt"));
    RUNS(0, "vectorize s.csv --text t --stop none --quiet --out v "
         "--max-share .75 --min-texts 1");
    ASSERT_STR_EQ("bb\ncc\ndd\nee\n", vector_file("words.txt"));
    RUNS(0, "vectorize s.csv --text t --stop none --quiet --out v "
         "--max-share 1 --vocabulary 2");
    ASSERT_STR_EQ("aa\nbb\n", vector_file("words.txt"));
    RUNS(0, "vectorize s.csv --text t --stop none --quiet --out v "
         "--max-share .3 --min-texts 1 --vocabulary 1");
    ASSERT_STR_EQ("cc\n", vector_file("words.txt"));
    RUNS(1, "vectorize s.csv --text t --stop none --min-texts 5 --out v");
    ERR_HAS("no word is left");
    PASS();
}

/* ---- where texts come from ----------------------------------------------- */

/* A target needs no labels, whatever the source calls its own. */
TEST lines_of_a_target_need_no_labels(void)
{
    cli_write("s.jsonl", "{\"t\":\"cat\",\"mood\":\"p\"}\n"
              "{\"t\":\"cat\",\"mood\":\"p\"}\n"
              "{\"t\":\"bond\",\"mood\":\"m\"}\n"
              "{\"t\":\"bond\",\"mood\":\"m\"}\n");
    cli_write("n.jsonl", "{\"t\":\"bond\"}\n{\"t\":\"cat\"}\n");
    RUNS(0, "transfer nb --source s.jsonl --target n.jsonl --text t --labels "
         "mood --json -");
    ASSERT(json_is("tasks.0.labels", "[1, 0]"));
    RUNS(1, "transfer nb --source n.jsonl --target s.jsonl --text t --labels "
         "mood");
    ERR_HAS("n.jsonl");
    PASS();
}

/* A line without a label is a row without one, as of a table. */
TEST lines_without_a_label_can_go(void)
{
    cli_write("s.jsonl", "{\"t\":\"cat\",\"label\":\"p\"}\n"
              "{\"t\":\"bond\",\"label\":null}\n{\"t\":\"stock\"}\n"
              "{\"t\":\"cat\",\"label\":\"p\"}\n"
              "{\"t\":\"bond\",\"label\":\"m\"}\n"
              "{\"t\":\"bond\",\"label\":\"m\"}\n");
    cli_write("n.jsonl", "{\"t\":\"bond\"}\n{\"t\":\"cat\"}\n");
    RUNS(1, "transfer nb --source s.jsonl --target n.jsonl --text t");
    ERR_HAS("s.jsonl:2: the label is empty: --missing drop leaves such rows ");
    RUNS(0, "transfer nb --source s.jsonl --target n.jsonl --text t --missing "
         "drop --json -");
    ERR_HAS("s.jsonl: 2 of 6 rows have missing values and are left out");
    ASSERT(json_is("tasks.0.labels", "[1, 0]"));
    RUNS(0, "vectorize s.jsonl --text t --missing drop --out v");
    ASSERT_STR_EQ("1 2:1\n1 2:1\n0 1:1\n0 1:1\n", vector_file("s.svm"));
    RUNS(0, "cluster kmeans s.jsonl --k 2 --text t --max-share 1 --missing "
         "drop --json -");
    JSON_NEAR("tasks.0.n", 6);                  /* clusters need no labels */
    ERR_HAS("2 of 6 labels are missing, so that the file is not scored");
    PASS();
}

TEST german_is_not_taken_for_english(void)
{
    cli_write("g.csv", "t\nEin Hund liegt in dem Garten\n"
              "Die Katze in der Stadt\nEin Baum steht in dem Wald\n"
              "Der Hund in dem Haus\n");
    RUNS(0, "vectorize g.csv --text t --min-texts 1 --out v");
    ASSERT(strstr(cli_last()->err, "taken for English") == NULL);
    PASS();
}

TEST a_directory_is_a_task(void)
{
    write_folder();
    cli_write("d/.hidden", "zebra zebra");
    ASSERT_EQ(0, cli_shell("ln -s ../../stops.txt d/pets/c"));
    RUNS(0, "vectorize d --out v --preprocess none");
    ERR_HAS("the texts are taken for English (most have the,");
    ASSERT_STR_EQ("bond\ncat\ndog\nstock\n", vector_file("words.txt"));
    ASSERT_STR_EQ("0 1:1 4:1\n0 1:1 4:2\n1 2:1 3:1\n1 2:2 3:1\n",
                  vector_file("d.svm"));
    strcpy(cli_last()->out, vector_file("vectorize.json"));
    ASSERT(json_is("classes", "[\"money\", \"pets\"]"));
    JSON_NEAR("words", 4);
    JSON_NEAR("tasks.0.values", 8);
    RUNS(0, "cluster kmeans d/ --out v --json -");
    JSON_NEAR("tasks.0.acc", 1);
    ASSERT(json_is("options.preprocess", "\"tfidf\""));
    ASSERT(json_is("tasks.0.name", "\"d\""));
    ASSERT_EQ(0, strncmp(vector_file("d.csv"), "file,cluster\nmoney/x,", 21));
    RUNS(0, "transfer nb --source d --target d --json -");
    ASSERT(json_is("options.preprocess", "\"none\""));
    ASSERT(json_is("classes", "[\"money\", \"pets\"]"));
    JSON_NEAR("tasks.0.acc", 1);
    cli_write("named.csv", "nr,t\nq1,stock bond\nq2,dog cat\n");
    RUNS(0, "transfer nb --source d --target named.csv --text t --id nr --json "
         "-");                          /* only the target must have it */
    ASSERT(json_is("tasks.0.labels", "[0, 1]"));
    RUNS(2, "transfer nb --source named.csv --target d --text t --id nr");
    ERR_HAS("d: --id is for tables\n");
    PASS();
}

TEST columns_of_a_table_are_texts(void)
{
    cli_write("t.csv", "n,body,title,label\n1,\"cat \"\"dog\"\"\",bird,p\n"
              "2,dog cat,bird,p\n3,stock,bond,m\n4,NA,stock bond,m\n");
    RUNS(0, "vectorize t.csv --text body --out v --preprocess none --quiet "
         "--min-texts 1");
    ASSERT_STR_EQ("cat\ndog\nstock\n", vector_file("words.txt"));
    ASSERT_STR_EQ("1 1:1 2:1\n1 1:1 2:1\n0 3:1\n0\n", vector_file("t.svm"));
    RUNS(0, "cluster kmeans t.csv --text title,body --json -");
    JSON_NEAR("tasks.0.acc", 1);
    JSON_NEAR("tasks.0.d", 5);
    RUNS(0, "cluster kmeans t.csv --text n,body --k 1 --min-texts 1");
    OUT_HAS("t ");
    RUNS(0, "vectorize t.csv --text body --out v --min-texts 1");
    ERR_HAS("1 of 4 texts has no word");
    RUNS(1, "cluster kmeans t.csv --text text");
    ERR_HAS("no column is named text (--text)");
    RUNS(2, "cluster kmeans a.svm --text x");
    PASS();
}

TEST numbers_stand_beside_words(void)
{
    cli_write("b.csv", "x,t\n0,aa bb\n0,aa bb\n8,cc dd\n8,cc dd\n");
    RUNS(0, "vectorize b.csv --text t --use x --out v --preprocess l2 "
         "--stop none");
    OUT_HAS("1 column, then 4 words in v/words.txt\n");
    ASSERT_STR_EQ("x\naa\nbb\ncc\ndd\n", vector_file("words.txt"));
    strcpy(cli_last()->out, vector_file("vectorize.json"));
    JSON_NEAR("words", 4);
    ERR_HAS("numbers beside words are z-scored");
    ASSERT_STR_EQ("x\naa\nbb\ncc\ndd\n", vector_file("words.txt"));
    ASSERT_EQ(0, strncmp("0 1:-1 2:0.7071067", vector_file("b.svm"), 18));
    RUNS(0, "cluster kmeans b.csv --text t --use x --k 2 --save m.json");
    RUNS(0, "assign m.json b.csv --json -");
    ASSERT(json_is("tasks.0.far", "[false, false, false, false]"));
    cli_write("b.csv", "y,x,t\nu,0,aa bb\nv,8,cc dd\n");
    RUNS(0, "assign m.json b.csv --drop y --json -");
    ASSERT(json_is("tasks.0.far", "[false, false]"));
    RUNS(1, "assign m.json b.csv --drop x");
    ERR_HAS("m.json");
    RUNS(2, "export m.json --c model --out v");
    PASS();
}

TEST json_lines_have_texts(void)
{
    cli_write("j.jsonl", "{\"t\": \"caf\\u00e9 \\ud83d\\ude00 bar\", "
              "\"label\": 3, \"more\": [1, {\"x\": null}], \"id\": \"p\", "
              "\"y\": [[], {}, [{\"z\": [ ]}, \"]\"] , -1e5]}\n\n"
              "{\"id\": \"q\", \"label\": 5, \"t\": \"caf\\u00e9 \\nbar\"}\n"
              "{\"id\": 7, \"t\": null, \"label\": 5}");
    RUNS(0, "vectorize j.jsonl --text t --out v --preprocess none "
         "--max-share 1 --quiet");
    ASSERT_STR_EQ("bar\ncaf\xc3\xa9\n", vector_file("words.txt"));
    ASSERT_STR_EQ("3 1:1 2:1\n5 1:1 2:1\n5\n", vector_file("j.svm"));
    RUNS(0, "cluster kmeans j.jsonl --text t --id id --max-share 1 --k 2 "
         "--out v");
    ASSERT_EQ(0, strncmp("id,cluster\np,", vector_file("j.csv"), 13));
    RUNS(1, "cluster kmeans j.jsonl --text u --k 2");
    ERR_HAS("no column is named u (--text)");
    RUNS(1, "cluster kmeans j.jsonl --text more --k 2");
    ERR_HAS("j.jsonl:1: 'more' is an array or an object");
    PASS();
}

/* Members are columns: numbers are features, as they are of the same table, and
 * a member that comes late or is null is a gap. */
TEST members_of_json_lines_are_columns(void)
{
    cli_write("j.jsonl", "{\"x\": 1, \"class\": \"u\"}\n"
              "{\"x\": 3, \"class\": \"v\", \"y\": 0.5}\n"
              "{\"y\": 2.5, \"class\": \"u\", \"x\": 8}\n"
              "{\"y\": null, \"class\": \"v\", \"x\": 12}\n");
    RUNS(1, "cluster kmeans j.jsonl --k 1 --json -");
    ERR_HAS("j.jsonl:1: column 3 (y) is empty (2 of 4, 50 %)");
    RUNS(0, "cluster kmeans j.jsonl --k 1 --missing mean --json -");
    JSON_NEAR("tasks.0.centers.0.0", 6);
    JSON_NEAR("tasks.0.centers.0.1", 1.5);
    cli_write("j.jsonl", "{\"t\": \"good food here today\", \"n\": null}\n"
              "{\"t\": \"bad food was there now\", \"n\": []}\n"
              "{\"t\": \"a nice one was here\", \"n\": [2]}\n"
              "{\"t\": \"nothing to see my man\"}\n");
    RUNS(1, "cluster kmeans j.jsonl --k 2");
    ERR_HAS("try: mtc cluster kmeans j.jsonl --k 2 --text t\n");
    PASS();
}

TEST lines_that_are_no_json_are_refused(void)
{
    static const char *const wrong[] = {
        "{\"t\": }", "{\"t\" 3}", "{\"t\": \"a", "[1]", "{\"t\": \"a\"} x",
        "{\"t\": \"\\u0000\"}", "{\"t\": \"\\x\"}", "{\"t\": \"\\u12g4\"}",
        "{\"a\": [1, 2}", "{\"t\": \"a\",}", "{t: 1}", "{\"t\": \"\t\"}",
        "{\"t\": tru}", "{", "{\"a\": [1,, 2]}", "{\"a\": [1,]}",
        "{\"a\": {\"b\"}}", "{\"a\": {b: 1}}", "{\"a\": [1: 2]}",
        "{\"a\": {\"b\": 1,}}", "{\"a\": {\"b\": 1]}", "{\"a\": [[}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cli_write("x.jsonl", wrong[i]);
        RUNS(1, "cluster kmeans x.jsonl --text t --k 1");
        ERR_HAS("x.jsonl:1: ");
    }
    cli_write("x.jsonl", "");
    RUNS(1, "cluster kmeans x.jsonl --text t --k 1");
    PASS();
}

/* None of the two is taken, whether it is asked for or not. */
TEST members_that_are_there_twice_are_refused(void)
{
    static const char *const wrong[] = {
        "{\"t\": \"aa\", \"t\": \"bb\"}", "{\"t\": null, \"t\": \"bb\"}",
        "{\"t\": \"aa\", \"n\": 1, \"n\": 1}",
        "{\"class\": 1, \"t\": \"aa\", \"class\": 2}",
        "{\"t\": \"aa\", \"m\": 1, \"m\": 2}"};
    static const char *const name[] = {"t", "t", "n", "class", "m"};
    char line[200];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sprintf(line, "{\"t\": \"aa\"}\n%s\n", wrong[i]);
        cli_write("x.jsonl", line);
        RUNS(1, "cluster kmeans x.jsonl --text t --id n --k 1");
        sprintf(line, "x.jsonl:2: the member '%s' is there twice", name[i]);
        ERR_HAS(line);
    }
    cli_write("x.jsonl", "{\"t\": \"aa bb\", "
              "\"class\": 1, \"label\": 3}\n{\"t\": \"aa bb\", "
              "\"label\": 4}\n");
    RUNS(0, "cluster kmeans x.jsonl --text t --min-texts 1 --max-share 1 --k "
         "1");
    PASS();
}

/* ---- weights, models ----------------------------------------------------- */

/* Four texts; aa in two, bb in two, cc in one. */
TEST weights_are_tf_idf(void)
{
    char line[200];
    cli_write("q.csv", "t\naa aa bb\naa\nbb cc\ndd\n");
    RUNS(0, "vectorize q.csv --text t --min-texts 1 --stop none --out v");
    double a = 2 * log(4 / 2.0), b = log(4 / 2.0), c = log(4 / 1.0);
    double one = sqrt(a * a + b * b), three = sqrt(b * b + c * c);
    double x[4] = {0, 0, 0, 0};
    strcpy(line, vector_file("q.svm"));
    ASSERT_EQ(4, sscanf(line, "0 1:%lf 2:%lf\n0 1:1\n0 2:%lf 3:%lf\n0 4:1",
                        &x[0], &x[1], &x[2], &x[3]));
    ASSERT_IN_RANGE(a / one, x[0], 1e-6);
    ASSERT_IN_RANGE(b / one, x[1], 1e-6);
    ASSERT_IN_RANGE(b / three, x[2], 1e-6);
    ASSERT_IN_RANGE(c / three, x[3], 1e-6);
    PASS();
}

TEST models_label_new_texts(void)
{
    write_folder();
    RUNS(0, "cluster kmeans d --save m.json --stem english");
    cli_write("n.csv", "t\ncats zebra\nthe bonds\nnothing\n");
    RUNS(0, "assign m.json n.csv --text t --task d --json -");
    int cat = (int)json_number("tasks.0.labels.0");
    JSON_NEAR("tasks.0.labels.1", 1 - cat);
    RUNS(0, "assign m.json d --json -");
    JSON_NEAR("tasks.0.acc", 1);
    ASSERT(json_is("tasks.0.far", "[false, false, false, false]"));
    JSON_NEAR("tasks.0.labels.2", cat);
    RUNS(0, "export m.json --c model --out v");
    ASSERT(strstr(vector_file("model.h"), "how often each of the words") !=
           NULL);
    ASSERT(strstr(vector_file("model.h"),
                  "#define MODEL_WORDS { \\\n    \"bond\", \\\n    \"cat\"")
           != NULL);
    RUNS(0, "cluster kmeans a.csv --k 2 --save m.json");
    RUNS(1, "assign m.json d --task a");
    ERR_HAS("has texts; m.json knows no words");
    PASS();
}

TEST models_of_words_ask_for_texts(void)
{
    write_folder();
    RUNS(0, "cluster kmeans d --save m.json --quiet");
    RUNS(1, "assign m.json a.csv --task d");
    ERR_HAS("a.csv: has no texts, but m.json goes by words; --text names");
    cli_write("p.csv", "c\n\"this is a long text of words\"\n\"another text "
              "that has many words\"\n\"one more text with some words\"\n");
    RUNS(1, "assign m.json p.csv --task d");
    ERR_HAS("p.csv: has no texts, but m.json goes by words; --text names");
    RUNS(0, "assign m.json p.csv --task d --text c --quiet");
    PASS();
}

/* 29 of 100 are .29, though .29 * 100 is less in binary. */
TEST shares_of_texts_are_exact(void)
{
    static char text[CLI_TEXT];
    strcpy(text, "t\n");
    for (int i = 0; i < 100; i++)
        strcat(text, i < 29 ? "alpha beta\n" : i < 58 ? "beta\n" : "gamma\n");
    cli_write("w.csv", text);
    RUNS(0, "vectorize w.csv --text t --max-share .29 --stop none --quiet --out "
         "v");
    ASSERT_STR_EQ("alpha\n", vector_file("words.txt"));
    PASS();
}

/* By `options` a run can be done again: --stop has a value there. */
TEST stop_words_that_were_used_are_said(void)
{
    write_folder();
    RUNS(0, "cluster kmeans d --json - --quiet");
    ASSERT(json_is("options.stop", "\"english\""));
    RUNS(0, "cluster kmeans d --stop none --json - --quiet");
    ASSERT(json_is("options.stop", "\"none\""));
    cli_write("n.csv", "t\ncats zebra\ncats bonds\nbonds zebra\n");
    RUNS(0, "cluster kmeans n.csv --text t --k 2 --max-share 1 --json - "
            "--quiet");
    ASSERT(json_is("options.stop", "\"none\""));
    cli_write("n.csv", "t\nder Hund in Rom\ndie Katze in Bonn\nin Ulm\n");
    RUNS(0, "cluster kmeans n.csv --text t --k 2 --max-share 1 --json - "
            "--quiet");
    ASSERT(json_is("options.stop", "\"none\""));
    PASS();
}

/* The labels of the files come back, as far as numbers go. */
TEST score_takes_classes_of_texts(void)
{
    write_folder();
    cli_write("p.labels", "0\n0\n1\n1\n");
    RUNS(0, "score p.labels d --json -");
    JSON_NEAR("acc", 1);
    cli_write("p.labels", "0\n0\n0\n1\n");
    RUNS(0, "score p.labels d --json -");
    JSON_NEAR("acc", .75);
    cli_write("t.jsonl", "{\"label\":\"u\",\"kind\":1}\n{\"label\":\"v\","
              "\"kind\":1}\n{\"label\":\"u\",\"kind\":1}\n"
              "{\"label\":\"v\",\"kind\":2}\n");
    RUNS(0, "score p.labels t.jsonl --json -");
    JSON_NEAR("acc", .75);
    RUNS(0, "score p.labels t.jsonl --labels kind --json -");
    JSON_NEAR("acc", 1);
    (void)cli_shell("rm -rf e && mkdir e");
    cli_write("e/1", "cat dog");
    RUNS(1, "score p.labels e");
    ERR_HAS("e: no labels; its texts do not lie in a subdirectory");
    PASS();
}

/* A sample whose name is empty is a row. */
TEST texts_without_names_are_rows(void)
{
    cli_write("n.jsonl", "{\"t\":\"cat dog\",\"i\":\"A\"}\n"
              "{\"t\":\"cat dog\",\"i\":null}\n{\"t\":\"stock bond\"}\n");
    RUNS(0, "cluster kmeans n.jsonl --text t --id i --k 2 --min-texts 1 "
            "--max-share 1");
    OUT_HAS("A: cat dog");
    OUT_HAS("row 2: cat dog");
    OUT_HAS("row 3: stock bond");
    PASS();
}

TEST models_keep_a_list_of_stop_words(void)
{
    write_folder();
    cli_write("stop.txt", "cat Dog\n");
    RUNS(0, "cluster kmeans d --k 2 --stop stop.txt --save m.json");
    cli_shell("rm stop.txt");
    RUNS(0, "assign m.json d");
    cli_read(cli_path("m.json"), cli_last()->out);
    ASSERT(json_is("features.texts.stop_words", "[\"cat\", \"dog\"]"));
    ASSERT(json_is("features.texts.stop", "\"list\""));
    PASS();
}

TEST clusters_are_told_by_words_and_texts(void)
{
    write_folder();
    RUNS(0, "cluster kmeans d");
    OUT_HAS("stock, bond");
    OUT_HAS("money/y: bond in the bank of stock, stock");
    cli_write("u.jsonl", "{\"t\":\"cat aa bb\"}\n{\"t\":\"cat cc dd\"}\n"
              "{\"t\":\"dog bb cc\"}\n{\"t\":\"dog dd aa\"}\n");
    RUNS(0, "cluster kmeans u.jsonl --text t --k 2");
    OUT_HAS("They ");                           /* whatever they do */
    RUNS(0, "cluster kmeans d --json - --svg v.svg");
    int money = (int)json_number("tasks.0.labels.0");
    ASSERT(json_is(money == 0 ? "tasks.0.words.0" : "tasks.0.words.1",
                   "[\"stock\", \"bond\"]"));
    ASSERT_EQ(1.0, json_number(money == 0 ? "tasks.0.nearest.0.0"
                                          : "tasks.0.nearest.1.0") +
                   json_number(money == 0 ? "tasks.0.nearest.0.1"
                                          : "tasks.0.nearest.1.1"));
    ASSERT(strstr(cli_read(cli_path("v.svg"), cli_last()->out),
                  ": The cat and the dog; CAT!</title>") != NULL);
    PASS();
}

TEST methods_take_texts_with_features_of_their_own(void)
{
    write_folder();
    RUNS(0, "transfer trec --source d --target d --runs 3 --json -");
    JSON_NEAR("tasks.0.d", 4);
    RUNS(0, "cluster ec d d --k 2 --runs 3");
    RUNS(1, "cluster kmeans d b.csv --k 2");
    ERR_HAS("d has texts, b.csv has none");
    RUNS(0, "compare d d --repeats 1 --quiet");
    RUNS(0, "choose d --quiet");
    RUNS(0, "relate d d --quiet");
    RUNS(0, "describe d");
    OUT_HAS("d: 4 texts, with classes");
    RUNS(0, "cluster kmeans a.csv --k 2 --stem english");
    ERR_HAS("no task has texts");
    PASS();
}

TEST tables_propose_their_texts(void)
{
    cli_write("p.csv", "x,c\n1,\"this is a long text of words\"\n2,\"another "
              "text that has many words\"\n4,\"one more text with some of "
              "words\"\n");
    RUNS(1, "cluster kmeans p.csv --k 2");
    ERR_HAS("p.csv: column c has texts, and one other column is a feature\n");
    RUNS(1, "cluster kmeans p.csv --k 2 --min-texts 1");
    ERR_HAS("try: mtc cluster kmeans p.csv --k 2 --min-texts 1 --text c\n");
    RUNS(0, "cluster kmeans p.csv --k 2 --text c --min-texts 1 --quiet");
    RUNS(1, "cluster kmeans p.csv --k 2 --use x,c");
    RUNS(0, "cluster kmeans p.csv --k 2 --use x --text c --min-texts 1 "
            "--quiet");
    RUNS(0, "describe p.csv --json -");
    ASSERT(json_is("tasks.0.columns.1.why", "\"texts\""));
    PASS();
}

/* ---- what is no text ----------------------------------------------------- */

/* Some systems refuse such a name. */
TEST names_of_files_are_written_as_utf8(void)
{
    (void)cli_shell("rm -rf e && mkdir e");
    if (cli_shell("printf 'cat dog' > \"$(printf 'e/\\351.txt')\"") != 0)
        SKIP();
    cli_write("e/a.txt", "cat dog dog");
    RUNS(0, "cluster kmeans --k 1 e --out v --max-share 1 --quiet");
    ASSERT(strstr(vector_file("e.csv"), "\n\xc3\xa9.txt,") != NULL);
    PASS();
}

TEST bytes_that_are_no_utf8_are_latin1(void)
{
    char bytes[256];
    (void)cli_shell("rm -rf e && mkdir e");
    cli_write_bytes("e/1", "caf\xe9 bar", 8);
    cli_write_bytes("e/2", "\xef\xbb\xbf" "caf\xc3\xa9 bar", 12);
    RUNS(0, "vectorize e --out v --max-share 1");
    ERR_HAS("1 of 2 texts is not UTF-8 and is read as Latin-1");
    ASSERT_STR_EQ("bar\ncaf\xc3\xa9\n", vector_file("words.txt"));
    for (int i = 1; i < 256; i++)
        bytes[i - 1] = (char)i;
    cli_write_bytes("e/3", bytes, 255);
    RUNS(0, "vectorize e --out v --max-share 1 --min-texts 1 --word-length "
         "1-30 --markup html");
    cli_write("u.jsonl", "{\"t\":\"aa bb\",\"class\":\"\xc3\xa9\"}\n"
              "{\"t\":\"cc dd\",\"class\":\"o\"}\n");
    cli_write("l.jsonl", "{\"t\":\"aa bb\",\"class\":\"\xe9\"}\n"
              "{\"t\":\"cc dd\",\"class\":\"o\"}\n");
    RUNS(0, "transfer svm --source u.jsonl --target l.jsonl --text t --json -");
    JSON_NEAR("tasks.0.acc", 1);                /* classes, too */
    cli_write("w.jsonl", "{\"t\":\"aa bb\",\"who\":\"Zo\xeb\"}\n"
              "{\"t\":\"aa dd\",\"who\":\"Bo\"}\n");
    RUNS(0, "cluster kmeans w.jsonl --text t --id who --k 1 --max-share 1 "
         "--min-texts 1 --out v");              /* names, too */
    ASSERT(strstr(vector_file("w.csv"), "Zo\xc3\xab,") != NULL);
    PASS();
}

TEST directories_without_texts_are_refused(void)
{
    (void)cli_shell("rm -rf e && mkdir -p e/f/g");
    cli_write("e/.only", "hidden");
    RUNS(1, "cluster kmeans e --k 1");
    ERR_HAS("mtc: e: there is no text in this directory");
    cli_write_bytes("e/f/z", "ab\0c", 4);
    RUNS(1, "cluster kmeans e --k 1");
    ERR_HAS("mtc: e/f/z:1: a NUL byte");
    cli_write("e/f/z", "");
    RUNS(1, "cluster kmeans e --k 1");
    ERR_HAS("no word is left");
    PASS();
}

TEST long_words_and_lines_are_read(void)
{
    enum { MANY = 1000000 };
    char *bytes = (char *)malloc(MANY + 20);
    ASSERT(bytes != NULL);
    (void)cli_shell("rm -rf e && mkdir e");
    memset(bytes, 'a', MANY);
    memcpy(bytes + MANY, " one two\n", 9);
    cli_write_bytes("e/1", bytes, MANY + 9);
    for (int i = 0; i < MANY; i++)
        bytes[i] = "<b one>"[i % 7];
    cli_write_bytes("e/2", bytes, MANY + 9);
    memset(bytes, '<', MANY);
    cli_write_bytes("e/3", bytes, MANY + 9);
    free(bytes);
    RUNS(0, "vectorize e --out v --max-share 1 --markup html");
    ASSERT_STR_EQ("one\ntwo\n", vector_file("words.txt"));
    PASS();
}

TEST some_files_below_have_no_class(void)
{
    write_folder();
    cli_write("d/loose", "cat and bond");
    RUNS(0, "cluster kmeans d --k 2");
    ERR_HAS("1 of 5 texts lies in no subdirectory");
    PASS();
}

/* As pandas writes it: an index without a name, and nothing beside the text. */
TEST an_unnamed_index_may_stand_beside_the_text_alone(void)
{
    cli_write("alone.csv", ",t\n0,red apple\n1,red pear\n2,blue car\n"
              "3,blue bus\n");
    RUNS(0, "cluster kmeans --k 2 alone.csv --text t");
    ERR_HAS("the first column has no name and is left out; --use +1 keeps it");
    PASS();
}

SUITE(cli_texts)
{
    if (!cli_ready())
        return;
    RUN_TEST(there_is_room_for_files);
    cli_write("stops.txt", "Cat\nand\n");
    SET_SETUP(cli_setup, NULL);
    RUN_TEST(words_are_runs_of_letters);
    RUN_TEST(stems_and_stop_words_look_at_the_word);
    RUN_TEST(markup_is_left_out);
    RUN_TEST(few_and_many_texts_do_not_keep_a_word);
    RUN_TEST(lines_of_a_target_need_no_labels);
    RUN_TEST(lines_without_a_label_can_go);
    RUN_TEST(german_is_not_taken_for_english);
    RUN_TEST(a_directory_is_a_task);
    RUN_TEST(columns_of_a_table_are_texts);
    RUN_TEST(numbers_stand_beside_words);
    RUN_TEST(json_lines_have_texts);
    RUN_TEST(members_of_json_lines_are_columns);
    RUN_TEST(lines_that_are_no_json_are_refused);
    RUN_TEST(members_that_are_there_twice_are_refused);
    RUN_TEST(weights_are_tf_idf);
    RUN_TEST(models_label_new_texts);
    RUN_TEST(models_of_words_ask_for_texts);
    RUN_TEST(shares_of_texts_are_exact);
    RUN_TEST(stop_words_that_were_used_are_said);
    RUN_TEST(score_takes_classes_of_texts);
    RUN_TEST(texts_without_names_are_rows);
    RUN_TEST(models_keep_a_list_of_stop_words);
    RUN_TEST(clusters_are_told_by_words_and_texts);
    RUN_TEST(methods_take_texts_with_features_of_their_own);
    RUN_TEST(tables_propose_their_texts);
    RUN_TEST(names_of_files_are_written_as_utf8);
    RUN_TEST(bytes_that_are_no_utf8_are_latin1);
    RUN_TEST(directories_without_texts_are_refused);
    RUN_TEST(long_words_and_lines_are_read);
    RUN_TEST(some_files_below_have_no_class);
    RUN_TEST(an_unnamed_index_may_stand_beside_the_text_alone);
}
