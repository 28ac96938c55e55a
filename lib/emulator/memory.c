/* SPDX-License-Identifier: MIT */
#include "emulator/memory.h"

#include <stdlib.h>
#include <string.h>

/* What precedes each block that is handed out. */
typedef struct vcs_emu_block {
    struct vcs_emu_block *previous, *next;
    size_t size; /* bytes, the header included */
} vcs_emu_block;

#define HEADER_SIZE ((sizeof(vcs_emu_block) + 15) / 16 * 16) /* what follows is aligned as the block is */

static void *allocate_block(vcs_emu_memory *memory, size_t size) {
    const vcs_hooks *hooks = memory->hooks;
    size += HEADER_SIZE;
    vcs_emu_block *block = hooks->allocate != NULL ? hooks->allocate(hooks->context, size) : malloc(size);
    if (block == NULL) {
        memory->failed = true;
        return NULL;
    }
    *block = (vcs_emu_block){.next = memory->blocks, .size = size};
    if (memory->blocks != NULL) {
        memory->blocks->previous = block;
    }
    memory->blocks = block;
    return (unsigned char *)block + HEADER_SIZE;
}

static void release_block(vcs_emu_memory *memory, vcs_emu_block *block) {
    const vcs_hooks *hooks = memory->hooks;
    *(block->previous != NULL ? &block->previous->next : &memory->blocks) = block->next;
    if (block->next != NULL) {
        block->next->previous = block->previous;
    }
    if (hooks->release != NULL) {
        hooks->release(hooks->context, block, block->size);
    } else {
        free(block);
    }
}

static bool is_too_large(uint64_t count, size_t size) {
    return count > SIZE_MAX / 4 / size;
}

void *vcs_emu_allocate(vcs_emu_memory *memory, uint64_t count, size_t size) {
    if (is_too_large(count, size)) {
        memory->failed = true;
        return NULL;
    }
    void *base = allocate_block(memory, (size_t)count * size);
    return base != NULL ? memset(base, 0, (size_t)count * size) : NULL;
}

int vcs_emu_grow(vcs_emu_memory *memory, vcs_emu_vector *vector, uint64_t count, size_t size) {
    if (is_too_large(count, size)) {
        return VCS_ERR_MEMORY;
    }
    size_t needed = (size_t)count * size;
    /* Half as much again, so that adding elements one by one copies each only a few times. */
    needed += needed / 2 + 256;
    unsigned char *larger = allocate_block(memory, needed);
    if (larger == NULL) {
        return VCS_ERR_MEMORY;
    }
    if (vector->size > 0) {
        memcpy(larger, vector->base, vector->size);
    }
    memset(larger + vector->size, 0, needed - vector->size);
    vcs_emu_release(memory, vector);
    *vector = (vcs_emu_vector){larger, needed};
    return VCS_OK;
}

void vcs_emu_release(vcs_emu_memory *memory, vcs_emu_vector *vector) {
    if (vector->base != NULL) {
        release_block(memory, (vcs_emu_block *)(void *)((unsigned char *)vector->base - HEADER_SIZE));
    }
    *vector = (vcs_emu_vector){NULL, 0};
}

void vcs_emu_release_all(vcs_emu_memory *memory) {
    while (memory->blocks != NULL) {
        release_block(memory, memory->blocks);
    }
}
