/*
 * Sessions of scheduler calls: the projects, who of them may be contacted, and where a session stands.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_RPC_PROJECTS_H
#define VCS_TIMERS_RPC_PROJECTS_H

#include "timers/backoff.h"

#include <stdbool.h>
#include <vcsched/rpc.h>

/* What both halves of a session look at, and the caller's records, to be changed. */
typedef struct rpc_projects {
    vcs_rpc_project *first;
    uint32_t element_size, count;
    double now;
    const vcs_parameters *policy;
    vcs_parameters room; /* for a policy of another version */
} rpc_projects;

/*
 * Takes over the arguments that vcs_rpc_next() and vcs_rpc_report() share, all checked; `now` is left to the caller.
 * VCS_OK or the error.
 */
int vcs_rpc_take(rpc_projects *all, const vcs_rpc_session *session, const vcs_parameters *parameters,
                 vcs_rpc_project *projects, uint32_t element_size, uint32_t count, vcs_error *error);

/* The caller's records may be longer than ours; what is beyond was found to be 0. */
static inline vcs_rpc_project *vcs_rpc_project_at(const rpc_projects *all, uint32_t index) {
    return (vcs_rpc_project *)(void *)((unsigned char *)all->first + (size_t)index * all->element_size);
}

/* Where the project that the session is about stands now; VCS_NONE if it is gone. O(1) unless it moved. */
uint32_t vcs_rpc_find(const rpc_projects *all, const vcs_rpc_session *session);

/* All timers take note of the present, whether or not they are looked at. Before any question how long to wait. */
void vcs_rpc_see_present(const rpc_projects *all);

/* How long the project is to be left alone by its timer, s. */
static inline double vcs_rpc_timer_wait(const rpc_projects *all, const vcs_rpc_project *project) {
    return vcs_timer_wait(&project->timer, all->now);
}

/* How long until its master file may be tried, by timer and interval, s; +infinity if there is no reason to. */
double vcs_rpc_master_wait(const rpc_projects *all, const vcs_rpc_project *project);

/* How long until it may be called, or its master file be tried, to get work, s; +infinity if it is not to be asked. */
double vcs_rpc_work_wait(const rpc_projects *all, const vcs_rpc_project *project);

/* A condition on a project. */
typedef bool rpc_condition(const rpc_projects *all, const vcs_rpc_project *project);

/* The user wants it called. */
rpc_condition vcs_rpc_is_wanted;

/* It has overdue results, and its scheduler may be called or its master file tried. */
rpc_condition vcs_rpc_may_report;

/* It may be asked for work now, whether or not it was in this session. */
rpc_condition vcs_rpc_may_get_work;

/* The next call to get work may go to it. */
rpc_condition vcs_rpc_is_next_to_ask;

/* Its master file is wanted, may be tried, and was not in this session. */
rpc_condition vcs_rpc_is_next_to_read;

/* Whether project a goes before project b. */
static inline bool vcs_rpc_goes_before(const vcs_rpc_project *a, const vcs_rpc_project *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->id < b->id;
}

/* The best project that meets the condition; VCS_NONE if none does. O(count). */
uint32_t vcs_rpc_best(const rpc_projects *all, rpc_condition *condition);

/* How long after the end of a session to get work the next one may begin, s. */
double vcs_rpc_pause(const rpc_projects *all);

/* Ends the session. The next to get work has to wait a while. */
void vcs_rpc_end_session(const rpc_projects *all, vcs_rpc_session *session);

/* The step is over: a session to get work goes on to the next project, one to report results ends. */
void vcs_rpc_end_step(const rpc_projects *all, vcs_rpc_session *session);

#endif
