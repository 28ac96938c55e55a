/*
 * Preparing a state of one shape, choosing the jobs to send to its host by how busy that is (rule 9.1), and the
 * functions around it. Numbers that are not part of the shape are any in their ranges.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: states
// options: -eva-min-loop-unroll 4 -eva-slevel 100 -eva-unroll-recursive-calls 2
// options: -eva-slevel-function vcs_send:1000,vcs_copy_input:300,vcs_refuse_fields:300
#include "shape.h"
#include "vcsched/host/prepared.h"

int code;

vcs_parameters policy;
vcs_state *state;

/* What other proofs begin with, of each task and candidate. */
static void promise(void) {
    for (uint32_t i = 0; i <= TASKS; i++) {
        const vcs_prepared_task *prepared = &vcs_prepared_tasks(state)[i];
        //@ assert 0 <= prepared->run_time <= 1152921504606846976; // VCS_FOREVER
        //@ assert prepared->takes_part <= 1;
    }
}

static void send(void) {
    RIGHT_ARRAY(send_request, requests, RESOURCES);
    RIGHT(send_job, job);
    RIGHT_SIZED(send_limits, limits);
    vcs_send_decision decision;
    vcs_send_summary summary = {.struct_size = sizeof summary};
    MAY_PASS(vcs_send(state, &(vcs_array){{requests}, sizeof *requests, RESOURCES}, &(vcs_array){{&job}, sizeof job, 1},
                      &limits, &(vcs_array){{&decision}, sizeof decision, 1}, &summary, NOBODY));
}

static void limit(void) {
    vcs_send_limits limits;
    MAY_PASS(vcs_send_limits_init(&limits, sizeof limits));
    uint32_t refusals, unsendable;
    MAY_PASS(vcs_send_refusals(ANY_U32(), ANY_U32(), ANY_U32(), &refusals, &unsendable));
}

int main(void) {
    size_t size;
    limit();
    any_records();
    shape_records();
    MAY_PASS(vcs_parameters_init(&policy, sizeof policy, VCS_PROFILE_CURRENT));
    policy.work_send = VCS_WORK_SEND_WS1;
    MAY_PASS(vcs_state_size(&snapshot, &size));
    if (code != VCS_OK) {
        return 0;
    }
    MAY_PASS(vcs_state_prepare(&snapshot, &policy, ANY_TIME(), work, size, &state, NOBODY));
    if (code == VCS_OK) {
        promise();
        send();
    }
    return 0;
}
