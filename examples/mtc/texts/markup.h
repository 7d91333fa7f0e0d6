/* SPDX-License-Identifier: MIT
 *
 * markup.h - the text of a web page or of a mail
 */
#ifndef MARKUP_H
#define MARKUP_H

#include <stddef.h>

size_t without_html(char *s, size_t n);
size_t without_headers(char *s, size_t n);

#endif /* MARKUP_H */
