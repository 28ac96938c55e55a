/*
 * A session of scheduler calls: the caller's records, and how a step ends.
 *
 * Rules 7.1 to 7.4; the plain reference is tests/vcsched/timers/test_rpc_model.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_RPC_SESSION_H
#define VCS_TIMERS_RPC_SESSION_H

#include "vcsched/interface/check/check.h"
#include "vcsched/timers/timer.h"

#include <stdbool.h>
#include <vcsched/timers.h>

/* The caller's session and projects, to be changed, and the policy and situation. */
typedef struct rpc_call {
    vcs_rpc_session *session;
    const vcs_array *projects; /* vcs_rpc_project */
    const vcs_parameters *policy;
    vcs_parameters completed; /* a policy of another version */
    double now;
    double work; /* s; for vcs_rpc_next() */
} rpc_call;

/* The caller's records may be longer than vcs_rpc_project; the rest was checked to be 0. */
static inline vcs_rpc_project *vcs_rpc_project_at(const rpc_call *call, uint32_t index) {
    return vcs_element_out(call->projects, index);
}

/* Checks the caller's records, except `now` and `work`. VCS_OK or the error. */
int vcs_rpc_check(rpc_call *call, vcs_error *error);

/* The index of the session's project; VCS_NONE if it is gone. O(1) unless it moved. */
uint32_t vcs_rpc_find(const rpc_call *call);

/* The least time from the end of a session to get work to the next one, s. */
double vcs_rpc_pause(const rpc_call *call);

/* Ends the session. A session to get work makes the next one wait. */
void vcs_rpc_end_session(const rpc_call *call);

/* Ends the step: a session to get work goes on to the next project; a session to report results is over. */
void vcs_rpc_end_step(const rpc_call *call);

#endif
