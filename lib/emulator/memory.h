/*
 * The memory of an emulation: blocks from malloc() or from the caller's function, released all together at the end.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_EMULATOR_MEMORY_H
#define VCS_EMULATOR_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vcsched/emulator.h>

struct vcs_emu_block;

typedef struct vcs_emu_memory {
    const vcs_hooks *hooks;
    struct vcs_emu_block *blocks; /* those in use, a list */
    bool failed;                  /* an allocation has failed */
} vcs_emu_memory;

/* An array that grows. */
typedef struct vcs_emu_vector {
    void *base;
    size_t size; /* bytes */
} vcs_emu_vector;

/* An array that keeps its size, zeroed; NULL if there is not enough memory, and then memory->failed is set. */
void *vcs_emu_allocate(vcs_emu_memory *memory, uint64_t count, size_t size);

/* The next for a vector that is too small. */
int vcs_emu_grow(vcs_emu_memory *memory, vcs_emu_vector *vector, uint64_t count, size_t size);

/* Makes a vector hold `count` elements of `size` bytes; its content stays, new bytes are 0. */
static inline int vcs_emu_reserve(vcs_emu_memory *memory, vcs_emu_vector *vector, uint64_t count, size_t size) {
    return count <= vector->size / size ? VCS_OK : vcs_emu_grow(memory, vector, count, size);
}

void vcs_emu_release(vcs_emu_memory *memory, vcs_emu_vector *vector);
void vcs_emu_release_all(vcs_emu_memory *memory);

#endif
