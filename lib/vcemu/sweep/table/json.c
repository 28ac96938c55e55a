/* SPDX-License-Identifier: MIT */
#include "vcemu/sweep/table/json.h"

#include <inttypes.h>
#include <math.h>

#include "vcemu/scenario/text/parse_number.h"
#include "vcemu/scenario/text/utf8.h"

#define INDENT 2

struct json vcs_swp_json_start(FILE *out) {
    return (struct json){.out = out, .empty = true};
}

struct json vcs_swp_json_start_in_page(FILE *out) {
    return (struct json){.out = out, .empty = true, .in_page = true};
}

void vcs_swp_json_finish(struct json *json) {
    fputc('\n', json->out);
}

static void new_line(const struct json *json) {
    if (json->in_page) {
        return;
    }
    fprintf(json->out, "\n%*s", (int)(INDENT * json->depth), "");
}

/* "<" is written as a number in a page, for "</script>" and "<!--" mean something to HTML even within a string. */
static void write_characters(FILE *out, const char *text, bool in_page) {
    while (*text != '\0') {
        uint32_t code;
        const size_t length = vcs_scn_utf8_decode(text, &code);
        if (length == 0) {
            fputs("\\ufffd", out); /* a byte that is not UTF-8 */
        } else if (code < 0x20 || code == 0x7f || (in_page && code == '<')) {
            fprintf(out, "\\u%04x", (unsigned)code);
        } else {
            fputs(code == '"' || code == '\\' ? "\\" : "", out);
            fwrite(text, 1, length, out);
        }
        text += length == 0 ? 1 : length;
    }
}

void vcs_swp_json_write_characters(FILE *out, const char *text) {
    write_characters(out, text, false);
}

static void write_text(const struct json *json, const char *text) {
    fputc('"', json->out);
    write_characters(json->out, text, json->in_page);
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

void vcs_swp_json_begin_object(struct json *json, const char *key) {
    begin(json, key, '{');
}

void vcs_swp_json_end_object(struct json *json) {
    end(json, '}');
}

void vcs_swp_json_begin_array(struct json *json, const char *key) {
    begin(json, key, '[');
}

void vcs_swp_json_end_array(struct json *json) {
    end(json, ']');
}

void vcs_swp_json_string(struct json *json, const char *key, const char *text) {
    if (text == NULL) {
        vcs_swp_json_null(json, key);
        return;
    }
    begin_value(json, key);
    write_text(json, text);
}

void vcs_swp_json_number(struct json *json, const char *key, double number) {
    char text[NUMBER_TEXT_SIZE];
    if (!isfinite(number)) {
        vcs_swp_json_null(json, key);
        return;
    }
    vcs_scn_number_write(number, text);
    begin_value(json, key);
    fputs(text, json->out);
}

void vcs_swp_json_whole(struct json *json, const char *key, uint64_t number) {
    begin_value(json, key);
    fprintf(json->out, "%" PRIu64, number);
}

void vcs_swp_json_bool(struct json *json, const char *key, bool value) {
    begin_value(json, key);
    fputs(value ? "true" : "false", json->out);
}

void vcs_swp_json_null(struct json *json, const char *key) {
    begin_value(json, key);
    fputs("null", json->out);
}
