/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_wrr.h"

#include <stdlib.h>

#include "oracle/oracle_records.h"

oracle_wrr oracle_wrr_new(const vcs_view *view) {
    uint64_t pairs = (uint64_t)view->projects.count * view->resources.count;
    oracle_wrr outcome = {
        .summary = {.struct_size = sizeof(vcs_wrr_summary)},
        .tasks = oracle_allocate(view->tasks.count, sizeof(vcs_task_forecast)),
        .resources = oracle_allocate(view->resources.count, sizeof(vcs_resource_forecast)),
        .pairs = oracle_allocate(pairs, sizeof(vcs_pair_forecast)),
    };
    return outcome;
}

void oracle_wrr_free(oracle_wrr *outcome) {
    free(outcome->tasks);
    free(outcome->resources);
    free(outcome->pairs);
}

void oracle_wrr_count(oracle_wrr *outcome, const vcs_view *view) {
    for (uint32_t i = 0; i < view->tasks.count; i++) {
        const vcs_task *task = oracle_task(view, i);
        uint32_t verdict = outcome->tasks[i].verdict;
        vcs_pair_forecast *pair = &outcome->pairs[task->project * view->resources.count + oracle_resource_of(task)];
        pair->tasks += verdict != VCS_VERDICT_APART;
        pair->misses += verdict == VCS_VERDICT_MISSES;
        outcome->summary.misses += verdict == VCS_VERDICT_MISSES;
        outcome->summary.unknown += verdict == VCS_VERDICT_UNKNOWN;
    }
}
