/*
 * Choosing the jobs to send to a host by admission (WS2 of rules 9.1, 9.2), for a state of one shape whose numbers are
 * any in their ranges. Admission has proofs of its own: here it answers whatever its header allows.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// without: lib/vcsched/simulation/deadline/admit.c
// options: -eva-slevel 0 -eva-unroll-recursive-calls 2 -eva-ilevel 40
// options: -eva-slevel-function main:50,prepare:50,vcs_copy_input:300,vcs_refuse_fields:300
// options: -eva-slevel-function vcs_count_for_build:50,vcs_count_records:50,vcs_state_size:50
// options: -eva-slevel 10
// options: -eva-split-return auto
// options: -eva-split-return-function vcs_count_for_build:full,vcs_copy_input:full,vcs_count_records:full
#define vcs_admit admit_itself
#include "vcsched/simulation/deadline/admit.c"
#undef vcs_admit

#include "any_state.h"

int code;

int vcs_admit(vcs_state *of, uint32_t number, vcs_admission *admission) {
    //@ assert of == state && number < of->candidate_count && admission->struct_size == sizeof(vcs_admission);
    of->has |= VCS_HAS_QUEUE;
    admission->admitted = Frama_C_unsigned_int_interval(0, 1);
    admission->reason = ANY_U32();
    admission->finish = any_between(0.0, VCS_INFINITY);
    admission->harmed = EITHER() ? VCS_NONE : Frama_C_unsigned_int_interval(0, TASKS - 1);
    admission->harmed_candidate = EITHER() ? VCS_NONE : 0;
    return VCS_OK;
}

int main(void) {
    if (prepare() != VCS_OK) {
        return 0;
    }
    any_state();
    any_prepared_task(&vcs_prepared_tasks(state)[TASKS]); /* the candidate */
    state->parameters.work_send = VCS_WORK_SEND_WS2;
    RIGHT_ARRAY(send_request, requests, RESOURCES);
    RIGHT(send_job, job);
    RIGHT_SIZED(send_limits, limits);
    vcs_send_decision decision;
    vcs_send_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_send(state, &(vcs_array){{requests}, sizeof *requests, RESOURCES}, &(vcs_array){{&job}, sizeof job, 1},
                      &limits, &(vcs_array){{&decision}, sizeof decision, 1}, &summary, NOBODY));
    return 0;
}
