/* SPDX-License-Identifier: MIT
 *
 * test_words.c - what the program makes of bytes before it counts words: stems
 * by the pairs that Porter's paper prints, characters by Unicode's own tables,
 * the text of pages and mails.
 */
#include <string.h>

#include "../../examples/mtc/base/letters.c"
#include "../../examples/mtc/texts/markup.c"
#include "../../examples/mtc/texts/stem.c"
#include "greatest.h"

/* ---- stems --------------------------------------------------------------- */

/* The examples of the paper, step by step, with what the later steps make of
 * them; and those of the manual. */
static const char *const stems[][2] = {
    {"caresses", "caress"}, {"ponies", "poni"}, {"ties", "ti"},
    {"caress", "caress"}, {"cats", "cat"}, {"feed", "feed"},
    {"agreed", "agre"}, {"plastered", "plaster"}, {"bled", "bled"},
    {"motoring", "motor"}, {"sing", "sing"}, {"conflated", "conflat"},
    {"troubled", "troubl"}, {"sized", "size"}, {"hopping", "hop"},
    {"tanned", "tan"}, {"falling", "fall"}, {"hissing", "hiss"},
    {"fizzed", "fizz"}, {"failing", "fail"}, {"filing", "file"},
    {"happy", "happi"}, {"sky", "sky"}, {"relational", "relat"},
    {"conditional", "condit"}, {"rational", "ration"}, {"valenci", "valenc"},
    {"hesitanci", "hesit"}, {"digitizer", "digit"},
    {"conformabli", "conform"}, {"radicalli", "radic"},
    {"differentli", "differ"}, {"vileli", "vile"},
    {"analogousli", "analog"}, {"vietnamization", "vietnam"},
    {"predication", "predic"}, {"operator", "oper"}, {"feudalism", "feudal"},
    {"decisiveness", "decis"}, {"hopefulness", "hope"},
    {"callousness", "callous"}, {"formaliti", "formal"},
    {"sensitiviti", "sensit"}, {"sensibiliti", "sensibl"},
    {"triplicate", "triplic"}, {"formative", "form"},
    {"formalize", "formal"}, {"electriciti", "electr"},
    {"electrical", "electr"}, {"hopeful", "hope"}, {"goodness", "good"},
    {"revival", "reviv"}, {"allowance", "allow"}, {"inference", "infer"},
    {"airliner", "airlin"}, {"gyroscopic", "gyroscop"},
    {"adjustable", "adjust"}, {"defensible", "defens"},
    {"irritant", "irrit"}, {"replacement", "replac"},
    {"adjustment", "adjust"}, {"dependent", "depend"},
    {"adoption", "adopt"}, {"homologou", "homolog"},
    {"communism", "commun"}, {"activate", "activ"},
    {"angulariti", "angular"}, {"homologous", "homolog"},
    {"effective", "effect"}, {"bowdlerize", "bowdler"},
    {"probate", "probat"}, {"rate", "rate"}, {"cease", "ceas"},
    {"controll", "control"}, {"roll", "roll"}, {"electricity", "electr"},
    {"controlling", "control"}, {"generalizations", "gener"},
    {"oscillators", "oscil"}, {"is", "i"}, {"s", ""}, {"as", "a"},
    {"y", "y"}, {"yyyy", "yyyi"}, {"ing", "ing"}, {"eed", "eed"},
    {"ion", "ion"}, {"possibly", "possibli"}, {"a", "a"}};

TEST words_lose_their_endings_as_published(void)
{
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
        char word[40];
        strcpy(word, stems[i][0]);
        size_t n = stem_english(word, strlen(word));
        word[n] = '\0';
        ASSERT_STR_EQ(stems[i][1], word);
    }
    PASS();
}

/* ---- characters ---------------------------------------------------------- */

TEST every_character_is_read_as_it_is_written(void)
{
    for (uint32_t c = 0; c < NO_CHARACTER; c += c < 0x3000 ? 1 : 97) {
        char bytes[4];
        const char *at = bytes;
        if (c >= 0xd800 && c < 0xe000)
            continue;
        size_t n = utf8_put(c, bytes);
        ASSERT(utf8_valid(bytes, n));
        ASSERT_EQ_FMT(c, utf8_next(&at, bytes + n), "%x");
        ASSERT(at == bytes + n);
        ASSERT(n == 1 || !utf8_valid(bytes, n - 1));
    }
    PASS();
}

TEST bytes_that_are_no_utf8_are_found(void)
{
    static const char *const wrong[] = {
        "\x80", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3(", "\xe0\x80\x80",
        "\xe2\x82", "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xff", "a\xfe"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ASSERT_FALSE(utf8_valid(wrong[i], strlen(wrong[i])));
    ASSERT(utf8_valid("", 0));
    ASSERT(utf8_valid("\xf4\x8f\xbf\xbf", 4));
    PASS();
}

typedef struct sign {
    uint32_t c;
    letter_kind kind;
    uint32_t small;
} sign;

TEST letters_are_those_of_unicode(void)
{
    static const sign signs[] = {
        {'A', LETTER_OF_WORD, 'a'}, {'z', LETTER_OF_WORD, 'z'},
        {'7', LETTER_DIGIT, '7'}, {'_', LETTER_NONE, '_'},
        {'\'', LETTER_NONE, '\''}, {'-', LETTER_NONE, '-'},
        {0xa0, LETTER_NONE, 0xa0}, {0xc9, LETTER_OF_WORD, 0xe9},
        {0xd7, LETTER_NONE, 0xd7}, {0xdf, LETTER_OF_WORD, 0xdf},
        {0x100, LETTER_OF_WORD, 0x101}, {0x101, LETTER_OF_WORD, 0x101},
        {0x130, LETTER_OF_WORD, 'i'}, {0x178, LETTER_OF_WORD, 0xff},
        {0x301, LETTER_OF_WORD, 0x301}, {0x3a9, LETTER_OF_WORD, 0x3c9},
        {0x3a3, LETTER_OF_WORD, 0x3c3}, {0x3c2, LETTER_OF_WORD, 0x3c3},
        {0x416, LETTER_OF_WORD, 0x436}, {0x531, LETTER_OF_WORD, 0x561},
        {0x5d0, LETTER_OF_WORD, 0x5d0}, {0x627, LETTER_OF_WORD, 0x627},
        {0x663, LETTER_DIGIT, 0x663}, {0x915, LETTER_OF_WORD, 0x915},
        {0x94d, LETTER_OF_WORD, 0x94d}, {0x1e9e, LETTER_OF_WORD, 0xdf},
        {0xe01, LETTER_ALONE, 0xe01}, {0x3042, LETTER_ALONE, 0x3042},
        {0x4e2d, LETTER_ALONE, 0x4e2d}, {0x20000, LETTER_ALONE, 0x20000},
        {0x2028, LETTER_NONE, 0x2028}, {0x1f600, LETTER_NONE, 0x1f600},
        {0x10a0, LETTER_OF_WORD, 0x2d00}, {0x10cd, LETTER_OF_WORD, 0x2d2d},
        {0x10c8, LETTER_OF_WORD, 0x10c8}, {0x1c90, LETTER_OF_WORD, 0x10d0},
        {0x314b, LETTER_OF_WORD, 0x314b}, {0xff21, LETTER_OF_WORD, 0xff41},
        {0xff15, LETTER_DIGIT, 0xff15}, {0xff71, LETTER_ALONE, 0xff71},
        {0x10ffff, LETTER_NONE, 0x10ffff}};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        letter_kind kind = kind_of_letter(signs[i].c);
        ASSERT_EQ_FMT((int)signs[i].kind, (int)kind, "%d");
        ASSERT_EQ_FMT(signs[i].small, small_letter(signs[i].c), "%x");
    }
    PASS();
}

/* ---- markup -------------------------------------------------------------- */

static const char *cleaned(const char *from, size_t (*clean)(char *, size_t))
{
    static char bytes[400];
    strcpy(bytes, from);
    bytes[clean(bytes, strlen(bytes))] = '\0';
    return bytes;
}

TEST a_page_leaves_its_text(void)
{
    static const char *const pages[][2] = {
        {"plain", "plain"}, {"a<b>c</b>d", "a c d"}, {"a < b", "a < b"},
        {"x<!-- <p>y -->z", "x z"}, {"x<SCRIPT a=1>if (a<b)</Script>z", "x z"},
        {"x<style>p{}</style >z", "x z"}, {"<?xml?>a<!DOCTYPE html>b", " a b"},
        {"AT&amp;T &lt;3 &gt; &quot;q&quot; &apos;", "AT&T <3 > \"q\" '"},
        {"caf&eacute; &Uuml; a&nbsp;b",
         "caf\xc3\xa9 \xc3\x9c a\xc2\xa0" "b"},
        {"&#65;&#x42;&#X63;", "ABc"}, {"&#0; &#xd800; &#1114112; &#x;",
         "&#0; &#xd800; &#1114112; &#x;"},
        {"b&mdash;c & ; &", "b c & ; &"}, {"a<b", "a "},
        {"<!-- never ends", " "}, {"", ""}};
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++)
        ASSERT_STR_EQ(pages[i][1], cleaned(pages[i][0], without_html));
    PASS();
}

TEST a_mail_leaves_subject_and_body(void)
{
    static const char *const mails[][2] = {
        {"From: a\nSubject: one\nTo: b\n\nbody\n", " one\nbody\n"},
        {"subject: one\r\n two\r\nTo: b\r\n\r\nbody\r\n",
         " one\r\n two\r\nbody\r\n"},
        {"From: a\n\nx\n> quoted\n| quoted\ny\n-- \nme\n", "x\ny\n"},
        {"From: a\n\nx\n--\ny\n", "x\n--\ny\n"}, {"\nbody", "body"},
        {"To: b\nX-Mark_2: y\n\nx\n", "x\n"}, {"From a\nTo: b\n\nx\n", "x\n"},
        {"rubbish\nFrom: a\nTo: b\n c\n\nx\n", "x\n"},
        {"hi\nReminder: now\n\nx", "hi\nReminder: now\n\nx"},
        {"Re: printer broken\n\nthe toner", "Re: printer broken\n\nthe toner"},
        {"Plan: beach and sun.\n\nx", "Plan: beach and sun.\n\nx"},
        {"From here to there\n\nx", "From here to there\n\nx"},
        {"From:a@b\nSubject:one\nX:y\n\nx\n", "one\nx\n"},
        {"Server: x\n\ny", "y"}, {"content-Type: x\nB: c\n\ny", "y"},
        {"at 9:30\nhi\n\nx", "at 9:30\nhi\n\nx"},
        {"we say\nnote: this\n  and that\nor so\nto you\n\nx",
         "we say\nnote: this\n  and that\nor so\nto you\n\nx"},
        {"From: only", ""}, {"a:b\n\nx", "a:b\n\nx"}, {"", ""}};
    for (size_t i = 0; i < sizeof mails / sizeof *mails; i++)
        ASSERT_STR_EQ(mails[i][1], cleaned(mails[i][0], without_headers));
    PASS();
}

SUITE(words)
{
    RUN_TEST(words_lose_their_endings_as_published);
    RUN_TEST(every_character_is_read_as_it_is_written);
    RUN_TEST(bytes_that_are_no_utf8_are_found);
    RUN_TEST(letters_are_those_of_unicode);
    RUN_TEST(a_page_leaves_its_text);
    RUN_TEST(a_mail_leaves_subject_and_body);
}
