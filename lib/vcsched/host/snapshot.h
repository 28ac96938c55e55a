/*
 * Reads the caller's snapshot.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_HOST_SNAPSHOT_H
#define VCS_HOST_SNAPSHOT_H

#include "vcsched/interface/check/check.h"

#include <stdbool.h>
#include <stddef.h>
#include <vcsched/reason.h>
#include <vcsched/host.h>

/* The reason to show for a wait given by the caller: VCS_WAIT_*, but not VCS_WAIT_NONE. */
static inline uint32_t vcs_wait_reason(uint32_t wait) {
    _Static_assert(VCS_REASON_UPLOADS_WAIT - VCS_REASON_BY_USER == VCS_WAIT_UPLOADS - VCS_WAIT_USER, "same order");
    return wait == VCS_WAIT_TASK ? VCS_REASON_TASK_BY_USER : VCS_REASON_BY_USER + (wait - VCS_WAIT_USER);
}

/* Whether a task takes part, by three flags: neither it, nor its project, nor its resource is suspended. */
static inline bool vcs_flags_take_part(uint32_t of_task, uint32_t of_project, uint32_t of_resource) {
    return ((of_task & VCS_TASK_SUSPENDED) | (of_project & VCS_PROJECT_SUSPENDED) |
            (of_resource & VCS_RESOURCE_SUSPENDED)) == 0;
}

static inline bool vcs_takes_part(const vcs_snapshot *snapshot, const vcs_task *task) {
    const vcs_project *project = vcs_element(&snapshot->projects, task->project);
    const vcs_resource *resource = vcs_element(&snapshot->resources, task->gpu);
    return vcs_flags_take_part(task->flags, project->flags, resource->flags);
}

#endif
