/*
 * The projects of a session: which of them may be contacted, and which is best.
 *
 * Rules 7.1 to 7.3; the plain reference is tests/timers/test_rpc_model.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_TIMERS_RPC_PROJECTS_H
#define VCS_TIMERS_RPC_PROJECTS_H

#include "timers/project_timer.h"

#include <stdbool.h>
#include <vcsched/rpc.h>

/* The caller's records, to be changed, and what they are judged by. */
typedef struct rpc_projects {
    vcs_rpc_project *first;
    uint32_t size, count;
    double now;
    const vcs_parameters *policy;
    vcs_parameters completed; /* a policy of another version */
} rpc_projects;

/* The caller's records may be longer than ours; what lies beyond was checked to be 0. */
static inline vcs_rpc_project *vcs_rpc_project_at(const rpc_projects *all, uint32_t index) {
    return (vcs_rpc_project *)(void *)((unsigned char *)all->first + (size_t)index * all->size);
}

/* All timers take note of the present, needed or not. Call it before anything that asks for a wait. */
void vcs_rpc_see_present(const rpc_projects *all);

/* What is left of its timer, s. */
static inline double vcs_rpc_timer_wait(const rpc_projects *all, const vcs_rpc_project *project) {
    return vcs_timer_wait(&project->timer, all->now);
}

/* How long until its master file may be tried, by timer and interval, s; +infinity if there is no reason to try. */
double vcs_rpc_master_wait(const rpc_projects *all, const vcs_rpc_project *project);

/* How long until it may be called or its master file tried, to get work, s; +infinity if it must not be asked. */
double vcs_rpc_work_wait(const rpc_projects *all, const vcs_rpc_project *project);

/* A condition on a project. */
typedef bool rpc_condition(const rpc_projects *all, const vcs_rpc_project *project);

/* The user wants a call of it. */
rpc_condition vcs_rpc_is_wanted;

/* It has overdue results, and its scheduler may be called or its master file tried. */
rpc_condition vcs_rpc_may_report;

/* It may be asked for work now, whether or not it was in this session. */
rpc_condition vcs_rpc_may_get_work;

/* The next call to get work may go to it. */
rpc_condition vcs_rpc_is_next_to_ask;

/* Its master file is wanted, may be tried, and was not tried in this session. */
rpc_condition vcs_rpc_is_next_to_read;

/* Whether project a goes before project b. */
static inline bool vcs_rpc_goes_before(const vcs_rpc_project *a, const vcs_rpc_project *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->id < b->id;
}

/* The best project that meets the condition; VCS_NONE if none does. O(count). */
uint32_t vcs_rpc_best(const rpc_projects *all, rpc_condition *condition);

#endif
