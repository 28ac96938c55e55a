/*
 * A server by deadline in a grid, as its hosts and its own clock see it: each function of it is called once on a server
 * in any state, with two units of up to four copies and two hosts. What is assumed of that state is asserted after each
 * call, and it is so after the first one, which makes the server; so it always is. It is:
 *   - a unit has as many copies as it has room for, at most, and room for four
 *   - each link leads to a unit or nowhere: of units in the queue, and of the copies of a host
 *   - each copy was sent to one of the hosts, or not yet
 *   - the queue of transitions and the list of hosts that are caught name units and hosts that there are
 * Whatever else they may be, fields are any in their ranges, even if no server ever comes to that. A host names a copy
 * that its unit has. So it is not shown that a list ends, nor that what is on a list belongs there: see VCS_INVARIANT.
 *
 * Replaced by any answer are the store and the queue, which are proved apart, and libvcsched.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcemu/grid/deadline/by_deadline.c lib/vcemu/grid/deadline/units.c
// sources: lib/vcemu/grid/grid_trust.c
// sources: lib/vcemu/grid/arrivals.c lib/vcemu/grid/servers.c
// sources: lib/vcemu/grid/supply.c
// sources: lib/vcemu/grid/grid_events.c lib/vcemu/host/events.c lib/vcemu/host/failure.c
// options: -eva-slevel 1 -eva-slevel-function apply_change:20,note_change:20,vcs_grid_learn:20,vcs_emu_reserve:20
// options: -eva-slevel-function vcs_grid_copy_of_host:9,first_unsent:9
// options: -eva-slevel-function reserve_changes:9,handle:9,make_transition:9,validate:9,vcs_grid_catch:9,add_copies:9
// options: -eva-slevel-function vcs_grid_unit_reserve:9,vcs_grid_unit_comes:9,vcs_grid_unit_create:9
// options: -eva-split-return-function vcs_emu_reserve:0,reserve_changes:0,vcs_grid_unit_reserve:0,vcs_grid_unit_comes:0
// options: -eva-min-loop-unroll 0 -eva-auto-loop-unroll 1 -eva-widening-delay 3 -eva-split-return=
#include "any_grid.h"

int code;

#define SLOTS 2
#define MOST 4 /* copies of a unit */
#define CHANGES (VCS_CHANGES_PER_UNIT + VCS_CHANGES_PER_RESULT * MOST)

static vcs_grid_unit units[SLOTS];
static vcs_result results0[MOST], results1[MOST], *const results[SLOTS] = {results0, results1};
static vcs_grid_copy copies0[MOST], copies1[MOST], *const copies[SLOTS] = {copies0, copies1};
static vcs_grid_entry entries[SLOTS];
static vcs_change changes[CHANGES];
static uint32_t classes[MOST + 1];
static uint64_t bins[VCS_GRID_BINS];
static vcs_unit right_unit;
static vcs_result right_result;

const vcs_grid_kind vcs_grid_by_reply = {0}; /* no server here is of that kind */

/* ---- Memory ---- */

bool vcs_emu_reserve(vcs_emu_emulator *e, void *array, uint64_t count, size_t size) {
    GROWS(server.changes, changes)
    GROWS(server.classes, classes)
    GROWS(server.clients, clients)
    GROWS_BY_ONE(server.caught, caught, server.caught_count)
    return false_for_want_of_memory(e);
}

void *vcs_emu_allocate(vcs_emu_emulator *e, uint64_t bytes) {
    if (any_yes()) {
        false_for_want_of_memory(e);
        return NULL;
    }
    return memset(bins, 0, sizeof bins);
}

/* ---- The store ---- */

vcs_grid_unit *vcs_grid_unit_at(const vcs_grid_store *store, uint32_t slot) {
    //@ assert slot < SLOTS;
    return &units[slot];
}

static vcs_grid_unit *new_at(uint32_t slot) {
    units[slot] = (vcs_grid_unit){
        .results = results[slot],
        .copies = copies[slot],
        .slot = slot,
        .room = MOST,
        .previous = VCS_NONE,
        .next = VCS_NONE,
    };
    return &units[slot];
}

/* One of the slots, if there is a free one, and memory. Its room for copies is there already. */
vcs_grid_unit *vcs_grid_unit_new(vcs_grid_server *s) {
    if (any_yes()) {
        false_for_want_of_memory(&world.ground);
        return NULL;
    }
    return EITHER() ? new_at(0) : new_at(1);
}

bool vcs_grid_unit_reserve(vcs_grid_server *s, vcs_grid_unit *unit, uint32_t count) {
    return count <= MOST && any_yes() ? true : false_for_want_of_memory(&world.ground);
}

void vcs_grid_unit_free(vcs_grid_server *s, vcs_grid_unit *unit) {
    unit->count = 0;
    unit->next = any_link(SLOTS);
}

/* ---- The queue of transitions ---- */

static void any_timers(void) {
    /*@ loop unroll 4; */
    for (uint32_t i = 0; i < SLOTS; i++) {
        entries[i].number = Frama_C_unsigned_int_interval(0, SLOTS - 1);
        entries[i].time = any_number();
    }
    server.timers.count = Frama_C_unsigned_int_interval(0, SLOTS);
}

void vcs_grid_queue_add(vcs_grid_queue *queue, uint32_t number, double time) {
    //@ assert queue == &server.timers && number < SLOTS;
    any_timers();
}

void vcs_grid_queue_move(vcs_grid_queue *queue, uint32_t number, double time) {
    //@ assert queue == &server.timers && number < SLOTS;
    any_timers();
}

void vcs_grid_queue_remove(vcs_grid_queue *queue, uint32_t number) {
    //@ assert queue == &server.timers && number < SLOTS;
    any_timers();
}

/* ---- Functions of libvcsched ---- */

int vcs_unit_init(vcs_unit *unit, uint64_t id) {
    *unit = right_unit;
    return any_code();
}

int vcs_result_init(vcs_result *result, uint64_t id) {
    *result = right_result;
    return any_code();
}

/* A list of any changes at all, so many that they fit. */
static int any_changes(vcs_change *list, uint32_t capacity, uint32_t *change_count) {
    const int answer = any_code();
    if (answer == VCS_OK) {
        *change_count = Frama_C_unsigned_int_interval(0, capacity);
        Frama_C_make_unknown((char *)list, sizeof changes);
    }
    return answer;
}

int vcs_unit_handle_event(const vcs_unit *unit, const vcs_array *all, const vcs_unit_event *event, double now,
                          const vcs_array *list, uint32_t *change_count, vcs_error *where) {
    return any_changes(list->out, list->count, change_count);
}

int vcs_transition(const vcs_unit *unit, const vcs_array *all, double now, const vcs_array *list,
                   uint32_t *change_count, vcs_error *where) {
    return any_changes(list->out, list->count, change_count);
}

int vcs_validate(const vcs_unit *unit, const vcs_array *all, const uint32_t *class_of, double now,
                 const vcs_array *list, uint32_t *change_count, vcs_error *where) {
    return any_changes(list->out, list->count, change_count);
}

/* Any field of the unit or of the result gets any value. */
int vcs_change_apply(const vcs_change *change, vcs_unit *unit, const vcs_array *all, vcs_error *where) {
    const int answer = any_code();
    if (answer != VCS_OK) {
        return answer;
    }
    if (change->field < VCS_FIELD_RESULT_DEADLINE) {
        *unit = right_unit;
    } else if (change->result < all->count) {
        ((vcs_result *)all->out)[change->result] = right_result;
    }
    return answer;
}

int vcs_change_lesson(const vcs_change *change, const vcs_array *all, vcs_lesson *lesson, vcs_error *where) {
    ANSWER_SIZED(lesson, lesson);
}

int vcs_unit_finished(const vcs_unit *unit, const vcs_array *all, uint32_t *finished, vcs_error *where) {
    *finished = (uint32_t)any_yes();
    return any_code();
}

int vcs_result_needed(const vcs_unit *unit, const vcs_array *all, uint32_t index, uint32_t *needed, uint32_t *reason,
                      vcs_error *where) {
    //@ assert index < MOST;
    *needed = any_word(VCS_NEEDED_KEEP, VCS_NEEDED_ABORT);
    return any_code();
}

int vcs_trust_needs_copy(const vcs_trust *trust, double u, uint32_t *needed, uint32_t *reason) {
    *needed = (uint32_t)any_yes();
    return any_code();
}

int vcs_send_refusals(uint32_t reason, uint32_t limit, uint32_t before, uint32_t *refusals, uint32_t *unsendable) {
    *refusals = ANY_U32();
    *unsendable = (uint32_t)any_yes();
    return any_code();
}

/* ---- The caller's functions: any changes at all, and more than there is room for ---- */

static int hook_validate(void *context, const vcs_grid_situation *situation, const vcs_unit *unit, const vcs_array *all,
                         const uint32_t *class_of, const vcs_array *list, uint32_t *change_count) {
    Frama_C_make_unknown((char *)list->out, sizeof changes);
    *change_count = ANY_U32();
    return any_code();
}

static int hook_trust(void *context, const vcs_grid_situation *situation, const vcs_trust *trust, double u,
                      uint32_t *needed) {
    *needed = ANY_U32();
    return any_code();
}

/* ---- The server ---- */

static void any_unit(uint32_t slot) {
    vcs_grid_unit *unit = &units[slot];
    unit->record = right_unit;
    unit->results = results[slot];
    unit->copies = copies[slot];
    unit->flops = any_flops();
    unit->created = any_number();
    unit->done = any_number();
    unit->slot = slot;
    unit->count = Frama_C_unsigned_int_interval(0, MOST);
    unit->room = MOST;
    unit->unsent = ANY_U32();
    unit->outside = ANY_U32();
    unit->refusals = ANY_U32();
    unit->previous = any_link(SLOTS);
    unit->next = any_link(SLOTS);
    unit->is_queued = any_bool();
    unit->is_counted = any_bool();
    unit->is_wrong = any_bool();
    unit->is_failed = any_bool();
    /*@ loop unroll 4; */
    for (uint32_t i = 0; i < MOST; i++) {
        results[slot][i] = right_result;
        copies[slot][i] = (vcs_grid_copy){
            .sent = any_number(),
            .flops = any_number(),
            .host = any_link(HOSTS),
            .kind = ANY_U32(),
            .outside = (uint32_t)any_yes(),
            .aborted = (uint32_t)any_yes(),
            .previous = any_link(SLOTS),
            .next = any_link(SLOTS),
        };
    }
}

static void any_server(void) {
    any_right_unit(&right_unit);
    any_right_result(&right_result);
    any_world(&vcs_grid_by_deadline, VCS_GRID_BY_DEADLINE, SLOTS);
    world.hooks.validate = any_yes() ? hook_validate : NULL;
    world.hooks.trust = any_yes() ? hook_trust : NULL;
    server.store.slots = Frama_C_unsigned_int_interval(0, SLOTS);
    server.first_queued = any_link(SLOTS);
    server.last_queued = any_link(SLOTS);
    server.walk = any_link(SLOTS);
    server.timers.entries = entries;
    any_timers();
    /*@ loop unroll 4; */
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        any_unit(slot);
    }
}

static void check_link(uint32_t link) {
    //@ assert link < SLOTS || link == 4294967295; // VCS_NONE
}

static void check_server(void) {
    check_world(SLOTS);
    check_link(server.first_queued);
    check_link(server.last_queued);
    check_link(server.walk);
    //@ assert server.store.slots <= SLOTS && server.timers.count <= SLOTS;
    /*@ loop unroll 4; */
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        const vcs_grid_unit *unit = &units[slot];
        //@ assert unit->slot == slot && unit->count <= MOST && unit->room == MOST;
        //@ assert unit->results == results[slot] && unit->copies == copies[slot];
        //@ assert entries[slot].number < SLOTS;
        check_link(unit->previous);
        check_link(unit->next);
        /*@ loop unroll 4; */
        for (uint32_t i = 0; i < MOST; i++) {
            const uint32_t host = copies[slot][i].host;
            //@ assert host < HOSTS || host == 4294967295;
            check_link(copies[slot][i].previous);
            check_link(copies[slot][i].next);
        }
    }
}

/* The unit has the copy of which the host speaks. */
static uint64_t any_copy(uint32_t slot, uint32_t index) {
    units[slot].count = Frama_C_unsigned_int_interval(index + 1, MOST);
    return (uint64_t)slot << 32 | index;
}

int main(void) {
    const uint32_t host = Frama_C_unsigned_int_interval(0, HOSTS - 1);
    const uint32_t slot = Frama_C_unsigned_int_interval(0, SLOTS - 1);
    const uint32_t index = Frama_C_unsigned_int_interval(0, MOST - 1);
    any_server();
    switch (Frama_C_interval(0, 7)) {
    case 0:
        server.store.slots = 0;
        server.timers.count = 0;
        vcs_grid_servers_open(&world);
        MAY_PASS(world.ground.code);
        break;
    case 1:
        call_for_work(host);
        break;
    case 2: /* which copy it is follows when it is sent */
        answer_for_work(host, any_copy(slot, 0));
        break;
    case 3:
        tell_of_work(host, any_copy(slot, index));
        break;
    case 4:
        go_on(host);
        break;
    case 5:
        vcs_grid_by_deadline.conclude(&server);
        MAY_PASS(world.ground.code);
        break;
    case 6:
        answer_for_work(host, VCS_GRID_SPOT_CHECK);
        tell_of_work(host, VCS_GRID_SPOT_CHECK);
        break;
    default:
        vcs_grid_by_deadline.close(&server);
        MAY_PASS(world.ground.code);
    }
    check_server();
    return 0;
}
