/*
 * The units of a server by deadline (lib/vcemu/grid/deadline/store.c): three are made, each with room for a few copies,
 * then each of all short sequences of growing one, freeing one and making another is gone through; and as many are made
 * as fill a chunk and begin the next one. All room that was asked for can be used, and what is written there stays what
 * it is, whatever happens to other units. Each request for memory is refused once.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcemu/grid/deadline/store.c
// options: -eva-slevel 100000 -eva-min-loop-unroll 600 -eva-alloc-builtin fresh -eva-no-alloc-returns-null
// options: -eva-split-return=
#include "vcemu/grid/deadline/store.h"
#include "vcemu/host/memory.h"

#include "any.h"

#include <stdlib.h>

int code;

#define UNITS 3
#define STEPS 3 /* or one less, if a request is refused */
#define CHOICES (2 * UNITS)
#define REQUESTS 10 /* for memory, no more than these */

static vcs_grid_world world;
static vcs_grid_server server;
static vcs_grid_unit *chunks[2];
static vcs_grid_unit *units[UNITS]; /* NULL = it is not there */
static const uint32_t first_counts[UNITS] = {1, 2, 5}, steps_up[UNITS] = {1, 3, 4};

/* ---- Memory: one of the requests is refused, or none ---- */

static int left_until_failure;

void *vcs_emu_allocate(vcs_emu_emulator *e, uint64_t bytes) {
    return left_until_failure-- == 0 ? NULL : memset(malloc((size_t)bytes), 0, (size_t)bytes);
}

bool vcs_emu_reserve(vcs_emu_emulator *e, void *array, uint64_t count, size_t size) {
    //@ assert array == &server.store.chunks && 1 <= count <= 2 && size == sizeof(vcs_grid_unit *);
    if (left_until_failure-- == 0) {
        return false;
    }
    server.store.chunks = chunks;
    return true;
}

bool vcs_grid_queue_reserve(vcs_emu_emulator *ground, vcs_grid_queue *queue, uint32_t count) {
    //@ assert queue == &server.timers && count == server.store.slots + 1;
    return left_until_failure-- != 0;
}

/* ---- Units ---- */

/* The number of a copy that no other one has. */
static uint32_t mark_of(uint32_t number, uint32_t copy) {
    return 1 + number * VCS_GRID_MOST_COPIES + copy;
}

/* Makes room for so many copies, and uses all of it. */
static void grow(uint32_t number, uint32_t count) {
    vcs_grid_unit *unit = units[number];
    if (!vcs_grid_unit_reserve(&server, unit, count)) {
        return;
    }
    for (; unit->count < count; unit->count++) {
        unit->results[unit->count].id = mark_of(number, unit->count);
        unit->results[unit->count].reserved[1] = 0;
        unit->copies[unit->count].sent = 0.0;
        unit->copies[unit->count].next = mark_of(number, unit->count);
    }
}

static void check(void) {
    for (uint32_t i = 0; i < UNITS; i++) {
        const vcs_grid_unit *unit = units[i];
        for (uint32_t k = 0; unit != NULL && k < unit->count; k++) {
            const uint64_t id = unit->results[k].id;
            const uint32_t next = unit->copies[k].next, mark = mark_of(i, k);
            //@ assert id == mark && next == mark;
        }
        if (unit != NULL) {
            const vcs_grid_unit *same = vcs_grid_unit_at(&server.store, unit->slot);
            //@ assert same == unit && unit->count <= unit->room;
        }
    }
}

static void make(uint32_t number) {
    units[number] = vcs_grid_unit_new(&server);
    if (units[number] != NULL) {
        //@ assert units[number]->count == 0 && units[number]->room == 0;
        grow(number, first_counts[number]);
    }
}

static void begin(int failure) {
    left_until_failure = failure;
    server = (vcs_grid_server){.world = &world};
    chunks[0] = chunks[1] = NULL;
    server.store.free_slot = VCS_NONE;
}

/* One that is there grows or is freed; one that is not is made. */
static void take_step(uint32_t choice) {
    const uint32_t number = choice % UNITS;
    if (units[number] == NULL) {
        make(number);
    } else if (choice < UNITS) {
        grow(number, units[number]->count + steps_up[number]);
    } else {
        vcs_grid_unit_free(&server, units[number]);
        units[number] = NULL;
    }
    check();
}

/* Behind each choice comes the annotation "split", so that each sequence is a path of its own. */
static void use(int failure) {
    begin(failure);
    for (uint32_t i = 0; i < UNITS; i++) {
        make(i);
    }
    check();
    for (uint32_t i = 0; i < (failure < 0 ? STEPS : STEPS - 1); i++) {
        const uint32_t choice = Frama_C_unsigned_int_interval(0, CHOICES - 1);
        /*@ split choice; */
        take_step(choice);
    }
    MAY_PASS(VCS_OK);
}

/* The most that any unit has, twice. */
static void use_most(int failure) {
    begin(failure);
    for (uint32_t i = 0; i < 2; i++) {
        vcs_grid_unit *unit = vcs_grid_unit_new(&server);
        if (unit != NULL && vcs_grid_unit_reserve(&server, unit, VCS_GRID_MOST_COPIES)) {
            unit->results[VCS_GRID_MOST_COPIES - 1].reserved[1] = 0;
            unit->copies[VCS_GRID_MOST_COPIES - 1].next = 0;
            MAY_PASS(VCS_OK);
            vcs_grid_unit_free(&server, unit);
        }
    }
}

static void fill_chunk(int failure) {
    begin(failure);
    for (uint32_t i = 0; i <= VCS_GRID_CHUNK; i++) {
        const vcs_grid_unit *unit = vcs_grid_unit_new(&server);
        const uint32_t slot = unit != NULL ? unit->slot : i;
        //@ assert slot == i || failure >= 0;
    }
    MAY_PASS(VCS_OK);
}

int main(void) {
    const int failure = Frama_C_interval(-1, REQUESTS - 1);
    /*@ split failure; */
    switch (Frama_C_interval(0, 2)) {
    case 0:
        use(failure);
        break;
    case 1:
        use_most(failure);
        break;
    default:
        fill_chunk(failure < 0 ? failure : VCS_GRID_CHUNK + failure); /* of the first units the others tell */
    }
    return 0;
}
