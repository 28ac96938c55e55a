/* SPDX-License-Identifier: MIT */
#include "schedule/schedule.h"
#include "schedule/scratch.h"

#include "state/order.h"
#include "interface/check.h"

#include <string.h>

/* ---- Memory ---- */

/*
 * Returns how many bytes from the first piece on begin as zeros. Inline: where it only measures, a few additions
 * remain.
 */
static inline size_t lay_out(vcs_selection *selection, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t project_resources = counts->projects * counts->resources;
    selection->projects = vcs_arena_take(arena, counts->projects, sizeof *selection->projects);
    selection->pools = vcs_arena_take(arena, counts->resources, sizeof *selection->pools);
    selection->app_tasks = vcs_arena_take(arena, counts->apps, sizeof *selection->app_tasks);
    const uint64_t zeros = arena->used;
    selection->tasks = vcs_arena_take(arena, counts->tasks, sizeof *selection->tasks);
    selection->ran = vcs_arena_take(arena, counts->tasks, sizeof *selection->ran);
    selection->project_resources = vcs_arena_take(arena, project_resources, sizeof *selection->project_resources);
    selection->items = vcs_arena_take(arena, counts->tasks, 2 * sizeof *selection->items);
    selection->turns = vcs_arena_take(arena, counts->projects, sizeof *selection->turns);
    selection->maps = vcs_arena_take(arena, project_resources + counts->resources, sizeof *selection->maps);
    selection->room = vcs_arena_take(arena, project_resources + counts->resources, sizeof *selection->room);
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
    selection->most_cpus = selection->pools[0].most;
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

/* Whether some task may run that uses nothing of its resource. */
static uint32_t has_free_riders(const vcs_selection *selection) {
    const vcs_state *state = selection->state;
    if (state->parameters.discipline == VCS_DISCIPLINE_FLUID) {
        return 0; /* such a state has tasks of one CPU alone */
    }
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &selection->jobs[i];
        if (vcs_use_of(task, task->resource) == 0 && vcs_may_run(selection, task)) {
            return 1;
        }
    }
    return 0;
}

/* Counts of each project on each resource the tasks that take part, unless the simulation has. */
static void begin_pairs(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_project_resource_forecast *forecasts = vcs_project_resource_forecasts(state);
    const uint32_t has_counts = state->has & VCS_HAS_WRR;
    for (size_t i = 0; i < (size_t)state->project_count * state->resource_count; i++) {
        selection->project_resources[i] = (vcs_selection_pair){
            .candidates = has_counts ? forecasts[i].tasks : 0,
            .queues = {VCS_NONE, VCS_NONE, VCS_NONE},
        };
    }
    for (uint32_t i = 0; !has_counts && i < state->task_count; i++) {
        const vcs_prepared_task *task = &selection->jobs[i];
        vcs_selection_pair_of(selection, task->project, task->resource)->candidates += task->takes_part;
    }
}

static void begin(vcs_selection *selection, vcs_state *state, uint32_t explains) {
    const vcs_counts counts = {
        .resources = state->resource_count,
        .projects = state->project_count,
        .apps = state->app_count,
        .tasks = state->task_count,
    };
    vcs_arena scratch = vcs_scratch(state);
    *selection = (vcs_selection){
        .state = state,
        .records = vcs_projects(state),
        .apps = vcs_apps(state),
        .jobs = vcs_prepared_tasks(state),
        .decisions = vcs_task_decisions(state),
        .running = vcs_running(state),
        .ram = state->host.ram == 0.0 ? VCS_INFINITY : state->host.ram,
        .explains = explains,
        .summary = {.next_check = VCS_INFINITY},
    };
    const size_t zeros = lay_out(selection, &counts, &scratch);
    memset(selection->projects, 0, zeros);
    begin_pairs(selection);
    begin_pools(selection);
    selection->has_limits = has_limits(selection);
    selection->has_free_riders = has_free_riders(selection);
}

static void confine(vcs_selection *selection) {
    for (uint32_t r = 0; r < selection->state->resource_count; r++) {
        if (vcs_resources(selection->state)[r].excludes) {
            vcs_fit_confine(selection, r);
        }
    }
}

/* ---- In which order ---- */

/* What tasks are ordered by; lower goes first. */
typedef uint64_t order_key(const vcs_selection *selection, const vcs_prepared_task *task);

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

static uint64_t by_run_time(const vcs_selection *selection, const vcs_prepared_task *task) {
    (void)selection;
    return (uint64_t)task->run_time;
}

/* GPU types from the last to the first, then the CPU. */
static uint64_t by_resource(const vcs_selection *selection, const vcs_prepared_task *task) {
    return selection->state->resource_count - 1 - task->resource;
}

static uint64_t by_resource_and_lateness(const vcs_selection *selection, const vcs_prepared_task *task) {
    return by_resource(selection, task) * VCS_LATE_ORDERS + vcs_late_order(selection, task);
}

static uint64_t by_least_lost(const vcs_selection *selection, const vcs_prepared_task *task) {
    (void)selection;
    return ~vcs_order_key(task->since_checkpoint);
}

/* ---- Which are to be offered ---- */

/* Makes the tasks of a stage that ran until now the items, by arrival. Returns how many there are. */
static uint32_t gather(vcs_selection *selection, uint32_t stage) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < selection->ran_count; i++) {
        if (selection->tasks[selection->ran[i]].stage == stage) {
            selection->items[count++].index = selection->ran[i];
        }
    }
    if (count > 1) {
        const vcs_task_sort sort = {selection->items, selection->items + count};
        vcs_sort_by_id(selection->jobs, &sort, count, NULL); /* no two have the same */
        vcs_sort_by_arrival(selection->jobs, &sort, count);
    }
    return count;
}

/* Makes the late tasks the items, by deadline. Returns how many there are. */
static uint32_t gather_late(vcs_selection *selection) {
    uint32_t count = 0;
    for (uint32_t task; (task = vcs_next_late(selection)) != VCS_NONE;) {
        selection->items[count++].index = task;
    }
    return count;
}

/* ---- The decision ---- */

static void take_nearly_done(vcs_selection *selection) {
    if (!(selection->state->parameters.switch_cost > 0.0)) {
        return; /* nobody has less than nothing left */
    }
    const uint32_t count = gather(selection, VCS_STAGE_NEARLY_DONE);
    sort_by(selection, count, by_run_time);
    for (uint32_t i = 0; i < count; i++) {
        vcs_offer(selection, selection->items[i].index, VCS_REASON_NEARLY_DONE);
    }
}

static void take_late_sorted(vcs_selection *selection) {
    const uint32_t count = gather_late(selection);
    sort_by(selection, count, by_resource_and_lateness);
    for (uint32_t i = 0; i < count; i++) {
        vcs_offer(selection, selection->items[i].index, VCS_REASON_LATE);
    }
}

/* As they are found. If only what runs is asked for, those to come need not be looked for once nothing is free. */
static void take_late_by_deadline(vcs_selection *selection) {
    const int finds_all = selection->explains || selection->summary.running > 0; /* what runs may be late itself */
    while (finds_all || !vcs_is_used_up(selection, 0)) {
        const uint32_t task = vcs_next_late(selection);
        if (task == VCS_NONE) {
            return;
        }
        vcs_offer(selection, task, VCS_REASON_LATE);
    }
    selection->summary.late += selection->misses;
}

static void take_late(vcs_selection *selection) {
    if (!vcs_may_be_late(selection->state)) {
        return;
    }
    vcs_expect_late(selection);
    if (vcs_late_reorders(selection->state)) {
        take_late_sorted(selection);
    } else {
        take_late_by_deadline(selection);
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
    if (!selection->has_queues) {
        vcs_queue_waiting(selection);
        selection->has_queues = 1;
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

static void select_tasks(vcs_selection *selection) {
    if (selection->explains) {
        vcs_begin_decisions(selection);
    }
    vcs_find_running(selection);
    selection->summary.stopped = selection->ran_count; /* until they are taken */
    if (selection->has_exclusions) {
        confine(selection);
    }
    take_nearly_done(selection);
    take_late(selection);
    take_others(selection);
    report_resources(selection);
}

int vcs_schedule(vcs_state *state, uint32_t detail, vcs_schedule_summary *summary) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    const int code = summary == NULL ? VCS_OK : vcs_check_size(summary->struct_size, sizeof *summary);
    if (code != VCS_OK) {
        return code;
    }
    if (detail > VCS_SCHEDULE_RUNNING) {
        return VCS_ERR_FLAGS;
    }
    if (state->parameters.scheduling == VCS_SCHEDULING_DEADLINE && (state->has & VCS_HAS_WRR) == 0) {
        return VCS_ERR_SEQUENCE;
    }
    vcs_selection selection;
    begin(&selection, state, detail == VCS_SCHEDULE_EXPLAIN);
    select_tasks(&selection);
    state->running_count = selection.summary.running;
    state->has = (state->has & ~VCS_HAS_REASONS) | VCS_HAS_SCHEDULE | (selection.explains ? VCS_HAS_REASONS : 0);
    if (summary != NULL) {
        selection.summary.struct_size = summary->struct_size;
        vcs_hand_out(summary, summary->struct_size, &selection.summary, sizeof selection.summary);
    }
    return VCS_OK;
}

/* ---- What was decided ---- */

int vcs_schedule_tasks(const vcs_state *state, vcs_task_decision *decisions, uint32_t decision_size,
                       uint32_t decision_count) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_read_results(state, VCS_HAS_REASONS, vcs_task_decisions(state), sizeof(vcs_task_decision),
                            state->task_count, decisions, decision_size, decision_count);
}

int vcs_schedule_running(const vcs_state *state, uint32_t *tasks, vcs_task_decision *decisions, uint32_t decision_size,
                         uint32_t decision_count) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    if ((state->has & VCS_HAS_SCHEDULE) == 0) {
        return VCS_ERR_SEQUENCE;
    }
    const int code =
        vcs_check_output(decisions, decision_size, sizeof *decisions, decision_count, state->running_count);
    if (code != VCS_OK) {
        return code;
    }
    if (tasks == NULL && decision_count > 0) {
        return VCS_ERR_NULL;
    }
    const uint32_t *running = vcs_running(state);
    const vcs_task_decision *kept = vcs_task_decisions(state);
    for (uint32_t place = 0; place < decision_count; place++) {
        tasks[place] = running[place];
        vcs_hand_out((unsigned char *)decisions + (size_t)place * decision_size, decision_size, &kept[running[place]],
                     sizeof *kept);
    }
    return VCS_OK;
}

int vcs_schedule_resources(const vcs_state *state, vcs_resource_decision *decisions, uint32_t decision_size,
                           uint32_t decision_count) {
    if (state == NULL) {
        return VCS_ERR_NULL;
    }
    return vcs_read_results(state, VCS_HAS_SCHEDULE, vcs_resource_decisions(state), sizeof(vcs_resource_decision),
                            state->resource_count, decisions, decision_size, decision_count);
}
