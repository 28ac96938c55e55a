/*
 * Converts records into the form that decisions read.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_CONVERT_H
#define VCS_HOST_CONVERT_H

#include "vcsched/host/prepared.h"

/* Counts records and instances for a layout; VCS_ERR_RANGE for a number of instances out of range. */
int vcs_count_records(const vcs_snapshot *snapshot, vcs_counts *counts, vcs_error *error);

/* Converts all records except tasks; VCS_ERR_DUPLICATE if two are for the same project and resource. */
int vcs_convert_host(vcs_state *state, const vcs_snapshot *snapshot, vcs_error *error);

/* Converts the resources only. */
void vcs_convert_resources(vcs_state *state, const vcs_snapshot *snapshot);

/* Converts all tasks, or one. */
void vcs_convert_tasks(vcs_state *state, const vcs_snapshot *snapshot);
void vcs_convert_task(vcs_state *state, const vcs_snapshot *snapshot, uint32_t index);
/* The same for a task with unchanged indices, flags and uses. */
void vcs_convert_progress(vcs_state *state, const vcs_task *task, uint32_t index);
/* Sets anew whether each task takes part and can start; none is given up. */
void vcs_set_eligibilities(vcs_state *state);
/* Updates the run times of all converted tasks after their resources have changed. */
void vcs_convert_run_times(vcs_state *state);
void vcs_convert_candidates(vcs_state *state, const vcs_snapshot *snapshot);

#endif
