/* SPDX-License-Identifier: MIT */
#include "emulator/emulator.h"

#include <stdlib.h>
#include <string.h>

int vcs_enlarge_room(const vcs_hooks *hooks, vcs_room *room, uint64_t count, size_t size) {
    if (count > SIZE_MAX / 2 / size) {
        return VCS_ERR_MEMORY;
    }
    size_t needed = (size_t)count * size;
    /* Half as much again, so that adding one by one costs no more than a few copies of each. */
    needed += needed / 2 + 256;
    void *larger = hooks->allocate != NULL ? hooks->allocate(hooks->context, needed) : malloc(needed);
    if (larger == NULL) {
        return VCS_ERR_MEMORY;
    }
    if (room->size > 0) {
        memcpy(larger, room->base, room->size);
    }
    memset((unsigned char *)larger + room->size, 0, needed - room->size);
    vcs_release_room(hooks, room);
    *room = (vcs_room){larger, needed};
    return VCS_OK;
}

void vcs_release_room(const vcs_hooks *hooks, vcs_room *room) {
    if (room->base == NULL) {
        return;
    }
    if (hooks->release != NULL) {
        hooks->release(hooks->context, room->base, room->size);
    } else {
        free(room->base);
    }
    *room = (vcs_room){NULL, 0};
}
