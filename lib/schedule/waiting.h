/*
 * The tasks that wait for their project's turn, in queues.
 *
 * Rule 5.1; the plain reference is tests/oracle/oracle_schedule.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef VCS_SCHEDULE_WAITING_H
#define VCS_SCHEDULE_WAITING_H

#include "schedule/selection.h"

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
