/* SPDX-License-Identifier: MIT
 *
 * markup.c - the text of a web page or of a mail
 *
 * Both take UTF-8, write the text in place of what they read, and return its
 * length, which is never larger.  Neither fails: what is no markup is text.
 */
#include "markup.h"

#include <string.h>

#include "../base/letters.h"

/* ---- HTML ---- */

/* Names of the characters 160 to 255. */
static const char *const latin1[96] = {
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml",
    "copy", "ordf", "laquo", "not", "shy", "reg", "macr", "deg", "plusmn",
    "sup2", "sup3", "acute", "micro", "para", "middot", "cedil", "sup1",
    "ordm", "raquo", "frac14", "frac12", "frac34", "iquest", "Agrave",
    "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig", "Ccedil", "Egrave",
    "Eacute", "Ecirc", "Euml", "Igrave", "Iacute", "Icirc", "Iuml", "ETH",
    "Ntilde", "Ograve", "Oacute", "Ocirc", "Otilde", "Ouml", "times", "Oslash",
    "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute", "THORN", "szlig", "agrave",
    "aacute", "acirc", "atilde", "auml", "aring", "aelig", "ccedil", "egrave",
    "eacute", "ecirc", "euml", "igrave", "iacute", "icirc", "iuml", "eth",
    "ntilde", "ograve", "oacute", "ocirc", "otilde", "ouml", "divide",
    "oslash", "ugrave", "uacute", "ucirc", "uuml", "yacute", "thorn", "yuml"};

typedef struct entity { const char *name; uint32_t c; } entity;

static const entity basic[] = {
    {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''},
    {"OElig", 338}, {"oelig", 339}, {"Scaron", 352}, {"scaron", 353},
    {"Yuml", 376}};

/* A letter of ASCII as a small one; others as they are. */
static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int is_letter(char c)
{
    return small(c) >= 'a' && small(c) <= 'z';
}

/* Do the n bytes begin with `word`, in letters of either case? */
static int begins(const char *s, size_t n, const char *word)
{
    size_t i = 0;
    while (i < n && word[i] != '\0' && small(s[i]) == word[i])
        i++;
    return word[i] == '\0';
}

/* Bytes up to and with the next `end`, or all n. */
static size_t past(const char *s, size_t n, const char *end)
{
    for (size_t i = 0; i < n; i++)
        if (begins(s + i, n - i, end))
            return i + strlen(end);
    return n;
}

/* The digits of &#123; or &#x7b; as a character, NO_CHARACTER if none. */
static uint32_t numbered(const char *s, size_t n)
{
    int hex = n > 0 && small(s[0]) == 'x';
    uint32_t c = 0, base = hex ? 16 : 10;
    size_t i = hex ? 1 : 0;
    if (i == n)
        return NO_CHARACTER;
    for (; i < n; i++) {
        char digit = small(s[i]);
        int decimal = digit >= '0' && digit <= '9';
        if (!decimal && !(hex && digit >= 'a' && digit <= 'f'))
            return NO_CHARACTER;
        c = c * base + (uint32_t)(decimal ? digit - '0' : digit - 'a' + 10);
        if (c >= NO_CHARACTER)
            return NO_CHARACTER;
    }
    return c == 0 || (c >= 0xd800 && c < 0xe000) ? NO_CHARACTER : c;
}

static int is_named(const char *s, size_t n, const char *name)
{
    return strlen(name) == n && memcmp(s, name, n) == 0;
}

/* The character that stands between & and ; as n bytes.  A name that is not
 * known, as mdash and rsquo, is hardly a letter: a space stands for it. */
static uint32_t character_of(const char *s, size_t n)
{
    size_t letters = 0;
    if (n > 0 && s[0] == '#')
        return numbered(s + 1, n - 1);
    for (size_t i = 0; i < sizeof basic / sizeof *basic; i++)
        if (is_named(s, n, basic[i].name))
            return basic[i].c;
    for (uint32_t i = 0; i < 96; i++)
        if (is_named(s, n, latin1[i]))
            return 160 + i;
    while (letters < n && is_letter(s[letters]))
        letters++;
    return n > 1 && letters == n ? ' ' : NO_CHARACTER;
}

/* Bytes of the element that begins at s with its tag, up to the tag that
 * `end` begins. */
static size_t element_length(const char *s, size_t n, const char *end)
{
    size_t length = past(s, n, end);
    return length + past(s + length, n - length, ">");
}

/* Bytes of a tag.  A > between the quotes of a value does not end it, unless
 * they never close. */
static size_t bare_tag_length(const char *s, size_t n)
{
    char last = '<';                            /* but blanks */
    for (size_t i = 1; i < n; i++) {
        int opens = last == '=' && (s[i] == '"' || s[i] == '\'');
        const char *close = opens ? memchr(s + i + 1, s[i], n - i - 1) : NULL;
        if (s[i] == '>')
            return i + 1;
        if (close != NULL)
            i = (size_t)(close - s);
        if (strchr(" \t\r\n", s[i]) == NULL)
            last = s[i];
    }
    return n;
}

/* Is it that tag, and not one whose name goes on? */
static int is_tag(const char *s, size_t n, const char *tag)
{
    size_t length = strlen(tag);
    return begins(s, n, tag) &&
           (n == length || strchr(" \t\r\n/>", s[length]) != NULL);
}

/* Bytes of the tag, comment, script or style that begins at s; 0 if none. */
static size_t tag_length(const char *s, size_t n)
{
    if (n < 2 || s[0] != '<' ||
        !(is_letter(s[1]) || s[1] == '/' || s[1] == '!' || s[1] == '?'))
        return 0;
    if (begins(s, n, "<!--"))
        return past(s, past(s, n, "-->"), "--!>");  /* as browsers do */
    if (is_tag(s, n, "<script"))
        return element_length(s, n, "</script");
    if (is_tag(s, n, "<style"))
        return element_length(s, n, "</style");
    return bare_tag_length(s, n);
}

/* The character that the entity at s stands for, and its length; NO_CHARACTER
 * if there is none. */
static uint32_t entity_at(const char *s, size_t n, size_t *length)
{
    enum { LONGEST = 10 };          /* of what stands between & and ; */
    size_t name = 0;
    if (s[0] != '&')
        return NO_CHARACTER;
    while (name < LONGEST && name + 1 < n && s[name + 1] != ';')
        name++;
    if (name + 1 >= n || s[name + 1] != ';')
        return NO_CHARACTER;
    *length = name + 2;
    return character_of(s + 1, name);
}

/* Tags become a space each, entities their character. */
size_t without_html(char *s, size_t n)
{
    size_t to = 0;
    for (size_t i = 0; i < n;) {
        size_t length = tag_length(s + i, n - i);
        if (length > 0) {
            s[to++] = ' ';
            i += length;
            continue;
        }
        uint32_t c = entity_at(s + i, n - i, &length);
        if (c != NO_CHARACTER) {
            to += utf8_put(c, s + to);
            i += length;
        } else {
            s[to++] = s[i++];
        }
    }
    return to;
}

/* ---- mail ---- */

/* Bytes of the line that begins at s, its end with it. */
static size_t whole_line(const char *s, size_t n)
{
    const char *end = memchr(s, '\n', n);
    return end == NULL ? n : (size_t)(end - s) + 1;
}

/* The same without its end. */
static size_t bare_line(const char *s, size_t line)
{
    while (line > 0 && (s[line - 1] == '\n' || s[line - 1] == '\r'))
        line--;
    return line;
}

/* Does it begin as a header of mails, postings or answers of the web?  "Re:
 * hello" and "Note: closed" look like headers, but are texts. */
static int is_header(const char *s, size_t n)
{
    static const char *const name[] = {"from:", "to:", "subject:", "date:",
                                       "newsgroups:", "message-id:",
                                       "received:", "content-", "server:"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        if (begins(s, n, name[i]))
            return 1;
    return 0;
}

/* Has one of the lines before the first empty one such a name?  If not, the
 * text is a body without headers. */
static int has_headers(const char *s, size_t n)
{
    for (size_t at = 0, line; at < n; at += line) {
        line = whole_line(s + at, n - at);
        if (bare_line(s + at, line) == 0)
            return at == 0;
        if (is_header(s + at, line))
            return 1;
    }
    return 0;
}

/* The subject, and the body without quoted lines and signature. */
size_t without_headers(char *s, size_t n)
{
    size_t to = 0, at = 0;
    int headers = has_headers(s, n);
    int subject = 0;
    while (headers && at < n) {
        size_t line = whole_line(s + at, n - at);
        int folded = s[at] == ' ' || s[at] == '\t';
        if (bare_line(s + at, line) == 0) {
            at += line;
            break;
        }
        subject = folded ? subject : begins(s + at, line, "subject:");
        size_t skip = subject && !folded ? strlen("subject:") : 0;
        if (subject) {
            memmove(s + to, s + at + skip, line - skip);
            to += line - skip;
        }
        at += line;
    }
    while (at < n) {
        size_t line = whole_line(s + at, n - at);
        if (is_named(s + at, bare_line(s + at, line), "-- "))
            break;
        if (s[at] != '>' && s[at] != '|') {
            memmove(s + to, s + at, line);
            to += line;
        }
        at += line;
    }
    return to;
}
