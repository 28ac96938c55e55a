/*
 * A session of scheduler calls: the caller's records, how a step ends, and which project is best.
 *
 * Rules 7.1 to 7.4; the plain reference is tests/timers/test_rpc_model.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_RPC_SESSION_H
#define VCS_TIMERS_RPC_SESSION_H

#include "timers/timer.h"

#include <stdbool.h>
#include <vcsched/rpc.h>

/* The caller's session and projects, to be changed, and what they are judged by. */
typedef struct rpc_call {
    vcs_rpc_session *session;
    vcs_rpc_project *projects;
    uint32_t project_size, project_count;
    const vcs_parameters *policy;
    vcs_parameters completed; /* a policy of another version */
    double now;
    double work; /* s; for vcs_rpc_next() */
} rpc_call;

/* The caller's records may be longer than ours; what lies beyond was checked to be 0. */
static inline vcs_rpc_project *vcs_rpc_project_at(const rpc_call *call, uint32_t index) {
    return (vcs_rpc_project *)(void *)((unsigned char *)call->projects + (size_t)index * call->project_size);
}

/* ---- The session (rpc_session.c) ---- */

/* Checks what the caller hands in, except `now` and `work`. VCS_OK or the error. */
int vcs_rpc_check(rpc_call *call, vcs_error *error);

/* The index of the project that the session is about; VCS_NONE if it is gone. O(1) unless it moved. */
uint32_t vcs_rpc_find(const rpc_call *call);

/* How long after the end of a session to get work the next one may begin, s. */
double vcs_rpc_pause(const rpc_call *call);

/* Ends the session. After one to get work, the next such session has to wait. */
void vcs_rpc_end_session(const rpc_call *call);

/* Ends the step: a session to get work goes on to the next project, one to report results is over. */
void vcs_rpc_end_step(const rpc_call *call);

/* ---- Which project (rpc_projects.c); all timers must have taken note of the present ---- */

/* What is left of its timer, s. */
static inline double vcs_rpc_timer_wait(const rpc_call *call, const vcs_rpc_project *project) {
    return vcs_wait_until(project->timer.min_rpc_time, call->now);
}

/* How long until its master file may be tried, by timer and interval, s; +infinity if there is no reason to try. */
double vcs_rpc_master_wait(const rpc_call *call, const vcs_rpc_project *project);

/* How long until it may be called or its master file tried, to get work, s; +infinity if it must not be asked. */
double vcs_rpc_work_wait(const rpc_call *call, const vcs_rpc_project *project);

/* A condition on a project. */
typedef bool rpc_condition(const rpc_call *call, const vcs_rpc_project *project);

rpc_condition vcs_rpc_is_wanted;       /* the user wants a call of it */
rpc_condition vcs_rpc_may_report;      /* it has overdue results, and may be called or its master file tried */
rpc_condition vcs_rpc_may_get_work;    /* it may be asked for work now, whether or not it was in this session */
rpc_condition vcs_rpc_is_next_to_ask;  /* the next call to get work may go to it */
rpc_condition vcs_rpc_is_next_to_read; /* its master file is wanted, may be tried, and was not in this session */

/* Whether project a goes before project b. */
static inline bool vcs_rpc_goes_before(const vcs_rpc_project *a, const vcs_rpc_project *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->id < b->id;
}

/* The best project that meets the condition; VCS_NONE if none does. O(count). */
uint32_t vcs_rpc_best(const rpc_call *call, rpc_condition *condition);

#endif
