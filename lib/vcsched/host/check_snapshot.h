/*
 * What is refused before a state is prepared.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_CHECK_SNAPSHOT_H
#define VCS_HOST_CHECK_SNAPSHOT_H

#include <stdbool.h>
#include <vcsched/parameters.h>
#include <vcsched/host.h>

/* Looks at every record. */
int vcs_check_snapshot(const vcs_snapshot *snapshot, const vcs_parameters *parameters, vcs_error *error);

/* Whether vcs_check_snapshot() would accept this one, in an array whose records have the size of this version. */
bool vcs_resource_is_right(const vcs_snapshot *snapshot, uint32_t index);
bool vcs_task_is_right(const vcs_snapshot *snapshot, const vcs_parameters *parameters, uint32_t index);
bool vcs_candidate_is_right(const vcs_snapshot *snapshot, uint32_t index);

#endif
