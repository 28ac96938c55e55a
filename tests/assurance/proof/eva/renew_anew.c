/*
 * Renewing a state by preparing it again in its own memory, with some to spare, with none and with too little: for
 * the shape, whose other numbers are any in their ranges, for fewer tasks, and where two tasks, two projects or two
 * records for a project and a resource may be the same.
 *
 * The quick way has proofs of its own, `renew` and `renew_crowd`. Here it does it, or gives up with anything written
 * behind the beginning of the state.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// without: lib/vcsched/host/renew.c
// options: -eva-min-loop-unroll 4 -eva-slevel 100 -eva-unroll-recursive-calls 2
// options: -eva-slevel-function vcs_copy_input:300,vcs_refuse_fields:300
#define vcs_renew_quickly unused_renew_quickly
#include "vcsched/host/renew.c"
#undef vcs_renew_quickly

#define WORK_SIZE 40000
#include "any_state.h"

int code;

static vcs_state kept; /* the beginning of the state that is renewed */

bool vcs_renew_quickly(vcs_state *of, const vcs_snapshot *given, const vcs_parameters *with, double now);
static uint32_t was_quick;

bool vcs_renew_quickly(vcs_state *of, const vcs_snapshot *given, const vcs_parameters *with, double now) {
    Frama_C_make_unknown((char *)work + sizeof kept, sizeof work - sizeof kept);
    was_quick = EITHER();
    return was_quick;
}

/* What other proofs begin with, of each task and candidate. */
static void promise(void) {
    for (uint32_t i = 0; i < state->task_count + state->candidate_count; i++) {
        const vcs_prepared_task *prepared = &vcs_prepared_tasks(state)[i];
        //@ assert 0 <= prepared->run_time <= 1152921504606846976; // VCS_FOREVER
        //@ assert prepared->takes_part <= 1;
    }
}

static int renew(size_t size) {
    *state = kept;
    was_quick = 0;
    const int answer = vcs_state_renew(state, size, &snapshot, &policy, ANY_TIME(), NOBODY);
    if (answer == VCS_OK && was_quick == 0) {
        promise();
    }
    return answer;
}

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    kept = *state;
    any_records();
    shape_records();
    vcs_state_renew(NULL, 0, &snapshot, &policy, 0.0, NOBODY);
    vcs_state_renew(state, kept.size, NULL, &policy, 0.0, NOBODY);
    renew(kept.size - 8);
    MAY_PASS(renew(kept.size));
    MAY_PASS(renew(sizeof work));
    tasks[2].id = ANY_U64();
    projects[1].id = ANY_U64();
    MAY_PASS(renew(sizeof work));
    snapshot.tasks.count = 1;
    snapshot.candidates.count = 0;
    MAY_PASS(renew(kept.size));
    pairs[3].project = 0;
    renew(sizeof work); /* two for the same project and resource */
    return 0;
}
