/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/begin.h"

#include "vcsched/schedule/may_run.h"
#include "vcsched/host/scratch.h"
#include "vcsched/simulation/limits.h"

#include <string.h>

/* ---- Memory ---- */

/*
 * Returns how many bytes from the first piece on begin as zeros. Inline: where it only measures, a few additions
 * remain.
 */
static inline size_t lay_out(vcs_selection *selection, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t project_resources = counts->projects * counts->resources;
    selection->project_tasks = vcs_arena_allocate(arena, counts->projects, sizeof *selection->project_tasks);
    selection->app_tasks = vcs_arena_allocate(arena, counts->apps, sizeof *selection->app_tasks);
    selection->resources = vcs_arena_allocate(arena, counts->resources, sizeof *selection->resources);
    const uint64_t zeros = arena->used;
    selection->devices = vcs_arena_allocate(arena, counts->resources, sizeof *selection->devices);
    selection->tasks = vcs_arena_allocate(arena, counts->tasks, sizeof *selection->tasks);
    selection->ran = vcs_arena_allocate(arena, counts->tasks, sizeof *selection->ran);
    selection->project_resources = vcs_arena_allocate(arena, project_resources, sizeof *selection->project_resources);
    selection->items = vcs_arena_allocate(arena, counts->tasks, 2 * sizeof *selection->items);
    selection->turns = vcs_arena_allocate(arena, counts->projects, sizeof *selection->turns);
    selection->urgent = vcs_arena_allocate(arena, counts->tasks, sizeof *selection->urgent);
    selection->heirs = vcs_arena_allocate(arena, counts->tasks + 1, sizeof *selection->heirs);
    return (size_t)zeros;
}

uint64_t vcs_schedule_scratch(const vcs_counts *counts) {
    vcs_selection selection;
    vcs_arena measure = {NULL, 0};
    lay_out(&selection, counts, &measure);
    return vcs_arena_size(&measure);
}

/* Nothing is taken yet. */
static void begin_resources(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    for (uint32_t r = 1; r < state->resource_count; r++) {
        vcs_devices_begin(&selection->devices[r], vcs_resources(state)[r].instances);
    }
    vcs_cpus_begin(&selection->cpus, state);
    selection->most_cpus = selection->cpus.largest;
    selection->most_share = vcs_largest_cpu_share(&selection->cpus);
}

/* Finds the least use of each resource. */
static void measure_uses(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    for (uint32_t r = 0; r < state->resource_count; r++) {
        selection->resources[r].least_use = INT64_MAX;
    }
    if (state->parameters.discipline == VCS_DISCIPLINE_FLUID) {
        selection->resources[0].least_use = VCS_ONE; /* such a state has tasks of one CPU alone */
        return;
    }
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &selection->prepared[i];
        int64_t *least = &selection->resources[task->resource].least_use;
        if (vcs_own_use(task) < *least && vcs_may_run(selection, task)) {
            *least = vcs_own_use(task);
        }
    }
}

static void begin_project_resources(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    for (size_t i = 0; i < (size_t)state->project_count * state->resource_count; i++) {
        selection->project_resources[i] = (vcs_selection_project_resource){
            .queues = {VCS_NONE, VCS_NONE, VCS_NONE, VCS_NONE},
            .heirs = VCS_NONE,
        };
    }
}

void vcs_begin_selection(vcs_selection *selection, vcs_state *state, uint32_t explains) {
    const vcs_counts counts = {
        .resources = state->resource_count,
        .projects = state->project_count,
        .apps = state->app_count,
        .tasks = state->task_count,
    };
    vcs_arena scratch = vcs_scratch(state);
    selection->state = state;
    selection->project_records = vcs_projects(state);
    selection->apps = vcs_apps(state);
    selection->prepared = vcs_prepared_tasks(state);
    selection->decisions = vcs_task_decisions(state);
    selection->running = vcs_running(state);
    selection->ram = state->host.ram == 0.0 ? VCS_INFINITY : state->host.ram;
    selection->explains = explains;
    selection->ran_count = selection->has_downloads = 0;
    selection->has_queues = selection->lacks_memory = 0;
    selection->deadline_place = selection->misses = selection->staying = 0;
    selection->heir_count = selection->has_heirs = 0;
    selection->summary = (vcs_schedule_summary){.next_check = VCS_INFINITY};
    const size_t zeros = lay_out(selection, &counts, &scratch);
    vcs_clear_with_gaps(selection->project_tasks, zeros);
    begin_project_resources(selection);
    begin_resources(selection);
    selection->has_limits = selection->ram < VCS_INFINITY || vcs_has_limits(state);
    measure_uses(selection);
}
