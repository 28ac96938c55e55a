/* SPDX-License-Identifier: MIT */
#include "schedule/waiting.h"

#include "schedule/fit.h"
#include "schedule/slice.h"
#include "schedule/take.h"

/* The queue of a project that a task joins. */
static inline uint32_t *queue_of(vcs_selection_project_resource *of, const vcs_prepared_task *task) {
    if (vcs_runs_already(task)) {
        return &of->queues[0];
    }
    return (task->flags & VCS_TASK_STARTED) != 0 ? &of->queues[1] : &of->queues[2];
}

void vcs_queue_waiting(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_prepared_task *prepared = selection->prepared;
    vcs_selection_task *tasks = selection->tasks;
    vcs_selection_project_resource *project_resources = selection->project_resources;
    const size_t resources = state->resource_count;
    const uint32_t *by_arrival = vcs_arrival_order(state);
    for (uint32_t i = state->task_count; i-- > 0;) { /* from the last arrival: each goes before those queued so far */
        const uint32_t index = by_arrival[i];
        const vcs_prepared_task *task = &prepared[index];
        if (tasks[index].stage == VCS_STAGE_TURN && vcs_may_run(selection, task)) {
            uint32_t *first = queue_of(&project_resources[task->project * resources + task->resource], task);
            tasks[index].next = *first;
            *first = index;
        }
    }
}

int vcs_offer_waiting(vcs_selection *selection, uint32_t project, uint32_t resource) {
    vcs_selection_project_resource *of = vcs_selection_at(selection, project, resource);
    for (uint32_t q = 0; q < VCS_TURN_QUEUES; q++) {
        while (of->queues[q] != VCS_NONE) {
            const uint32_t task = of->queues[q];
            of->queues[q] = selection->tasks[task].next;
            if (vcs_offer_task(selection, task, VCS_REASON_TURN)) {
                return 1;
            }
        }
    }
    return 0;
}
