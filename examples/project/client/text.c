/*
 * SPDX-License-Identifier: MIT
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static void *must(void *memory) {
    if (memory == NULL) {
        fputs("gridclient: there is not enough memory\n", stderr);
        exit(1);
    }
    return memory;
}

bool fault_set(struct fault *fault, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->message, sizeof fault->message, format, arguments);
    va_end(arguments);
    return false;
}

void *zeroed(size_t size) {
    return must(calloc(1, size));
}

char *copy_of(const char *string) {
    return must(strdup(string));
}

void replace(char **place, const char *string) {
    char *copy = copy_of(string); /* which may be a part of what it replaces */
    free(*place);
    *place = copy;
}

static void make_room(struct text *text, size_t more) {
    if (text->length + more + 1 > text->capacity) {
        text->capacity = 2 * (text->length + more + 1);
        text->bytes = must(realloc(text->bytes, text->capacity));
    }
}

void text_add(struct text *text, const char *bytes, size_t length) {
    make_room(text, length);
    if (length > 0) {
        memcpy(text->bytes + text->length, bytes, length);
    }
    text->length += length;
    text->bytes[text->length] = '\0';
}

void text_printf(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        return;
    }
    make_room(text, (size_t)length);
    va_start(arguments, format);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

void text_free(struct text *text) {
    free(text->bytes);
    *text = (struct text){0};
}
