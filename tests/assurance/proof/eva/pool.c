/*
 * The survey of a pool of up to two clients and two jobs, where the states of the jobs, who has them, and which is a
 * copy of which are each of all cases, on a path of its own. The other fields are any in their ranges.
 *
 * SPDX-License-Identifier: MIT
 */
// sources: lib/vcsched/core/number.c lib/vcsched/core/index_sort.c lib/vcsched/interface/*/*.c
// sources: lib/vcsched/dispatch/expected.c lib/vcsched/dispatch/job.c lib/vcsched/dispatch/pool.c
// options: -eva-min-loop-unroll 64 -eva-slevel 0
// options: -eva-slevel-function main:1000,survey_copies:1000,check_references:100,vcs_clients_and_jobs_check:100
#include <vcsched/vcsched.h>

#include "right.h"

int code;

#define CLIENTS 2
#define JOBS 2
#define STATES (VCS_JOB_OVER + 1)

vcs_client clients[CLIENTS];
vcs_dispatch_job jobs[JOBS];
vcs_pace pool;
vcs_dispatch_rules rules;

static void survey(uint32_t client_count, uint32_t job_count) {
    uint32_t order[CLIENTS], job_order[JOBS];
    vcs_pool_client rows[CLIENTS];
    vcs_pool_summary summary = {.struct_size = sizeof summary};
    const vcs_array all_clients = {{clients}, sizeof *clients, client_count};
    const vcs_array all_jobs = {{jobs}, sizeof *jobs, job_count};
    const vcs_array all_rows = {{rows}, sizeof *rows, client_count};
    MAY_PASS(vcs_pool_survey(&all_clients, &all_jobs, &pool, &rules, ANY_TIME(), &all_rows, NOBODY));
    if (code == VCS_OK) {
        MAY_PASS(vcs_pool_sum(&all_clients, &all_jobs, &all_rows, order, job_order, &summary, NOBODY));
    }
}

/* The `chosen` one of several indices, or none. */
static uint32_t index_or_none(uint32_t chosen, uint32_t count) {
    return chosen < count ? chosen : VCS_NONE;
}

/* With these states and clients, a job that is no copy, or one of the other. */
static void survey_copies(uint32_t states, uint32_t holders) {
    jobs[0].state = states % STATES;
    jobs[1].state = states / STATES;
    jobs[0].client = index_or_none(holders % (CLIENTS + 1), CLIENTS);
    jobs[1].client = index_or_none(holders / (CLIENTS + 1), CLIENTS);
    jobs[0].copy_of = jobs[1].copy_of = VCS_NONE;
    survey(CLIENTS, JOBS);
    jobs[0].copy_of = 1;
    survey(CLIENTS, JOBS);
    jobs[0].copy_of = VCS_NONE;
    jobs[1].copy_of = 0;
    survey(CLIENTS, JOBS);
}

int main(void) {
    for (uint32_t i = 0; i < CLIENTS; i++) {
        any_right_client(&clients[i]);
    }
    for (uint32_t i = 0; i < JOBS; i++) {
        any_right_dispatch_job(&jobs[i]);
    }
    any_right_pace(&pool);
    any_right_dispatch_rules(&rules);
    rules.struct_size = sizeof rules;
    survey(0, 0);
    survey(CLIENTS, 0);
    for (uint32_t states = 0; states < STATES * STATES; states++) {
        for (uint32_t holders = 0; holders < (CLIENTS + 1) * (CLIENTS + 1); holders++) {
            survey_copies(states, holders);
        }
    }
    return 0;
}
