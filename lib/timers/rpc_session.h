/*
 * A session of scheduler calls: taken over from the caller, and its steps ended.
 *
 * Rules 7.1 to 7.4; the plain reference is tests/timers/test_rpc_model.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_RPC_SESSION_H
#define VCS_TIMERS_RPC_SESSION_H

#include "timers/rpc_projects.h"

/*
 * Takes over the arguments that vcs_rpc_next() and vcs_rpc_report() share, all checked; `now` is left to the caller.
 * VCS_OK or the error.
 */
int vcs_rpc_take(rpc_projects *all, const vcs_rpc_session *session, vcs_rpc_project *projects, uint32_t project_size,
                 uint32_t project_count, const vcs_parameters *parameters, vcs_error *error);

/* The index of the project that the session is about; VCS_NONE if it is gone. O(1) unless it moved. */
uint32_t vcs_rpc_find(const rpc_projects *all, const vcs_rpc_session *session);

/* How long after the end of a session to get work the next one may begin, s. */
double vcs_rpc_pause(const rpc_projects *all);

/* Ends the session. After one to get work, the next such session has to wait. */
void vcs_rpc_end_session(const rpc_projects *all, vcs_rpc_session *session);

/* Ends the step: a session to get work goes on to the next project, one to report results is over. */
void vcs_rpc_end_step(const rpc_projects *all, vcs_rpc_session *session);

#endif
