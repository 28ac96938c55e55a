/* SPDX-License-Identifier: MIT */
#include "text/json.h"

#include <inttypes.h>
#include <math.h>

#include "vcemu/scenario/text/parse_number.h"
#include "vcemu/scenario/text/utf8.h"

#define INDENT 2

struct json json_start(FILE *out) {
    return (struct json){.out = out, .empty = true};
}

struct json json_start_in_page(FILE *out) {
    return (struct json){.out = out, .empty = true, .in_page = true};
}

void json_finish(struct json *json) {
    fputc('\n', json->out);
}

static void new_line(const struct json *json) {
    if (json->in_page) {
        return;
    }
    fprintf(json->out, "\n%*s", (int)(INDENT * json->depth), "");
}

static void write_text(const struct json *json, const char *text) {
    fputc('"', json->out);
    vcs_scn_utf8_write_json(json->out, text, json->in_page);
    fputc('"', json->out);
}

/* What precedes a value: the comma after the previous one, and the key. */
static void begin_value(struct json *json, const char *key) {
    if (json->depth > 0) {
        if (!json->empty) {
            fputc(',', json->out);
        }
        new_line(json);
    }
    if (key != NULL) {
        write_text(json, key);
        fputs(json->in_page ? ":" : ": ", json->out);
    }
    json->empty = false;
}

static void begin(struct json *json, const char *key, char bracket) {
    begin_value(json, key);
    fputc(bracket, json->out);
    json->depth++;
    json->empty = true;
}

static void end(struct json *json, char bracket) {
    json->depth--;
    if (!json->empty) {
        new_line(json);
    }
    fputc(bracket, json->out);
    json->empty = false;
}

void json_begin_object(struct json *json, const char *key) {
    begin(json, key, '{');
}

void json_end_object(struct json *json) {
    end(json, '}');
}

void json_begin_array(struct json *json, const char *key) {
    begin(json, key, '[');
}

void json_end_array(struct json *json) {
    end(json, ']');
}

void json_string(struct json *json, const char *key, const char *text) {
    if (text == NULL) {
        json_null(json, key);
        return;
    }
    begin_value(json, key);
    write_text(json, text);
}

void json_number(struct json *json, const char *key, double number) {
    char text[NUMBER_TEXT_SIZE];
    if (!isfinite(number)) {
        json_null(json, key);
        return;
    }
    vcs_scn_number_write(number, text);
    begin_value(json, key);
    fputs(text, json->out);
}

void json_whole(struct json *json, const char *key, uint64_t number) {
    begin_value(json, key);
    fprintf(json->out, "%" PRIu64, number);
}

void json_bool(struct json *json, const char *key, bool value) {
    begin_value(json, key);
    fputs(value ? "true" : "false", json->out);
}

void json_null(struct json *json, const char *key) {
    begin_value(json, key);
    fputs("null", json->out);
}
