/*
 * Writes JSON, indented, in the order of the calls.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCEMU_TEXT_JSON_H
#define VCEMU_TEXT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *out;
    unsigned depth; /* objects and arrays that are open */
    bool empty;     /* the innermost one is still empty */
    bool in_page;   /* in an element of HTML: without blanks, and safe there */
};

struct json json_start(FILE *out);

/* The same for a document in an element <script> of a page. */
struct json json_start_in_page(FILE *out);

/* Ends the document, after all objects and arrays. */
void json_finish(struct json *json);

/* In each of these, `key` is the name of the value in an object, and NULL in an array and for the whole document. */
void json_begin_object(struct json *json, const char *key);
void json_end_object(struct json *json);
void json_begin_array(struct json *json, const char *key);
void json_end_array(struct json *json);

/* `text` is UTF-8; NULL is written as null. */
void json_string(struct json *json, const char *key, const char *text);

/* With enough digits to read the same number back. Infinity and NaN, which JSON lacks, become null. */
void json_number(struct json *json, const char *key, double number);

void json_whole(struct json *json, const char *key, uint64_t number);
void json_bool(struct json *json, const char *key, bool value);
void json_null(struct json *json, const char *key);

#endif
