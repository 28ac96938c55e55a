/*
 * The words of a line, of the journal or from a worker.
 *
 * SPDX-License-Identifier: MIT
 */
#include "words.h"

#include <stdlib.h>
#include <string.h>

/* Reads a number of at most so many digits, and steps behind it. */
bool read_number(const char **at, int most_digits, uint64_t *number) {
    int digits = 0;
    for (*number = 0; **at >= '0' && **at <= '9' && digits <= most_digits; (*at)++, digits++) {
        *number = *number * 10 + (uint64_t)(**at - '0');
    }
    return digits > 0 && digits <= most_digits;
}

/* Seconds, with up to six decimals: no sign, no exponent. */
bool read_seconds(const char **at, int most_digits, double *seconds) {
    const char *begin = *at;
    uint64_t number;
    if (!read_number(at, most_digits, &number)) {
        return false;
    }
    if (**at == '.') {
        (*at)++;
        if (!read_number(at, 6, &number)) {
            return false;
        }
    }
    *seconds = strtod(begin, NULL);
    return true;
}

bool skip(const char **at, const char *expected) {
    const size_t length = strlen(expected);
    const bool is_there = strncmp(*at, expected, length) == 0;
    *at += is_there ? length : 0;
    return is_there;
}

/* All that is left of a line: ` 1 2 3`. `at` has room for MOST_VALUES. */
bool read_values(const char **line, uint64_t *at, uint32_t *count) {
    for (*count = 0; **line != '\0'; (*count)++) {
        uint64_t value;
        if (!skip(line, " ") || !read_number(line, 10, &value)) {
            return false;
        }
        if (*count < MOST_VALUES) {
            at[*count] = value;
        }
        *count -= *count == MOST_VALUES; /* too many for any portion: one more than it can have */
    }
    return *count > 0;
}

bool is_key(const char *key) {
    const size_t length = strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
    return length >= 8 && length <= LONGEST_KEY && key[length] == '\0';
}
