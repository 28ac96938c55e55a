/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/begin.h"

#include "vcsched/host/scratch.h"
#include "vcsched/host/snapshot.h"
#include "vcsched/simulation/limits.h"
#include "vcsched/simulation/slice.h"

/* ---- Memory ---- */

/*
 * Returns how many bytes from the first array on begin as zeros. Inline: where it only measures, a few additions
 * remain.
 */
static inline size_t lay_out(vcs_choice *choice, const vcs_counts *counts, vcs_arena *arena) {
    vcs_placement *placement = &choice->placement;
    vcs_turns *turns = &choice->turns;
    vcs_late *late = &choice->late;
    const uint64_t project_resources = counts->projects * counts->resources;
    placement->project_tasks = vcs_arena_allocate(arena, counts->projects, sizeof *placement->project_tasks);
    placement->app_tasks = vcs_arena_allocate(arena, counts->apps, sizeof *placement->app_tasks);
    placement->resources = vcs_arena_allocate(arena, counts->resources, sizeof *placement->resources);
    placement->project_uses = vcs_arena_allocate(arena, project_resources, sizeof *placement->project_uses);
    const uint64_t app_resources = counts->app_resources > 0 ? counts->apps * counts->resources : 0;
    placement->project_units = vcs_arena_allocate(arena, project_resources, sizeof *placement->project_units);
    placement->app_units = vcs_arena_allocate(arena, app_resources, sizeof *placement->app_units);
    late->keeps_late = vcs_arena_allocate(arena, counts->resources, sizeof *late->keeps_late);
    const uint64_t zeros = arena->used;
    placement->devices = vcs_arena_allocate(arena, counts->resources, sizeof *placement->devices);
    placement->device_uses = vcs_arena_allocate(arena, counts->tasks, sizeof *placement->device_uses);
    choice->offers = vcs_arena_allocate(arena, counts->tasks, sizeof *choice->offers);
    choice->selection.ran = vcs_arena_allocate(arena, counts->tasks, sizeof *choice->selection.ran);
    choice->items = vcs_arena_allocate(arena, counts->tasks, 2 * sizeof *choice->items);
    turns->queues = vcs_arena_allocate(arena, project_resources, sizeof *turns->queues);
    turns->projects = vcs_arena_allocate(arena, counts->projects, sizeof *turns->projects);
    late->counts = vcs_arena_allocate(arena, project_resources, sizeof *late->counts);
    late->urgent = vcs_arena_allocate(arena, counts->tasks, sizeof *late->urgent);
    late->queue = vcs_arena_allocate(arena, counts->tasks + 1, sizeof *late->queue);
    late->next = vcs_arena_allocate(arena, counts->tasks, sizeof *late->next);
    late->postponed = vcs_arena_allocate(arena, counts->tasks, sizeof *late->postponed);
    return (size_t)zeros;
}

uint64_t vcs_schedule_scratch(const vcs_counts *counts) {
    vcs_choice choice;
    vcs_arena measure = {NULL, 0};
    lay_out(&choice, counts, &measure);
    return vcs_arena_size(&measure);
}

void vcs_begin_choice(vcs_choice *choice, vcs_state *state, uint32_t explains, int64_t yield_to) {
    const vcs_counts counts = {
        .resources = state->resource_count,
        .projects = state->project_count,
        .apps = state->app_count,
        .app_resources = state->capacity.app_resources,
        .tasks = state->task_count,
    };
    vcs_selection *selection = &choice->selection;
    vcs_placement *placement = &choice->placement;
    vcs_turns *turns = &choice->turns;
    vcs_arena scratch = vcs_scratch(state);
    const double ram = state->host.ram == 0.0 ? VCS_INFINITY : state->host.ram;
    *selection = (vcs_selection){
        .state = state,
        .project_records = vcs_projects(state),
        .apps = vcs_apps(state),
        .prepared = vcs_prepared_tasks(state),
        .explains = explains,
        .has_limits = ram < VCS_INFINITY || vcs_has_limits(state) || state->has_instance_limits != 0 ||
                      state->has_device_limits != 0,
        .yield_to = yield_to,
        .periods = vcs_find_periods(state),
        .switch_cost = vcs_micros(state->parameters.switch_cost),
        .ram = ram,
    };
    *placement = (vcs_placement){
        .selection = selection,
        .decisions = vcs_task_decisions(state),
        .running = vcs_running(state),
        .summary = {.next_check = VCS_INFINITY},
    };
    choice->late = (vcs_late){.selection = selection, .placement = placement};
    *turns = (vcs_turns){.selection = selection, .placement = placement};
    const size_t zeros = lay_out(choice, &counts, &scratch);
    vcs_clear_with_gaps(placement->project_tasks, zeros);
    choice->late.offers = turns->offers = choice->offers;
    choice->late.items = choice->items;
    for (uint64_t i = 0; i < counts.projects * counts.resources; i++) {
        turns->queues[i] = (vcs_turn_queues){.first = {VCS_NONE, VCS_NONE, VCS_NONE, VCS_NONE}};
    }
    vcs_cpus_begin(&placement->cpus, state);
    selection->all_fit = state->parameters.discipline == VCS_DISCIPLINE_FLUID && !(ram < VCS_INFINITY) &&
                         vcs_cpu_task_fits(&placement->cpus, VCS_ONE);
    for (uint32_t r = 1; r < state->resource_count; r++) {
        vcs_devices_begin(&placement->devices[r], vcs_resources(state)[r].instances);
    }
}

/* ---- When each task is offered ---- */

/* Whether a task would fit on this host alone, with all CPUs free. */
static bool fits_alone(const vcs_selection *selection, const vcs_cpus *cpus, const vcs_prepared_task *task) {
    return task->ram <= selection->ram && vcs_task_fits_alone(selection->state, cpus, task);
}

/* Finds the least use of each resource. */
static void measure_uses(const vcs_selection *selection, vcs_placement *placement, const vcs_offer *offers) {
    const vcs_state *state = selection->state;
    for (uint32_t r = 0; r < state->resource_count; r++) {
        placement->resources[r].least_use = selection->all_fit ? VCS_ONE : INT64_MAX;
    }
    for (uint32_t i = 0; i < state->task_count && !selection->all_fit; i++) {
        const vcs_prepared_task *task = &selection->prepared[i];
        const int64_t own_use = task->resource == 0 ? task->cpu_units : task->gpu_units;
        int64_t *least = &placement->resources[task->resource].least_use;
        if (own_use < *least && offers[i].stage != VCS_STAGE_NEVER) {
            *least = own_use;
        }
    }
}

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
    if (task->given_up != 0) {
        return (uint32_t)task->given_up;
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

/* The memory of all tasks that keep it, in their order of arrival: sums depend on the order. */
static double measure_kept_ram(const vcs_selection *selection) {
    const uint32_t *by_arrival = vcs_arrival_order(selection->state);
    double ram = 0.0;
    for (uint32_t i = 0; i < selection->state->task_count && selection->state->parameters.stopped_memory; i++) {
        const vcs_prepared_task *task = &selection->prepared[by_arrival[i]];
        ram += vcs_keeps_memory(selection->state, task) ? task->ram : 0.0;
    }
    return ram;
}

static void begin_decision(vcs_placement *placement, uint32_t index, uint32_t stage) {
    const vcs_prepared_task *task = &placement->selection->prepared[index];
    vcs_task_decision decision = {.place = VCS_NONE, .reason = VCS_REASON_WAITS};
    decision.flags = vcs_hopeless_flag(placement->selection->state, task);
    if (vcs_runs_already(task)) {
        decision.reason = VCS_REASON_SLICE_OVER;
        decision.flags |= VCS_DECISION_STOP;
    }
    decision.flags |= task->given_up != 0 ? VCS_DECISION_GIVE_UP : 0;
    if (stage == VCS_STAGE_NEVER) {
        decision.reason = reason_never(placement->selection->state, index);
    }
    placement->decisions[index] = decision;
}

/* Returns the stage of a running task that may go on. Until it is offered it holds its devices. */
static uint32_t begin_running(vcs_placement *placement, uint32_t index) {
    const vcs_state *state = placement->selection->state;
    const vcs_prepared_task *task = &placement->selection->prepared[index];
    const bool is_first = vcs_must_go_on(task) || task->run_time < placement->selection->switch_cost;
    const bool keeps_place =
        state->parameters.keep_running != 0 || vcs_keeps_place(state, &placement->selection->periods, task);
    const bool yields = task->resource == 0 && task->cpu_units < placement->selection->yield_to;
    const uint32_t stage = is_first                 ? VCS_STAGE_FIRST
                           : keeps_place && !yields ? VCS_STAGE_SLICE
                                                    : VCS_STAGE_TURN;
    if (task->resource != 0) { /* if others need a device, the holder with the least loss goes */
        vcs_devices_hold(&placement->devices[task->resource], task->gpu_units, vcs_task_records(state)[index].devices,
                         stage == VCS_STAGE_TURN ? -1.0 : vcs_loss(task));
    }
    if (is_first) {
        begin_decision(placement, index, stage); /* it may turn out to be late after its offer */
    }
    return stage;
}

void vcs_begin_offers(vcs_choice *choice) {
    vcs_selection *selection = &choice->selection;
    vcs_placement *placement = &choice->placement;
    vcs_offer *offers = choice->offers;
    const vcs_prepared_task *prepared = selection->prepared;
    const vcs_cpus cpus = placement->cpus;
    const uint32_t count = selection->state->task_count, all_fit = selection->all_fit;
    uint32_t flags = 0;
    for (uint32_t index = 0; index < count; index++) {
        const vcs_prepared_task *task = &prepared[index];
        const bool may_run = task->can_start && (all_fit || fits_alone(selection, &cpus, task));
        const bool may_go_on = may_run && vcs_runs_already(task);
        offers[index].stage = may_run ? VCS_STAGE_TURN : VCS_STAGE_NEVER;
        placement->summary.stopped += vcs_runs_already(task); /* until it is placed */
        if (may_go_on) {
            selection->ran[selection->ran_count++] = index;
            offers[index].stage = begin_running(placement, index);
        } else if (task->resource != 0) {
            vcs_bind_devices(placement, index);
        }
        flags |= task->flags;
    }
    selection->has_downloads = flags & VCS_TASK_DOWNLOADING;
    selection->has_uninterruptible = flags & VCS_TASK_UNINTERRUPTIBLE;
    measure_uses(selection, placement, offers);
    placement->kept_ram = measure_kept_ram(selection);
    for (uint32_t index = 0; index < count && selection->explains; index++) {
        begin_decision(placement, index, offers[index].stage);
    }
}
