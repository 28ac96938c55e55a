/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/stage.h"

#include "vcsched/schedule/may_run.h"
#include "vcsched/schedule/slice.h"
#include "vcsched/host/snapshot.h"

/* Why a task may not run. */
static uint32_t reason_never(const vcs_state *state, uint32_t index) {
    const vcs_prepared_task *task = &vcs_prepared_tasks(state)[index];
    const uint32_t wait = vcs_task_records(state)[index].wait;
    if ((task->flags & (VCS_TASK_SUSPENDED | VCS_TASK_DOWNLOADING)) != 0 && wait != VCS_WAIT_NONE) {
        return vcs_wait_reason(wait);
    }
    if ((task->flags & VCS_TASK_SUSPENDED) != 0) {
        return VCS_REASON_TASK_SUSPENDED;
    }
    if (task->takes_part && task->can_start) {
        return VCS_REASON_CANNOT_RUN;
    }
    if (task->takes_part) {
        return (task->flags & VCS_TASK_DOWNLOADING) != 0 ? VCS_REASON_DOWNLOADING : VCS_REASON_RESOURCE_PAUSED;
    }
    if ((vcs_projects(state)[task->project].flags & VCS_PROJECT_SUSPENDED) != 0) {
        return VCS_REASON_PROJECT_SUSPENDED;
    }
    return VCS_REASON_RESOURCE_SUSPENDED;
}

/* ---- What is decided until a task is taken ---- */

static inline void begin_decision(vcs_selection *selection, uint32_t index) {
    const vcs_prepared_task *task = &selection->prepared[index];
    vcs_task_decision decision = {.place = VCS_NONE, .reason = VCS_REASON_WAITS};
    if (vcs_runs_already(task)) {
        decision.reason = VCS_REASON_SLICE_OVER;
        decision.flags = VCS_DECISION_STOP;
    }
    if (!vcs_may_run(selection, task)) {
        decision.reason = reason_never(selection->state, index);
    }
    selection->decisions[index] = decision;
}

void vcs_begin_decisions(vcs_selection *selection) {
    for (uint32_t task = 0; task < selection->state->task_count; task++) {
        begin_decision(selection, task);
    }
}

/* ---- When each task is offered ---- */

/* A running task that is nearly done, or whose slice lasts, does not wait for its project's turn. */
static inline uint32_t stage_of_running(const vcs_selection *selection, const vcs_prepared_task *task,
                                        int64_t switch_cost) {
    if (!vcs_may_run(selection, task)) {
        return VCS_STAGE_NEVER;
    }
    if (task->run_time < switch_cost) {
        return VCS_STAGE_NEARLY_DONE;
    }
    return vcs_slice_lasts(selection->state, task) ? VCS_STAGE_SLICE : VCS_STAGE_TURN;
}

/* A running GPU task holds its devices until it is offered. If others need some, the one with least to lose goes. */
static void hold_devices(vcs_selection *selection, uint32_t index, uint32_t stage) {
    const vcs_prepared_task *task = &selection->prepared[index];
    const uint64_t held = vcs_task_records(selection->state)[index].devices;
    vcs_devices *devices = &selection->devices[task->resource];
    vcs_devices_hold(devices, task->gpu_units, held);
    vcs_devices_risk(devices, held, stage == VCS_STAGE_TURN ? -1.0 : vcs_loss(task));
}

void vcs_find_running(vcs_selection *selection) {
    const vcs_prepared_task *prepared = selection->prepared;
    vcs_selection_task *tasks = selection->tasks;
    const uint32_t count = selection->state->task_count;
    const int64_t switch_cost = vcs_micros(selection->state->parameters.switch_cost);
    for (uint32_t task = 0; task < count; task++) {
        tasks[task].stage = VCS_STAGE_TURN;
        if ((prepared[task].flags & (VCS_TASK_RUNNING | VCS_TASK_DOWNLOADING)) == 0) {
            continue; /* most of them */
        }
        selection->has_downloads |= prepared[task].flags & VCS_TASK_DOWNLOADING;
        if (!vcs_runs_already(&prepared[task])) {
            continue;
        }
        selection->ran[selection->ran_count++] = task;
        tasks[task].stage = stage_of_running(selection, &prepared[task], switch_cost);
        if (tasks[task].stage == VCS_STAGE_NEARLY_DONE) {
            begin_decision(selection, task); /* it may turn out to be late after it was offered */
        }
        if (prepared[task].resource != 0 && tasks[task].stage != VCS_STAGE_NEVER) {
            hold_devices(selection, task, tasks[task].stage);
        }
    }
}
