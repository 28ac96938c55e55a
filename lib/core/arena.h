/*
 * An arena hands out pieces of the caller's work memory. Run over no memory at all, it measures how much is needed: so
 * the layout and its size are one piece of code.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_ARENA_H
#define VCS_CORE_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct vcs_arena {
    unsigned char *base; /* NULL: only measure */
    uint64_t used;       /* bytes handed out; UINT64_MAX once a size did not fit */
} vcs_arena;

/* The next `count` elements of `size` bytes, aligned to 8; NULL while measuring. O(1). */
static inline void *vcs_arena_take(vcs_arena *arena, uint64_t count, uint64_t size) {
    const uint64_t limit = (uint64_t)SIZE_MAX < UINT64_MAX / 2 ? (uint64_t)SIZE_MAX : UINT64_MAX / 2;
    const uint64_t end = arena->used + ((count * size + 7) & ~UINT64_C(7));
    if (arena->used > limit || (size != 0 && count > (limit - 8) / size) || end > limit) {
        arena->used = UINT64_MAX;
        return NULL;
    }
    void *piece = arena->base ? arena->base + arena->used : NULL;
    arena->used = end;
    return piece;
}

#endif
