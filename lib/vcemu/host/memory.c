/*
 * The memory of an emulation: blocks from malloc() or from the caller's function, all released together at the end.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/host/memory.h"
#include "vcsched/core/arena.h"

#include <stdlib.h>

/* The header of each block. */
struct vcs_emu_block {
    vcs_emu_block *previous, *next;
    size_t size; /* bytes, with the header */
};

#define HEADER_SIZE ((sizeof(vcs_emu_block) + 15) / 16 * 16) /* aligns the bytes behind it as the block is */

static vcs_emu_block *block_of(void *bytes) {
    return (vcs_emu_block *)(void *)((unsigned char *)bytes - HEADER_SIZE);
}

/* The bytes may hold anything. */
static unsigned char *allocate_block(vcs_emu_emulator *e, uint64_t bytes) {
    const vcs_emu_memory *memory = &e->memory;
    const size_t size = bytes < SIZE_MAX / 2 ? (size_t)bytes + HEADER_SIZE : SIZE_MAX;
    vcs_emu_block *block = memory->allocate != NULL ? memory->allocate(memory->context, size) : malloc(size);
    if (block == NULL) {
        vcs_emu_fail(e, VCS_ERR_MEMORY, 0, "", "there is not enough memory");
        return NULL;
    }
    *block = (vcs_emu_block){.next = e->blocks, .size = size};
    if (e->blocks != NULL) {
        e->blocks->previous = block;
    }
    e->blocks = block;
    return (unsigned char *)block + HEADER_SIZE;
}

void *vcs_emu_allocate(vcs_emu_emulator *e, uint64_t bytes) {
    unsigned char *taken = allocate_block(e, bytes);
    return taken != NULL && bytes > 0 ? memset(taken, 0, (size_t)bytes) : taken;
}

static void release(vcs_emu_emulator *e, vcs_emu_block *block) {
    const vcs_emu_memory *memory = &e->memory;
    *(block->previous != NULL ? &block->previous->next : &e->blocks) = block->next;
    if (block->next != NULL) {
        block->next->previous = block->previous;
    }
    if (memory->release != NULL) {
        memory->release(memory->context, block, block->size);
    } else {
        free(block);
    }
}

void vcs_emu_free(vcs_emu_emulator *e, void *bytes) {
    release(e, block_of(bytes));
}

void vcs_emu_release_all(vcs_emu_emulator *e) {
    while (e->blocks != NULL) {
        release(e, e->blocks);
    }
}

/* ---- Arrays that grow ---- */

size_t vcs_emu_capacity(const void *array) {
    const unsigned char *bytes = array;
    return bytes == NULL ? 0 : ((const vcs_emu_block *)(const void *)(bytes - HEADER_SIZE))->size - HEADER_SIZE;
}

bool vcs_emu_reserve(vcs_emu_emulator *e, void *array, uint64_t count, size_t size) {
    void *present;
    memcpy(&present, array, sizeof present);
    const uint64_t used = vcs_emu_capacity(present), needed = count * size;
    if (present != NULL && needed <= used) {
        return true;
    }
    /* A quarter more, so that adding elements one by one copies each only a few times. */
    const uint64_t wanted = needed + needed / 4 + 64;
    unsigned char *larger = allocate_block(e, wanted);
    if (larger == NULL) {
        return false;
    }
    memset(larger + used, 0, (size_t)(wanted - used));
    if (present != NULL) {
        vcs_copy_with_gaps(larger, present, (size_t)used);
        release(e, block_of(present));
    }
    memcpy(array, &larger, sizeof larger);
    return true;
}
