/*
 * Arrays as the library takes them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef ARRAY_H
#define ARRAY_H

#include <stddef.h>
#include <stdint.h>
#include <vcsched/abi.h>

static inline vcs_array array_of(const void *base, size_t size, uint32_t count) {
    return (vcs_array){.base = base, .element_size = (uint32_t)size, .count = count};
}

/* An argument: so many elements from `base`, which exists until the end of the block. */
#define ARRAY(base, count) ARRAY_OF(base, sizeof *(base), count)
#define ARRAY_OF(base, size, count) (&(const vcs_array){{base}, (uint32_t)(size), (count)})
#define NO_RECORDS ARRAY_OF(NULL, 0, 0)

#endif
