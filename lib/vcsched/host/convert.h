/*
 * The records as decisions read them.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_CONVERT_H
#define VCS_HOST_CONVERT_H

#include "vcsched/host/prepared.h"

/* What decides how much memory is needed; an error if a resource has no such number of instances. */
int vcs_count_records(const vcs_snapshot *snapshot, vcs_counts *counts, vcs_error *error);

/* All records but the tasks; VCS_ERR_DUPLICATE if two project_resources are for the same thing. */
int vcs_convert_host(vcs_state *state, const vcs_snapshot *snapshot, vcs_error *error);

/* Of these, the resources, except what the project_resources exclude. */
void vcs_convert_resources(vcs_state *state, const vcs_snapshot *snapshot);

void vcs_convert_task(vcs_state *state, const vcs_snapshot *snapshot, uint32_t index);
/* The same if what it refers to, its flags and its uses are what they were. */
void vcs_convert_progress(vcs_state *state, const vcs_task *task, uint32_t index);
/* Of all tasks, which are converted: the run times, after their resources have changed. */
void vcs_convert_run_times(vcs_state *state);
void vcs_convert_candidates(vcs_state *state, const vcs_snapshot *snapshot);

#endif
