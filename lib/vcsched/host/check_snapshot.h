/*
 * Refuses wrong records before a state is prepared.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_CHECK_SNAPSHOT_H
#define VCS_HOST_CHECK_SNAPSHOT_H

#include <stdbool.h>
#include <vcsched/parameters.h>
#include <vcsched/host.h>

/* Checks every record. VCS_OK or the first error. */
int vcs_check_snapshot(const vcs_snapshot *snapshot, const vcs_parameters *parameters, vcs_error *error);

/* Whether vcs_check_snapshot() would accept a record, in an array with element sizes of this version. */
bool vcs_resource_is_right(const vcs_snapshot *snapshot, uint32_t index);
bool vcs_task_is_right(const vcs_snapshot *snapshot, const vcs_parameters *parameters, uint32_t index);
bool vcs_candidate_is_right(const vcs_snapshot *snapshot, uint32_t index);

#endif
