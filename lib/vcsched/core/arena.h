/*
 * An arena hands out pieces of the caller's work memory. Without memory it only measures, so that one function gives
 * both a layout and its size.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_CORE_ARENA_H
#define VCS_CORE_ARENA_H

#include "vcsched/core/fence.h"

#include <stddef.h>
#include <stdint.h>

typedef struct vcs_arena {
    unsigned char *base; /* NULL: only measure */
    uint64_t used;       /* bytes handed out: where the next piece begins */
} vcs_arena;

/*
 * The most bytes of an arena: 128 TiB, as much as a process of today can address. A greater number of elements counts
 * as one more than this. So no sum of pieces wraps round, and the sum alone tells whether all pieces fit.
 */
#define VCS_ARENA_MOST ((UINT64_C(1) << 47) - 1)

/*
 * The next `count` elements of `size` bytes, aligned to 8; NULL while measuring. Elements of long arrays have at most
 * 1024 bytes; an arena has at most 100 pieces. O(1), whatever was allocated before: in an inline layout that measures,
 * the compiler adds up the sizes of pieces with the same count beforehand.
 */
static inline void *vcs_arena_allocate(vcs_arena *arena, uint64_t count, uint64_t size) {
    const uint64_t elements = count <= VCS_ARENA_MOST ? count : VCS_ARENA_MOST + 1;
    void *piece = arena->base ? arena->base + arena->used : NULL;
    arena->used += (elements * size + 7) & ~UINT64_C(7);
    vcs_close_gap(arena->base, arena->used);
    arena->used += VCS_GAP;
    return piece;
}

/* Bytes handed out or measured; UINT64_MAX if no memory can hold them. */
static inline uint64_t vcs_arena_size(const vcs_arena *arena) {
    const uint64_t most = SIZE_MAX < VCS_ARENA_MOST ? SIZE_MAX : VCS_ARENA_MOST;
    return arena->used <= most ? arena->used : UINT64_MAX;
}

#endif
