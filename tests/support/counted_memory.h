/*
 * Memory for an emulation that counts what it hands out, and can have none when it is asked for the n-th time.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef COUNTED_MEMORY_H
#define COUNTED_MEMORY_H

#include <stdint.h>
#include <stdlib.h>

/* All zero: nothing is handed out yet, and there is always enough. */
typedef struct heap {
    size_t used, most; /* bytes, now and at the most */
    uint32_t pieces;   /* that have not come back */
    uint32_t asked;    /* times, in all */
    uint32_t fail_at;  /* it has none when asked for the n-th time; 0 = never */
} heap;

static inline void *heap_allocate(void *context, size_t size) {
    heap *h = context;
    h->asked++;
    if (h->fail_at != 0 && --h->fail_at == 0) {
        return NULL;
    }
    h->used += size;
    h->most = h->used > h->most ? h->used : h->most;
    h->pieces++;
    return malloc(size);
}

static inline void heap_release(void *context, void *memory, size_t size) {
    heap *h = context;
    h->used -= size;
    h->pieces--;
    free(memory);
}

#endif
