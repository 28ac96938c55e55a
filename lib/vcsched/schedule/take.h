/*
 * Offering a task: what is in its way and, if nothing is, what it uses from then on and which slice it runs in. Tasks
 * that are offered when it is their project's turn wait in queues until then.
 *
 * Rules 4.7, 5.1 to 5.4 and 5.6; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_TAKE_H
#define VCS_SCHEDULE_TAKE_H

#include "vcsched/schedule/selection.h"

/* Whether that is in the way of one task, though others may fit where it would run. */
static inline bool vcs_is_limit(uint32_t reason) {
    return reason >= VCS_REASON_MEMORY && reason <= VCS_REASON_APP_LIMIT;
}

/* Takes a task if it fits, for this reason: VCS_REASON_NONE. Else notes and returns what is in the way. */
uint32_t vcs_offer_task(vcs_selection *selection, uint32_t task, uint32_t reason);

/* Offers a task whose slice lasts; if others have its devices now, it waits for its project's turn instead. */
void vcs_offer_slice(vcs_selection *selection, uint32_t task);

/* Queues all tasks of VCS_STAGE_TURN that may run. */
void vcs_queue_waiting(vcs_selection *selection);

/* Whether a project has a task to offer when it is its turn. */
static inline bool vcs_has_waiting(const vcs_selection *selection, uint32_t project, uint32_t resource) {
    const vcs_selection_project_resource *of = vcs_selection_at(selection, project, resource);
    uint32_t empty = VCS_NONE;
    for (uint32_t q = 0; q < VCS_TURN_QUEUES; q++) {
        empty &= of->queues[q]; /* VCS_NONE is all ones, and no task's index */
    }
    return empty != VCS_NONE;
}

/* Offers the waiting tasks of a project for a resource until one is taken. Returns whether one was. */
bool vcs_offer_waiting(vcs_selection *selection, uint32_t project, uint32_t resource);

#endif
