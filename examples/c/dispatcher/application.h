/*
 * The application, which gives portions of work: replace it by your own.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISPATCHER_APPLICATION_H
#define DISPATCHER_APPLICATION_H

#include "text.h"

enum { MOST_VALUES = 2000 };

/* What a worker is asked for: x of each value, or the value of each x, which is the inverse problem. */
enum { COMPUTE, INVERT };
extern const char *const asked_words[];

extern uint32_t portions, portion_size; /* how many there are; the least number of values in one */

/* The values of a portion, to be released by free(). */
values portion_of(uint32_t number);

/* The time on a machine that finds one logarithm in a unit of time. The inverse problem is far easier. */
double complexity_of(uint32_t asked, values v);

bool is_right(values v, values answer);

#endif
