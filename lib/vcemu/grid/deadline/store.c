/*
 * Memory for the unfinished units of a server by deadline. Finished units leave theirs to new ones.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcemu/grid/deadline/store.h"
#include "vcemu/grid/grid_queue.h"
#include "vcemu/host/memory.h"

#define BYTES_PER_COPY (sizeof(vcs_result) + sizeof(vcs_grid_copy))
#define BLOCK 65536u /* bytes of a block that is cut into smaller rooms */

vcs_grid_unit *vcs_grid_unit_at(const vcs_grid_store *store, uint32_t slot) {
    return &store->chunks[slot / VCS_GRID_CHUNK][slot % VCS_GRID_CHUNK];
}

vcs_grid_unit *vcs_grid_unit_new(vcs_grid_server *s) {
    vcs_grid_store *store = &s->store;
    vcs_emu_emulator *ground = &s->world->ground;
    uint32_t slot = store->free_slot;
    if (slot != VCS_NONE) {
        store->free_slot = vcs_grid_unit_at(store, slot)->next;
    } else {
        slot = store->slots;
        const uint32_t chunk = slot / VCS_GRID_CHUNK;
        if (slot % VCS_GRID_CHUNK == 0) {
            if (!vcs_emu_reserve(ground, &store->chunks, (uint64_t)chunk + 1, sizeof *store->chunks)) {
                return NULL;
            }
            store->chunks[chunk] = vcs_emu_allocate(ground, VCS_GRID_CHUNK * sizeof **store->chunks);
        }
        if (store->chunks[chunk] == NULL || !vcs_grid_queue_reserve(ground, &s->timers, slot + 1)) {
            return NULL;
        }
        store->slots++;
    }
    vcs_grid_unit *unit = vcs_grid_unit_at(store, slot);
    *unit = (vcs_grid_unit){.slot = slot, .previous = VCS_NONE, .next = VCS_NONE};
    return unit;
}

/* ---- Rooms for copies: of powers of two ---- */

static uint32_t size_class(uint32_t count) {
    uint32_t k = 0;
    while ((1u << k) < count) {
        k++;
    }
    return k;
}

/* Cuts a block into free rooms of one size; the first bytes of a room point to the next. */
static bool cut_rooms(vcs_grid_server *s, uint32_t k) {
    const size_t bytes = BYTES_PER_COPY << k;
    const size_t count = bytes < BLOCK ? BLOCK / bytes : 1;
    unsigned char *block = vcs_emu_allocate(&s->world->ground, count * bytes);
    for (size_t i = 0; block != NULL && i < count; i++) {
        memcpy(block + i * bytes, &s->store.free_rooms[k], sizeof(void *));
        s->store.free_rooms[k] = block + i * bytes;
    }
    return block != NULL;
}

static void free_room(vcs_grid_store *store, vcs_grid_unit *unit) {
    if (unit->room > 0) {
        const uint32_t k = size_class(unit->room);
        memcpy(unit->results, &store->free_rooms[k], sizeof(void *));
        store->free_rooms[k] = unit->results;
    }
}

/* No unit has more copies than its max_total, which is at most VCS_GRID_MOST_COPIES. */
bool vcs_grid_unit_reserve(vcs_grid_server *s, vcs_grid_unit *unit, uint32_t count) {
    vcs_grid_store *store = &s->store;
    if (count <= unit->room) {
        return true;
    }
    VCS_INVARIANT(count <= VCS_GRID_MOST_COPIES);
    const uint32_t k = size_class(count), room = 1u << k;
    if (store->free_rooms[k] == NULL && !cut_rooms(s, k)) {
        return false;
    }
    unsigned char *bytes = store->free_rooms[k];
    memcpy(&store->free_rooms[k], bytes, sizeof(void *));
    vcs_result *results = (void *)bytes;
    vcs_grid_copy *copies = (void *)(bytes + room * sizeof *results);
    if (unit->count > 0) {
        memcpy(results, unit->results, unit->count * sizeof *results);
        memcpy(copies, unit->copies, unit->count * sizeof *copies);
    }
    free_room(store, unit);
    unit->results = results;
    unit->copies = copies;
    unit->room = room;
    return true;
}

void vcs_grid_unit_free(vcs_grid_server *s, vcs_grid_unit *unit) {
    free_room(&s->store, unit);
    unit->room = unit->count = 0;
    unit->next = s->store.free_slot;
    s->store.free_slot = unit->slot;
}
