/*
 * The orders of tasks after some have moved, of 0 to 3 tasks before and now: any of them may be others, or due
 * elsewhere. What they are ordered by is any number, before and after. The orders are any lists of tasks; and each list
 * in which each task is once, the same for all three orders, which do not depend on each other: then they have only
 * tasks that are there afterwards. In truth few have moved only where there are more tasks.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// options: -eva-min-loop-unroll 4 -eva-slevel 500 -eva-unroll-recursive-calls 2
// options: -eva-slevel-function any_between:0,any_keys:0,any_orders:0
// options: -eva-split-return auto
// options: -eva-split-return-function vcs_count_for_build:full,vcs_copy_input:full,vcs_count_records:full
// options: -eva-split-return-function find_place:full,place_of:full,vcs_sort:full,sort_few:full,count_sorted:full
// options: -eva-split-return-function move_back:full,came_from:full,rename_moved:full,rename_task:0:1,mend:0:1
// options: -eva-split-return-function mend_ids:0:1,mend_arrivals:0:1,mend_deadlines:0:1,mend_deadlines_at:0:1
// options: -eva-split-return-function mend_orders:0:1,order_others:0:1,insert:0:1,insert_others:0:1
// options: -eva-split-return-function vcs_move_many:0:1,vcs_move_few:0:1
#include "any_state.h"
#include "vcsched/host/reorder.h"

int code;

static uint32_t others[TASKS], due[TASKS];

static void any_keys(void) {
    for (uint32_t i = 0; i < TASKS; i++) {
        vcs_prepared_task *prepared = &vcs_prepared_tasks(state)[i];
        RIGHT(task, right);
        prepared->id = right.id;
        prepared->received = right.received;
        prepared->deadline = right.deadline;
        prepared->run_time = Frama_C_long_interval(0, VCS_FOREVER);
        any_right_task(&vcs_task_records(state)[i]);
    }
}

/*
 * Of each task, what it is: a digit of `kinds` in base 3. Tasks that are new are others; what is due elsewhere has been
 * there.
 */
enum { OTHER, DUE_ELSEWHERE, UNMOVED, KINDS };

static vcs_moved moved_of(uint32_t before, uint32_t now, uint32_t kinds) {
    vcs_moved moved = {.before = before, .now = now, .others = others, .due = due};
    moved.is_rescaled = EITHER();
    for (uint32_t i = 0; i < now; i++) {
        const uint32_t kind = i < before ? kinds % KINDS : OTHER;
        if (kind == OTHER) {
            others[moved.other_count++] = i;
        } else if (kind == DUE_ELSEWHERE) {
            due[moved.due_count++] = i;
        }
        kinds /= KINDS;
    }
    return moved;
}

/* Each of the tasks once; the first of these also of one and of two tasks. */
#define PERMUTATIONS 6
static const uint32_t permutations[PERMUTATIONS][TASKS] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                                           {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static void orders_of(uint32_t count, uint32_t permutation) {
    for (uint32_t i = 0; i < TASKS; i++) {
        const uint32_t task = i < count ? permutations[permutation][i] : ANY_U32();
        vcs_id_order(state)[i] = vcs_arrival_order(state)[i] = vcs_deadline_order(state)[i] = task;
    }
}

static void any_orders(uint32_t count) {
    for (uint32_t i = 0; i < TASKS; i++) {
        vcs_id_order(state)[i] = i < count ? Frama_C_unsigned_int_interval(0, count - 1) : ANY_U32();
        vcs_arrival_order(state)[i] = i < count ? Frama_C_unsigned_int_interval(0, count - 1) : ANY_U32();
        vcs_deadline_order(state)[i] = i < count ? Frama_C_unsigned_int_interval(0, count - 1) : ANY_U32();
    }
}

static void begin(uint32_t before, uint32_t permutation) {
    any_keys();
    if (permutation < PERMUTATIONS) {
        orders_of(before, permutation);
    } else {
        any_orders(before);
    }
    Frama_C_make_unknown(vcs_piece(state, state->scratch), state->scratch_size);
}

/* What decisions begin with, if each task was there once. */
static void end(uint32_t now, uint32_t permutation) {
    for (uint32_t i = 0; permutation < PERMUTATIONS && i < now; i++) {
        const uint32_t by_number = vcs_id_order(state)[i], by_time = vcs_arrival_order(state)[i];
        const uint32_t by_limit = vcs_deadline_order(state)[i];
        //@ assert by_number < now && by_time < now && by_limit < now;
    }
}

static int move_many(uint32_t before, uint32_t now, uint32_t kinds, uint32_t permutation) {
    const vcs_moved moved = moved_of(before, now, kinds);
    begin(before, permutation);
    state->task_count = now;
    if (!vcs_move_many(state, &moved)) {
        return VCS_ERR_DUPLICATE;
    }
    end(now, permutation);
    return VCS_OK;
}

static int move_few(uint32_t before, uint32_t now, uint32_t kinds, uint32_t permutation) {
    const vcs_moved moved = moved_of(before, now, kinds);
    const uint32_t gone = before > now ? before - now : 0;
    if (gone + moved.other_count + moved.due_count > now) {
        return VCS_ERR_RANGE; /* these are not few */
    }
    vcs_few_moved few;
    begin(before, permutation);
    vcs_arena arena = vcs_scratch(state);
    vcs_begin_to_move_few(state, &moved, &arena, &few);
    state->task_count = now;
    any_keys();
    if (!vcs_move_few(state, &moved, &few)) {
        return VCS_ERR_DUPLICATE;
    }
    end(now, permutation);
    return VCS_OK;
}

/* One after the other, each combination of what the tasks are. */
static void move(uint32_t before, uint32_t now, uint32_t permutation) {
    static const uint32_t combinations_of[TASKS + 1] = {1, KINDS, KINDS * KINDS, KINDS * KINDS * KINDS};
    const uint32_t combinations = combinations_of[before < now ? before : now];
    /*@ loop unroll 27; */
    for (uint32_t kinds = 0; kinds < combinations; kinds++) {
        MAY_PASS(move_many(before, now, kinds, permutation));
        MAY_PASS(move_few(before, now, kinds, permutation));
    }
}

int main(void) {
    static const uint32_t permutations_of[TASKS + 1] = {1, 1, 2, PERMUTATIONS};
    if (prepare() != VCS_OK) {
        return 0;
    }
    /*@ loop unroll 4; */
    for (uint32_t before = 0; before <= TASKS; before++) {
        /*@ loop unroll 4; */
        for (uint32_t now = 0; now <= TASKS; now++) {
            move(before, now, PERMUTATIONS); /* any lists */
            /*@ loop unroll 6; */
            for (uint32_t permutation = 0; permutation < permutations_of[before]; permutation++) {
                move(before, now, permutation);
            }
        }
    }
    return 0;
}
