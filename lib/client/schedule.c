/* SPDX-License-Identifier: MIT */
#include "client/schedule.h"

#include "core/check.h"

#include <string.h>

/* ---- Memory ---- */

/*
 * Returns how many bytes from the first piece on begin as zeros. Inline: where it only measures, a few additions
 * remain.
 */
static inline size_t lay_out(vcs_selection *selection, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t pairs = counts->projects * counts->resources;
    selection->projects = vcs_arena_take(arena, counts->projects, sizeof *selection->projects);
    selection->pools = vcs_arena_take(arena, counts->resources, sizeof *selection->pools);
    selection->app_tasks = vcs_arena_take(arena, counts->apps, sizeof *selection->app_tasks);
    selection->tasks = vcs_arena_take(arena, counts->jobs, sizeof *selection->tasks);
    const uint64_t zeros = arena->used;
    selection->pairs = vcs_arena_take(arena, pairs, sizeof *selection->pairs);
    selection->items = vcs_arena_take(arena, counts->jobs, 2 * sizeof *selection->items);
    selection->turns = vcs_arena_take(arena, counts->projects, sizeof *selection->turns);
    selection->maps = vcs_arena_take(arena, pairs + counts->resources, sizeof *selection->maps);
    selection->room = vcs_arena_take(arena, pairs + counts->resources, sizeof *selection->room);
    return (size_t)zeros;
}

uint64_t vcs_schedule_scratch(const vcs_counts *counts) {
    vcs_selection selection;
    vcs_arena measure = {NULL, 0};
    lay_out(&selection, counts, &measure);
    return vcs_arena_size(&measure);
}

/* Nothing is taken yet. */
static void begin_pools(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_prepared_resource *resources = vcs_resources(state);
    for (uint32_t r = 0; r < state->resource_count; r++) {
        vcs_selection_pool *pool = &selection->pools[r];
        pool->free = resources[r].capacity;
        pool->most = vcs_most_that_fits(state, pool->free);
        selection->has_exclusions |= resources[r].excludes;
    }
}

/* Whether something else than what is in use may keep a task from running that could run alone. */
static uint32_t has_limits(const vcs_selection *selection) {
    const vcs_state *state = selection->state;
    uint32_t limits = selection->ram < VCS_INFINITY;
    for (uint32_t p = 0; p < state->project_count; p++) {
        limits |= selection->records[p].max_concurrent;
    }
    for (uint32_t a = 0; a < state->app_count; a++) {
        limits |= selection->apps[a].max_concurrent;
    }
    return limits != 0;
}

static void begin(vcs_selection *selection, vcs_state *state) {
    const vcs_counts counts = {
        .resources = state->resource_count,
        .projects = state->project_count,
        .apps = state->app_count,
        .jobs = state->job_count,
    };
    vcs_arena scratch = vcs_scratch(state);
    *selection = (vcs_selection){
        .state = state,
        .records = vcs_projects(state),
        .apps = vcs_apps(state),
        .jobs = vcs_jobs(state),
        .decisions = vcs_task_decisions(state),
        .ram = state->host.ram == 0.0 ? VCS_INFINITY : state->host.ram,
        .first = {VCS_NONE, VCS_NONE, VCS_NONE, VCS_NONE, VCS_NONE},
        .summary = {.look_again = VCS_INFINITY},
    };
    const size_t zeros = lay_out(selection, &counts, &scratch);
    memset(selection->projects, 0, zeros);
    for (size_t i = 0; i < (size_t)state->project_count * state->resource_count; i++) {
        selection->pairs[i] = (vcs_selection_pair){.queues = {VCS_NONE, VCS_NONE, VCS_NONE}};
    }
    selection->has_limits = has_limits(selection);
    begin_pools(selection);
}

static void confine(vcs_selection *selection) {
    for (uint32_t r = 0; r < selection->state->resource_count; r++) {
        if (vcs_resources(selection->state)[r].excludes) {
            vcs_fit_confine(selection, r);
        }
    }
}

/* ---- In which order ---- */

/* Makes the tasks of a stage the items, by arrival. Returns how many there are. */
static uint32_t gather(vcs_selection *selection, uint32_t stage) {
    uint32_t count = 0;
    for (uint32_t task = selection->first[stage]; task != VCS_NONE; task = selection->tasks[task].next) {
        selection->items[count++].index = task;
    }
    return count;
}

/* Makes the late tasks the items, by deadline. Returns how many there are. */
static uint32_t gather_late(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const uint32_t *by_deadline = vcs_deadline_order(state);
    uint32_t count = 0;
    if (selection->first[VCS_STAGE_LATE] == VCS_NONE) {
        return 0;
    }
    for (uint32_t i = 0; i < state->job_count; i++) {
        if (selection->tasks[by_deadline[i]].is_late) {
            selection->items[count++].index = by_deadline[i];
        }
    }
    return count;
}

/* What tasks are ordered by; lower goes first. */
typedef uint64_t order_key(const vcs_selection *selection, const vcs_job *job);

/* Sorts the first items, and keeps the order among equals. */
static void sort_by(vcs_selection *selection, uint32_t count, order_key *key) {
    if (count < 2) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        selection->items[i].key = key(selection, &selection->jobs[selection->items[i].index]);
    }
    vcs_sort(selection->items, selection->items + count, count);
}

static uint64_t by_run_time(const vcs_selection *selection, const vcs_job *job) {
    (void)selection;
    return (uint64_t)job->run_time;
}

/* GPU types from the last to the first, then the CPU. */
static uint64_t by_resource(const vcs_selection *selection, const vcs_job *job) {
    return selection->state->resource_count - 1 - job->resource;
}

static uint64_t by_resource_and_lateness(const vcs_selection *selection, const vcs_job *job) {
    return by_resource(selection, job) * VCS_LATE_ORDERS + vcs_late_order(selection, job);
}

static uint64_t by_least_lost(const vcs_selection *selection, const vcs_job *job) {
    (void)selection;
    return ~vcs_order_key(job->since_checkpoint);
}

/* ---- The decision ---- */

static void take_nearly_done(vcs_selection *selection) {
    const uint32_t count = gather(selection, VCS_STAGE_NEARLY_DONE);
    sort_by(selection, count, by_run_time);
    for (uint32_t i = 0; i < count; i++) {
        vcs_offer(selection, selection->items[i].index, VCS_REASON_NEARLY_DONE);
    }
}

static void take_late(vcs_selection *selection) {
    const uint32_t count = gather_late(selection);
    if (selection->state->resource_count > 1 || vcs_late_reorders(&selection->state->parameters)) {
        sort_by(selection, count, by_resource_and_lateness);
    }
    for (uint32_t i = 0; i < count; i++) {
        vcs_offer(selection, selection->items[i].index, VCS_REASON_LATE);
    }
}

/* Makes the projects with a task to offer for a resource those that take turns. Returns how many there are. */
static uint32_t gather_projects(vcs_selection *selection, uint32_t resource) {
    vcs_turn *turns = selection->turns;
    uint32_t count = 0;
    for (uint32_t p = 0; p < selection->state->project_count; p++) {
        if (vcs_has_waiting(vcs_selection_pair_of(selection, p, resource))) {
            turns[count].project = p;
            count++;
        }
    }
    return count;
}

/* Whose turn it is goes first; it is always that of a project that is alone. */
static void take_waiting(vcs_selection *selection, uint32_t resource) {
    if (vcs_is_used_up(selection, resource)) {
        return;
    }
    const uint32_t count = gather_projects(selection, resource);
    if (count > 1) {
        vcs_take_turns(selection, resource, count);
    }
    if (count > 0 && !vcs_is_used_up(selection, resource)) {
        vcs_offer_all_waiting(selection, selection->turns[0].project, resource);
    }
}

/* Each resource goes first to the slices that last, then to whose turn it is. */
static void take_others(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const uint32_t count = gather(selection, VCS_STAGE_SLICE);
    sort_by(selection, count, by_least_lost);
    if (state->resource_count > 1) {
        sort_by(selection, count, by_resource);
    }
    uint32_t item = 0;
    for (uint32_t r = state->resource_count; r-- > 0;) {
        for (; item < count && selection->jobs[selection->items[item].index].resource == r; item++) {
            vcs_offer(selection, selection->items[item].index, VCS_REASON_SLICE);
        }
        take_waiting(selection, r);
    }
}

/* ---- The report ---- */

static void report_resources(const vcs_selection *selection) {
    const vcs_state *state = selection->state;
    vcs_resource_decision *resources = vcs_resource_decisions(state);
    for (uint32_t r = 0; r < state->resource_count; r++) {
        const int64_t used = vcs_resources(state)[r].capacity - selection->pools[r].free;
        resources[r] = (vcs_resource_decision){.used = vcs_instances(used)};
    }
}

int vcs_schedule(vcs_state *state, vcs_schedule_summary *summary) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    int code = summary == NULL ? VCS_OK : vcs_check_size(summary->struct_size, sizeof *summary);
    if (code != VCS_OK) {
        return code;
    }
    if (state->parameters.scheduling == VCS_SCHEDULING_DEADLINE && (state->has & VCS_HAS_WRR) == 0) {
        return VCS_ERR_SEQUENCE;
    }
    vcs_selection selection;
    begin(&selection, state);
    if (vcs_may_be_late(state)) {
        vcs_find_late(&selection);
    }
    vcs_find_stages(&selection);
    if (selection.has_exclusions) {
        confine(&selection);
    }
    take_nearly_done(&selection);
    take_late(&selection);
    take_others(&selection);
    report_resources(&selection);
    state->has |= VCS_HAS_SCHEDULE;
    if (summary != NULL) {
        selection.summary.struct_size = summary->struct_size;
        vcs_hand_out(summary, summary->struct_size, &selection.summary, sizeof selection.summary);
    }
    return VCS_OK;
}

/* ---- What was decided ---- */

int vcs_schedule_tasks(const vcs_state *state, vcs_task_decision *out, uint32_t element_size, uint32_t count) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_read_results(state, VCS_HAS_SCHEDULE, vcs_task_decisions(state), sizeof(vcs_task_decision),
                            state->job_count, out, element_size, count);
}

int vcs_schedule_resources(const vcs_state *state, vcs_resource_decision *out, uint32_t element_size, uint32_t count) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_read_results(state, VCS_HAS_SCHEDULE, vcs_resource_decisions(state), sizeof(vcs_resource_decision),
                            state->resource_count, out, element_size, count);
}
