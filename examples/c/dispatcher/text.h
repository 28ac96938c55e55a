/*
 * Messages, memory, texts and values.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISPATCHER_TEXT_H
#define DISPATCHER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vcsched/vcsched.h>

/* How the program ends. */
enum { COMPLETE, STOPPED, USAGE, JOURNAL, SYSTEM };

extern const char *journal_path;
extern unsigned long replayed_line; /* of the journal, while it is read; else 0 */
extern vcs_error error;             /* what the library refused last */

/* Ends the program, with a message. */
void stop(int code, const char *format, ...);
void stop_at_line(const char *why);

/* An error of the library ends the program: it is the journal's while that is read, and the program's otherwise. */
void must(int code);

/* Makes room for one more element than there are. */
void *grown(void *array, size_t count, size_t element);

#define APPEND(array, count, element) ((array) = grown((array), (count), sizeof *(array)), (array)[(count)++] = element)

/* A text that grows. */
typedef struct text {
    char *at;
    size_t length, room;
} text;

void append(text *t, const char *data, size_t length);
void print(text *t, const char *format, ...);

/* Many values: what a worker is asked for, and what it answers. */
typedef struct values {
    uint64_t *at;
    uint32_t count;
} values;

bool equal(values a, values b);
values copy_of(values a);
void print_values(text *t, values v);

#endif
