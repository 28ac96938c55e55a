/*
 * Gaps between arrays in one block of memory, so that a sanitizer sees a step from one array into the next like a step
 * beyond a block. Only builds with VCS_CHECKED and the address sanitizer have gaps; in all others arrays lie side by
 * side, and nothing of this header is left.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_FENCE_H
#define VCS_CORE_FENCE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define VCS_HAS_SANITIZER
#endif
#elif defined __SANITIZE_ADDRESS__
#define VCS_HAS_SANITIZER
#endif

#if defined VCS_CHECKED && defined VCS_HAS_SANITIZER
#include <sanitizer/asan_interface.h>

/* Bytes behind each array: the size of the largest element (arena.h), so that no step beyond the end misses the gap. */
#define VCS_GAP 1024u

/* Closes a gap at `offset` from the base of an arena; an arena that measures has no gaps. */
static inline void vcs_close_gap(unsigned char *base, uint64_t offset) {
    if (base != NULL) {
        __asan_poison_memory_region(base + offset, VCS_GAP);
    }
}

/* Opens all gaps before memory is laid out anew. */
static inline void vcs_open_gaps(void *memory, size_t size) {
    __asan_unpoison_memory_region(memory, size);
}

/* The sanitizer does not watch the next two functions: they clear and copy memory with gaps. */
__attribute__((no_sanitize("address"))) static inline void vcs_clear_with_gaps(void *memory, size_t size) {
    volatile unsigned char *to = memory;
    for (size_t i = 0; i < size; i++) {
        to[i] = 0;
    }
}

__attribute__((no_sanitize("address"))) static inline void vcs_copy_with_gaps(void *target, const void *source,
                                                                              size_t size) {
    volatile unsigned char *to = target;
    const volatile unsigned char *from = source;
    for (size_t i = 0; i < size; i++) {
        to[i] = from[i];
    }
}
#else
#define VCS_GAP 0u

static inline void vcs_close_gap(unsigned char *base, uint64_t offset) {
    (void)base, (void)offset;
}

static inline void vcs_open_gaps(void *memory, size_t size) {
    (void)memory, (void)size;
}

static inline void vcs_clear_with_gaps(void *memory, size_t size) {
    memset(memory, 0, size);
}

static inline void vcs_copy_with_gaps(void *target, const void *source, size_t size) {
    memcpy(target, source, size);
}
#endif

#endif
