/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/waiting.h"

#include "vcsched/schedule/slice.h"

/*
 * A running task has to start again elsewhere once its devices are given to others. It must not drive out a task that
 * keeps running, so it waits for its project's turn, behind the running ones. Returns whether it was displaced.
 */
static bool queue_displaced(vcs_waiting *waiting, uint32_t index) {
    const vcs_prepared_task *task = &waiting->selection->prepared[index];
    if (task->resource == 0) {
        return false;
    }
    const vcs_state *state = waiting->selection->state;
    const uint64_t held = vcs_task_records(state)[index].devices;
    if (held == 0 || vcs_devices_suit(&waiting->placement->devices[task->resource], task->gpu_units,
                                      vcs_allowed_to(state, task), held)) {
        return false;
    }
    vcs_waiting_queues *of = &waiting->queues[vcs_selection_index(waiting->selection, task->project, task->resource)];
    uint32_t *first = &of->first[VCS_TURN_DISPLACED];
    vcs_release_devices(waiting->placement, index);
    waiting->tasks[index].next = VCS_NONE;
    *(*first == VCS_NONE ? first : &waiting->tasks[of->last_displaced].next) = index;
    of->last_displaced = index;
    return true;
}

void vcs_offer_slice(vcs_waiting *waiting, uint32_t task) {
    if (!queue_displaced(waiting, task)) {
        vcs_offer_task(waiting->placement, task, VCS_REASON_SLICE);
    }
}

/* The queue of a project that a task joins. */
static inline uint32_t *queue_of(vcs_waiting_queues *of, const vcs_prepared_task *task) {
    if (vcs_runs_already(task)) {
        return &of->first[VCS_TURN_RUNNING];
    }
    return &of->first[(task->flags & VCS_TASK_STARTED) != 0 ? VCS_TURN_STARTED : VCS_TURN_FRESH];
}

void vcs_fill_queues(vcs_waiting *waiting) {
    const vcs_state *state = waiting->selection->state;
    const vcs_prepared_task *prepared = waiting->selection->prepared;
    vcs_waiting_task *tasks = waiting->tasks;
    vcs_waiting_queues *queues = waiting->queues;
    const size_t resources = state->resource_count;
    const uint32_t *by_arrival = vcs_arrival_order(state);
    for (uint32_t i = state->task_count; i-- > 0;) { /* from the last arrival: each joins at the head of its queue */
        const uint32_t index = by_arrival[i];
        const vcs_prepared_task *task = &prepared[index];
        vcs_waiting_queues *of = &queues[task->project * resources + task->resource];
        of->taking_part += task->takes_part;
        if (tasks[index].stage == VCS_STAGE_TURN && vcs_may_run(waiting->selection, task)) {
            uint32_t *first = queue_of(of, task);
            tasks[index].next = *first;
            *first = index;
        }
    }
    waiting->is_filled = 1;
}

bool vcs_offer_waiting(vcs_waiting *waiting, uint32_t project, uint32_t resource) {
    vcs_waiting_queues *of = &waiting->queues[vcs_selection_index(waiting->selection, project, resource)];
    for (uint32_t q = 0; q < VCS_TURN_QUEUES; q++) {
        while (of->first[q] != VCS_NONE) {
            const uint32_t task = of->first[q];
            of->first[q] = waiting->tasks[task].next;
            if (q == VCS_TURN_RUNNING && queue_displaced(waiting, task)) {
                continue;
            }
            /* Only running tasks hold devices; displaced ones have released theirs. */
            const uint64_t held = q == VCS_TURN_RUNNING ? vcs_release_devices(waiting->placement, task) : 0;
            if (vcs_place_task(waiting->placement, task, VCS_REASON_TURN, held) == VCS_REASON_NONE) {
                return true;
            }
        }
    }
    return false;
}
