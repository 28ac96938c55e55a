/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/begin.h"

#include "vcsched/host/scratch.h"
#include "vcsched/host/snapshot.h"
#include "vcsched/schedule/slice.h"
#include "vcsched/simulation/limits.h"

#include <string.h>

/* ---- Memory ---- */

/*
 * Returns how many bytes from the first array on begin as zeros. Inline: where it only measures, a few additions
 * remain.
 */
static inline size_t lay_out(vcs_choice *choice, uint32_t **ran, const vcs_counts *counts, vcs_arena *arena) {
    vcs_placement *placement = &choice->placement;
    vcs_waiting *waiting = &choice->waiting;
    vcs_late *late = &choice->late;
    const uint64_t project_resources = counts->projects * counts->resources;
    placement->project_tasks = vcs_arena_allocate(arena, counts->projects, sizeof *placement->project_tasks);
    placement->app_tasks = vcs_arena_allocate(arena, counts->apps, sizeof *placement->app_tasks);
    placement->resources = vcs_arena_allocate(arena, counts->resources, sizeof *placement->resources);
    placement->project_uses = vcs_arena_allocate(arena, project_resources, sizeof *placement->project_uses);
    late->keeps_late = vcs_arena_allocate(arena, counts->resources, sizeof *late->keeps_late);
    const uint64_t zeros = arena->used;
    placement->devices = vcs_arena_allocate(arena, counts->resources, sizeof *placement->devices);
    waiting->tasks = vcs_arena_allocate(arena, counts->tasks, sizeof *waiting->tasks);
    *ran = vcs_arena_allocate(arena, counts->tasks, sizeof **ran);
    waiting->queues = vcs_arena_allocate(arena, project_resources, sizeof *waiting->queues);
    choice->items = vcs_arena_allocate(arena, counts->tasks, 2 * sizeof *choice->items);
    choice->turns = vcs_arena_allocate(arena, counts->projects, sizeof *choice->turns);
    late->counts = vcs_arena_allocate(arena, project_resources, sizeof *late->counts);
    late->urgent = vcs_arena_allocate(arena, counts->tasks, sizeof *late->urgent);
    late->queue = vcs_arena_allocate(arena, counts->tasks + 1, sizeof *late->queue);
    return (size_t)zeros;
}

uint64_t vcs_schedule_scratch(const vcs_counts *counts) {
    vcs_choice choice;
    uint32_t *ran;
    vcs_arena measure = {NULL, 0};
    lay_out(&choice, &ran, counts, &measure);
    return vcs_arena_size(&measure);
}

/* ---- Room ---- */

/* Empties the host. */
static void begin_room(vcs_selection *selection, vcs_placement *placement) {
    const vcs_state *state = selection->state;
    for (uint32_t r = 1; r < state->resource_count; r++) {
        vcs_devices_begin(&placement->devices[r], vcs_resources(state)[r].instances);
    }
    vcs_cpus_begin(&placement->cpus, state);
    selection->most_cpus = placement->cpus.largest;
    selection->most_share = vcs_largest_cpu_share(&placement->cpus);
}

/* Finds the least use of each resource. */
static void measure_uses(const vcs_selection *selection, vcs_placement *placement) {
    const vcs_state *state = selection->state;
    for (uint32_t r = 0; r < state->resource_count; r++) {
        placement->resources[r].least_use = INT64_MAX;
    }
    if (state->parameters.discipline == VCS_DISCIPLINE_FLUID) {
        placement->resources[0].least_use = VCS_ONE; /* such a state has tasks of one CPU alone */
        return;
    }
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &selection->prepared[i];
        const int64_t own_use = task->resource == 0 ? task->cpu_units : task->gpu_units;
        int64_t *least = &placement->resources[task->resource].least_use;
        if (own_use < *least && vcs_may_run(selection, task)) {
            *least = own_use;
        }
    }
}

/* ---- Decisions before any offer ---- */

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

static inline void begin_decision(const vcs_selection *selection, vcs_placement *placement, uint32_t index) {
    const vcs_prepared_task *task = &selection->prepared[index];
    vcs_task_decision decision = {.place = VCS_NONE, .reason = VCS_REASON_WAITS};
    if (vcs_runs_already(task)) {
        decision.reason = VCS_REASON_SLICE_OVER;
        decision.flags = VCS_DECISION_STOP;
    }
    if (!vcs_may_run(selection, task)) {
        decision.reason = reason_never(selection->state, index);
    }
    placement->decisions[index] = decision;
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

/* Lists the tasks that ran until now, and sets the stage of each task as long as none is known to be late. */
static void find_running(vcs_selection *selection, vcs_placement *placement, vcs_waiting_task *tasks, uint32_t *ran) {
    const vcs_prepared_task *prepared = selection->prepared;
    const uint32_t count = selection->state->task_count;
    const int64_t switch_cost = vcs_micros(selection->state->parameters.switch_cost);
    for (uint32_t task = 0; task < count; task++) {
        tasks[task].stage = VCS_STAGE_TURN;
        if ((prepared[task].flags & (VCS_TASK_RUNNING | VCS_TASK_DOWNLOADING)) == 0) {
            continue; /* most tasks */
        }
        selection->has_downloads |= prepared[task].flags & VCS_TASK_DOWNLOADING;
        if (!vcs_runs_already(&prepared[task])) {
            continue;
        }
        ran[selection->ran_count++] = task;
        const uint32_t stage = tasks[task].stage = stage_of_running(selection, &prepared[task], switch_cost);
        if (stage == VCS_STAGE_NEARLY_DONE) {
            begin_decision(selection, placement, task); /* it may turn out to be late after its offer */
        }
        if (prepared[task].resource != 0 && stage != VCS_STAGE_NEVER) {
            vcs_hold_devices(placement, task, stage == VCS_STAGE_TURN ? -1.0 : vcs_loss(&prepared[task]));
        }
    }
    placement->summary.stopped = selection->ran_count; /* until they are placed */
}

/* ---- All of it ---- */

void vcs_begin_choice(vcs_choice *choice, vcs_state *state, uint32_t explains) {
    const vcs_counts counts = {
        .resources = state->resource_count,
        .projects = state->project_count,
        .apps = state->app_count,
        .tasks = state->task_count,
    };
    vcs_selection *selection = &choice->selection;
    vcs_placement *placement = &choice->placement;
    vcs_waiting *waiting = &choice->waiting;
    vcs_arena scratch = vcs_scratch(state);
    uint32_t *ran;
    *selection = (vcs_selection){
        .state = state,
        .project_records = vcs_projects(state),
        .apps = vcs_apps(state),
        .prepared = vcs_prepared_tasks(state),
        .explains = explains,
        .ram = state->host.ram == 0.0 ? VCS_INFINITY : state->host.ram,
    };
    *placement = (vcs_placement){
        .selection = selection,
        .decisions = vcs_task_decisions(state),
        .running = vcs_running(state),
        .summary = {.next_check = VCS_INFINITY},
    };
    *waiting = (vcs_waiting){.selection = selection, .placement = placement};
    choice->late = (vcs_late){.selection = selection, .placement = placement};
    const size_t zeros = lay_out(choice, &ran, &counts, &scratch);
    vcs_clear_with_gaps(placement->project_tasks, zeros);
    selection->ran = ran;
    choice->late.tasks = waiting->tasks;
    choice->late.items = choice->items;
    for (uint64_t i = 0; i < counts.projects * counts.resources; i++) {
        waiting->queues[i] = (vcs_waiting_queues){.first = {VCS_NONE, VCS_NONE, VCS_NONE, VCS_NONE}};
    }
    begin_room(selection, placement);
    selection->has_limits = selection->ram < VCS_INFINITY || vcs_has_limits(state);
    measure_uses(selection, placement);
    for (uint32_t task = 0; explains && task < state->task_count; task++) {
        begin_decision(selection, placement, task);
    }
    find_running(selection, placement, waiting->tasks, ran);
}
