/*
 * The memory of an emulation (lib/vcemu/host/memory.c): blocks of a few sizes, taken and given back in a few orders, an
 * array that grows from nothing, and all that is left released at the end. Memory comes from malloc() or from the
 * caller's function, which may refuse at any time.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcemu/host/failure.c lib/vcemu/host/memory.c
// options: -eva-slevel 5000 -eva-alloc-builtin fresh -eva-no-alloc-returns-null
#include "vcemu/host/memory.h"

#include "any.h"

#include <stdlib.h>

int code;

static const uint64_t sizes[] = {0, 1, 40, 1000};

/* What was refused is proved elsewhere. */
int vcs_fail_at(vcs_error *error, int refused, uint64_t index, const char *what, const char *why) {
    return refused;
}

/* One of the requests fails. */
#define REQUESTS 7
static int left_until_failure;

static void *hook_allocate(void *context, size_t size) {
    return left_until_failure-- == 0 ? NULL : malloc(size);
}

static void hook_release(void *context, void *memory, size_t size) {
    free(memory);
}

/* Every byte that was asked for can be written. */
static void fill(void *bytes, size_t size) {
    if (bytes != NULL && size > 0) {
        memset(bytes, 1, size);
    }
}

/* Three blocks, of which one is given back before the end, or none. */
static void take_blocks(vcs_emu_emulator *e, uint64_t size, uint32_t given_back) {
    void *blocks[3];
    for (int i = 0; i < 3; i++) {
        blocks[i] = vcs_emu_allocate(e, i == 1 ? size : 8);
        fill(blocks[i], i == 1 ? (size_t)size : 8);
    }
    if (given_back < 3 && blocks[given_back] != NULL) {
        vcs_emu_free(e, blocks[given_back]);
    }
}

/* An array of that many elements, which grows beyond what it has. */
static void grow_array(vcs_emu_emulator *e, uint64_t count) {
    uint64_t *array = NULL;
    for (int i = 0; i < 3; i++) {
        if (vcs_emu_reserve(e, &array, count + 10 * i, sizeof *array)) {
            fill(array, (size_t)(count + 10 * i) * sizeof *array);
            fill(array, vcs_emu_capacity(array));
        }
    }
}

/* With the caller's functions, or without. */
static void use(int failure, uint64_t size, uint32_t given_back) {
    vcs_emu_emulator e = {.code = VCS_OK};
    left_until_failure = failure;
    if (failure >= 0) {
        e.memory.allocate = hook_allocate;
        e.memory.release = hook_release;
    }
    take_blocks(&e, size, given_back);
    grow_array(&e, size);
    vcs_emu_release_all(&e);
    MAY_PASS(e.code);
}

int main(void) {
    for (int i = 0; i < 4; i++) {
        for (uint32_t given_back = 0; given_back < 4; given_back++) {
            for (int failure = -1; failure < REQUESTS; failure++) {
                use(failure, sizes[i], given_back);
            }
        }
    }
    return 0;
}
