/*
 * The words of a line, of the journal or from a worker. Each function steps behind what it has read.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef DISPATCHER_WORDS_H
#define DISPATCHER_WORDS_H

#include "records.h"

/* A number of at most so many digits. */
bool read_number(const char **at, int most_digits, uint64_t *number);

/* Seconds, with up to six decimals: no sign, no exponent. */
bool read_seconds(const char **at, int most_digits, double *seconds);

bool skip(const char **at, const char *expected);

/* All that is left of a line: ` 1 2 3`. `at` has room for MOST_VALUES. */
bool read_values(const char **line, uint64_t *at, uint32_t *count);

bool is_key(const char *key);

#endif
