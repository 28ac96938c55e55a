/*
 * A whole state or index, copied or overwritten. Builds for sanitizers have gaps between its arrays, which nobody may
 * read or write (core/fence.h); so these two are not watched.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef WHOLE_H
#define WHOLE_H

#include <stddef.h>

#ifdef __clang__
#define NOT_WATCHED __attribute__((no_sanitize("address")))
#else
#define NOT_WATCHED
#endif

NOT_WATCHED static inline void copy_whole(void *copy, const void *whole, size_t size) {
    volatile unsigned char *to = copy;
    const volatile unsigned char *from = whole;
    for (size_t i = 0; i < size; i++) {
        to[i] = from[i];
    }
}

NOT_WATCHED static inline void overwrite_whole(void *whole, unsigned char with, size_t size) {
    volatile unsigned char *to = whole;
    for (size_t i = 0; i < size; i++) {
        to[i] = with;
    }
}

#endif
