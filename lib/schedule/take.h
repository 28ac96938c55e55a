/*
 * Offering a task: what is in its way and, if nothing is, what it uses from then on and which slice it runs in. Tasks
 * that are offered when it is their project's turn wait in queues until then.
 *
 * Rules 5.1 to 5.4 and 5.6; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_TAKE_H
#define VCS_SCHEDULE_TAKE_H

#include "schedule/selection.h"

/* Takes a task if it fits, for this reason; else notes what is in the way. Returns whether it was taken. */
int vcs_offer_task(vcs_selection *selection, uint32_t task, uint32_t reason);

/* Queues all tasks of VCS_STAGE_TURN that may run. */
void vcs_queue_waiting(vcs_selection *selection);

/* Whether a project has a task to offer when it is its turn. */
static inline int vcs_has_waiting(const vcs_selection *selection, uint32_t project, uint32_t resource) {
    const vcs_selection_project_resource *of = vcs_selection_at(selection, project, resource);
    uint32_t empty = VCS_NONE;
    for (uint32_t q = 0; q < VCS_TURN_QUEUES; q++) {
        empty &= of->queues[q]; /* VCS_NONE is all ones, and no task's index */
    }
    return empty != VCS_NONE;
}

/* Offers the waiting tasks of a project for a resource until one is taken. Returns whether one was. */
int vcs_offer_waiting(vcs_selection *selection, uint32_t project, uint32_t resource);

#endif
