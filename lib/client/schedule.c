/* SPDX-License-Identifier: MIT */
#include "client/prepared.h"

#include <vcsched/schedule.h>

uint64_t vcs_schedule_scratch(const vcs_counts *counts) {
    (void)counts;
    return 0;
}

int vcs_schedule_tasks(const vcs_state *state, vcs_task_decision *out, uint32_t element_size, uint32_t count) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_read_results(state, VCS_HAS_SCHEDULE, vcs_task_decisions(state), sizeof(vcs_task_decision),
                            state->job_count, out, element_size, count);
}

int vcs_schedule_resources(const vcs_state *state, vcs_resource_decision *out, uint32_t element_size, uint32_t count) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_read_results(state, VCS_HAS_SCHEDULE, vcs_resource_decisions(state), sizeof(vcs_resource_decision),
                            state->resource_count, out, element_size, count);
}
