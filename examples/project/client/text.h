/*
 * Growing text, and memory that is always there: a client that has none left ends, and goes on when it is started
 * again.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef GRID_CLIENT_TEXT_H
#define GRID_CLIENT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Zero it to begin. `bytes` ends with a NUL that `length` does not count; it is NULL while nothing was added. */
struct text {
    char *bytes;
    size_t length, capacity;
};

/* Why something could not be done, for a person. */
struct fault {
    char message[400];
};

/* Sets the message; always false, so that a function can return it. */
#define FAULT_FORMAT(string, first) __attribute__((format(printf, string, first)))
bool fault_set(struct fault *fault, const char *format, ...) FAULT_FORMAT(2, 3);

void *zeroed(size_t size);
char *copy_of(const char *string);
/* Puts a copy of `string` in the place of what *place owned before. */
void replace(char **place, const char *string);

void text_add(struct text *text, const char *bytes, size_t length);
void text_printf(struct text *text, const char *format, ...) FAULT_FORMAT(2, 3);
void text_free(struct text *text);

#endif
