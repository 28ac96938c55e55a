/*
 * Renewing a state the quick way, for the analyser, where each record that is kept and each that is given is any in its
 * ranges. Of the tasks that is also what they refer to, which may not be there where they are given.
 *
 * What is made of the orders of tasks has a proof of its own, `reorder`. Here it is anything; what that proof begins
 * with is asserted.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_PROOF_RENEWAL_H
#define VCS_PROOF_RENEWAL_H

#define vcs_move_many unused_move_many
#define vcs_begin_to_move_few unused_begin_to_move_few
#define vcs_move_few unused_move_few
#include "vcsched/host/reorder.c"
#undef vcs_move_many
#undef vcs_begin_to_move_few
#undef vcs_move_few

#include "any_state.h"
#include "vcsched/host/renew.h"

/* ---- The orders ---- */

bool vcs_move_many(vcs_state *of, const vcs_moved *moved);
void vcs_begin_to_move_few(vcs_state *of, const vcs_moved *moved, vcs_arena *arena, vcs_few_moved *few);
bool vcs_move_few(vcs_state *of, const vcs_moved *moved, const vcs_few_moved *few);

static void any_orders(void) {
    Frama_C_make_unknown((char *)vcs_id_order(state), TASKS * sizeof(uint32_t));
    Frama_C_make_unknown((char *)vcs_arrival_order(state), TASKS * sizeof(uint32_t));
    Frama_C_make_unknown((char *)vcs_deadline_order(state), TASKS * sizeof(uint32_t));
}

/* Who has moved: each is there, and those of either kind are given once, the lowest first. */
static void expect_moved(const vcs_moved *moved) {
    //@ assert moved->before <= state->capacity.tasks && moved->now <= state->capacity.tasks;
    for (uint32_t i = 0; i < moved->other_count; i++) {
        //@ assert moved->others[i] < moved->now;
        //@ assert i == 0 || moved->others[i - 1] < moved->others[i];
    }
    for (uint32_t i = 0; i < moved->due_count; i++) {
        //@ assert moved->due[i] < moved->before && moved->due[i] < moved->now;
        //@ assert i == 0 || moved->due[i - 1] < moved->due[i];
    }
}

bool vcs_move_many(vcs_state *of, const vcs_moved *moved) {
    expect_moved(moved);
    any_orders();
    return EITHER();
}

void vcs_begin_to_move_few(vcs_state *of, const vcs_moved *moved, vcs_arena *arena, vcs_few_moved *few) {
    const uint32_t gone = moved->before > moved->now ? moved->before - moved->now : 0;
    expect_moved(moved);
    //@ assert gone + moved->other_count + moved->due_count <= moved->now;
    lay_out(few, moved->now, arena);
    //@ assert arena->used <= state->scratch_size;
    any_orders();
}

bool vcs_move_few(vcs_state *of, const vcs_moved *moved, const vcs_few_moved *few) {
    expect_moved(moved);
    any_orders();
    return EITHER();
}

/* ---- The rest ---- */

static void any_kept(uint32_t count) {
    any_host();
    any_tasks();
    for (uint32_t i = 0; i < TASKS; i++) {
        vcs_task *kept = &vcs_task_records(state)[i];
        any_right_task(kept);
        kept->project = Frama_C_unsigned_int_interval(0, PROJECTS - 1);
        kept->gpu = Frama_C_unsigned_int_interval(0, RESOURCES - 1);
    }
    any_right_host(&state->host);
    state->task_count = count;
    state->has = ANY_U32();
    Frama_C_make_unknown(vcs_piece(state, state->scratch), state->scratch_size);
}

/* What other proofs begin with, of each task and candidate. */
static void promise(void) {
    for (uint32_t i = 0; i < state->task_count + state->candidate_count; i++) {
        const vcs_prepared_task *prepared = &vcs_prepared_tasks(state)[i];
        //@ assert 0 <= prepared->run_time <= 1152921504606846976; // VCS_FOREVER
        //@ assert prepared->takes_part <= 1;
    }
}

/* A code as of a public function. */
static int renew(uint32_t before, uint32_t now, uint32_t candidates) {
    any_kept(before);
    any_records();
    any_right_parameters(&policy);
    policy.struct_size = sizeof policy;
    snapshot.tasks.count = now;
    snapshot.candidates.count = candidates;
    if (!vcs_renew_quickly(state, &snapshot, &policy, ANY_TIME())) {
        return VCS_ERR_RANGE;
    }
    promise();
    return VCS_OK;
}

#endif
