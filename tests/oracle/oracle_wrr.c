/*
 * Rule 4.1: the results of weighted round-robin, whichever discipline.
 *
 * SPDX-License-Identifier: MIT
 */
#include "oracle/oracle_wrr.h"

#include <stdlib.h>

#include "oracle/oracle_records.h"

oracle_wrr oracle_wrr_new(const vcs_snapshot *snapshot) {
    uint64_t project_resources = (uint64_t)snapshot->projects.count * snapshot->resources.count;
    oracle_wrr outcome = {
        .summary = {.struct_size = sizeof(vcs_wrr_summary)},
        .tasks = oracle_allocate(snapshot->tasks.count, sizeof(vcs_task_forecast)),
        .resources = oracle_allocate(snapshot->resources.count, sizeof(vcs_resource_forecast)),
        .project_resources = oracle_allocate(project_resources, sizeof(vcs_project_resource_forecast)),
    };
    return outcome;
}

void oracle_wrr_free(oracle_wrr *outcome) {
    free(outcome->tasks);
    free(outcome->resources);
    free(outcome->project_resources);
}

void oracle_wrr_count(oracle_wrr *outcome, const vcs_snapshot *snapshot) {
    for (uint32_t i = 0; i < snapshot->tasks.count; i++) {
        const vcs_task *task = oracle_task(snapshot, i);
        uint32_t verdict = outcome->tasks[i].verdict;
        vcs_project_resource_forecast *pair =
            &outcome->project_resources[task->project * snapshot->resources.count + oracle_resource_of(task)];
        pair->tasks += verdict != VCS_VERDICT_SUSPENDED;
        pair->misses += verdict == VCS_VERDICT_MISSES;
        outcome->summary.misses += verdict == VCS_VERDICT_MISSES;
        outcome->summary.unknown += verdict == VCS_VERDICT_UNKNOWN;
    }
}
