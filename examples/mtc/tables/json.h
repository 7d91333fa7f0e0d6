/* SPDX-License-Identifier: MIT
 *
 * json.h - JSON that is read: a tree of values
 */
#ifndef APP_JSON_H
#define APP_JSON_H

#include "../base/data.h"

typedef enum json_type {
    JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING,
    JSON_NUMBERS,                   /* an array of nothing but numbers */
    JSON_ARRAY, JSON_OBJECT
} json_type;

/* A value, and the line where it begins. */
typedef struct json {
    json_type type;
    size_t line, n;                 /* n: elements, members */
    double number;
    const char *text;               /* of a string; of a number as it stands */
    const double *numbers;          /* [n] */
    struct json *at;                /* [n] of an array, of an object */
    const char **name;              /* [n] of an object, each once */
} json;

json json_at(app *a, const char *file, size_t line, const char *s);
json json_read(app *a, const char *path);
void json_release(json *x);
const json *json_member(const json *object, const char *name);

#endif
