/*
 * Messages, memory, texts and values.
 *
 * SPDX-License-Identifier: MIT
 */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *journal_path;
unsigned long replayed_line;

void stop(int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("dispatcher: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(code);
}

void stop_at_line(const char *why) {
    stop(JOURNAL, "%s: line %lu makes no sense: %s", journal_path, replayed_line, why);
}

vcs_error error = {.struct_size = sizeof error};

/* An error of the library: of the journal while that is read, and of this program at any other time. */
void must(int code) {
    if (code != VCS_OK && replayed_line != 0) {
        stop_at_line(vcs_strerror(code));
    }
    if (code != VCS_OK) {
        stop(SYSTEM, "%s: %s", vcs_strerror(code), error.message);
    }
}

/* Makes room for one more element than there are. */
void *grown(void *array, size_t count, size_t element) {
    const bool is_full = (count & (count - 1)) == 0; /* 0, 1, 2, 4, ... */
    array = is_full ? realloc(array, (count == 0 ? 1 : 2 * count) * element) : array;
    if (array == NULL) {
        stop(SYSTEM, "out of memory");
    }
    return array;
}

void append(text *t, const char *data, size_t length) {
    if (t->length + length + 1 > t->room) {
        t->room = 2 * (t->length + length + 1);
        t->at = realloc(t->at, t->room);
        if (t->at == NULL) {
            stop(SYSTEM, "out of memory");
        }
    }
    memcpy(t->at + t->length, data, length);
    t->length += length;
    t->at[t->length] = '\0';
}

void print(text *t, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    append(t, line, (size_t)length);
}

bool equal(values a, values b) {
    return a.count == b.count && memcmp(a.at, b.at, a.count * sizeof *a.at) == 0;
}

values copy_of(values a) {
    values b = {malloc(a.count * sizeof *a.at), a.count};
    if (b.at == NULL) {
        stop(SYSTEM, "out of memory");
    }
    memcpy(b.at, a.at, a.count * sizeof *a.at);
    return b;
}

void print_values(text *t, values v) {
    for (uint32_t i = 0; i < v.count; i++) {
        print(t, " %llu", (unsigned long long)v.at[i]);
    }
}
