/* SPDX-License-Identifier: MIT */
#include "client/schedule.h"

#include "client/placement.h"
#include "core/check.h"

#include <string.h>

/* ---- Memory ---- */

typedef struct pool_memory {
    uint64_t *maps;
    int64_t *room;
} pool_memory;

/* Inline: where it only measures, a few additions remain. */
static inline pool_memory lay_out(vcs_selection *selection, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t pairs = counts->projects * counts->resources;
    pool_memory pools;
    selection->stages = vcs_arena_take(arena, counts->jobs, sizeof *selection->stages);
    selection->items = vcs_arena_take(arena, counts->jobs, sizeof *selection->items);
    selection->spare = vcs_arena_take(arena, counts->jobs, sizeof *selection->spare);
    selection->pools = vcs_arena_take(arena, counts->resources, sizeof *selection->pools);
    selection->used = vcs_arena_take(arena, pairs, sizeof *selection->used);
    selection->project_tasks = vcs_arena_take(arena, counts->projects, sizeof *selection->project_tasks);
    selection->app_tasks = vcs_arena_take(arena, counts->apps, sizeof *selection->app_tasks);
    selection->has_late = vcs_arena_take(arena, counts->resources, sizeof *selection->has_late);
    selection->keeps_late = vcs_arena_take(arena, counts->resources, sizeof *selection->keeps_late);
    selection->pair_candidates = vcs_arena_take(arena, pairs, sizeof *selection->pair_candidates);
    selection->project_candidates = vcs_arena_take(arena, counts->projects, sizeof *selection->project_candidates);
    selection->queues = vcs_arena_take(arena, pairs, VCS_QUEUES_PER_PAIR * sizeof *selection->queues);
    selection->next = vcs_arena_take(arena, counts->jobs, sizeof *selection->next);
    selection->turns = vcs_arena_take(arena, counts->projects, sizeof *selection->turns);
    selection->misses = vcs_arena_take(arena, counts->projects, sizeof *selection->misses);
    pools.maps = vcs_arena_take(arena, pairs + counts->resources, sizeof *pools.maps);
    pools.room = vcs_arena_take(arena, pairs + counts->resources, sizeof *pools.room);
    return pools;
}

uint64_t vcs_schedule_scratch(const vcs_counts *counts) {
    vcs_selection selection;
    vcs_arena measure = {NULL, 0};
    lay_out(&selection, counts, &measure);
    return vcs_arena_size(&measure);
}

static void begin(vcs_selection *selection, vcs_state *state) {
    const vcs_counts counts = vcs_counts_of(state);
    const size_t pairs = (size_t)state->project_count * state->resource_count;
    vcs_arena scratch = vcs_scratch(state);
    memset(selection, 0, sizeof *selection);
    selection->state = state;
    selection->decisions = vcs_task_decisions(state);
    pool_memory pools = lay_out(selection, &counts, &scratch);
    memset(selection->decisions, 0, sizeof *selection->decisions * state->job_count);
    memset(selection->used, 0, sizeof *selection->used * pairs);
    memset(selection->project_tasks, 0, sizeof *selection->project_tasks * state->project_count);
    memset(selection->app_tasks, 0, sizeof *selection->app_tasks * state->app_count);
    memset(selection->has_late, 0, sizeof *selection->has_late * state->resource_count);
    memset(selection->keeps_late, 0, sizeof *selection->keeps_late * state->resource_count);
    memset(selection->pair_candidates, 0, sizeof *selection->pair_candidates * pairs);
    memset(selection->project_candidates, 0, sizeof *selection->project_candidates * state->project_count);
    const vcs_job *jobs = vcs_jobs(state);
    for (uint32_t i = 0; i < state->job_count; i++) {
        selection->pair_candidates[(size_t)jobs[i].project * state->resource_count + jobs[i].resource] +=
            jobs[i].takes_part;
        selection->project_candidates[jobs[i].project] += jobs[i].takes_part;
    }
    vcs_fit_begin(selection, pools.maps, pools.room);
}

/* ---- When each task is offered ---- */

/* Why a task takes no part. */
static uint32_t reason_apart(const vcs_state *state, const vcs_job *job) {
    if ((job->flags & VCS_TASK_SUSPENDED) != 0) {
        return VCS_REASON_TASK_SUSPENDED;
    }
    if ((vcs_projects(state)[job->project].flags & VCS_PROJECT_SUSPENDED) != 0) {
        return VCS_REASON_PROJECT_SUSPENDED;
    }
    return VCS_REASON_RESOURCE_SUSPENDED;
}

/* Leaves out the tasks that cannot run. */
static void leave_out(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_job *jobs = vcs_jobs(state);
    for (uint32_t i = 0; i < state->job_count; i++) {
        vcs_task_decision *decision = &selection->decisions[i];
        decision->place = VCS_NONE;
        selection->stages[i] = VCS_STAGE_NEVER;
        if (!jobs[i].takes_part) {
            decision->reason = reason_apart(state, &jobs[i]);
        } else if (!vcs_fits_alone(state, &jobs[i])) {
            decision->reason = VCS_REASON_CANNOT_RUN;
        } else {
            selection->stages[i] = VCS_STAGE_TURN;
        }
    }
}

/* Running tasks that are nearly done, or whose slice lasts, do not wait for their project's turn. */
static void find_running(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_job *jobs = vcs_jobs(state);
    const int64_t switch_cost = vcs_micros(state->parameters.switch_cost);
    for (uint32_t i = 0; i < state->job_count; i++) {
        unsigned char *stage = &selection->stages[i];
        if (*stage == VCS_STAGE_NEVER || !vcs_runs_already(&jobs[i])) {
            continue;
        }
        if (jobs[i].run_time < switch_cost) {
            *stage = VCS_STAGE_NEARLY_DONE;
        } else if (*stage == VCS_STAGE_TURN && vcs_slice_lasts(state, &jobs[i])) {
            *stage = VCS_STAGE_SLICE;
        }
    }
}

/* ---- In which order ---- */

/* Makes the tasks of a stage the items, in the given order. Returns how many there are. */
static uint32_t gather(vcs_selection *selection, const uint32_t *order, unsigned stage) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < selection->state->job_count; i++) {
        if (selection->stages[order[i]] == stage) {
            selection->items[count].index = order[i];
            count++;
        }
    }
    return count;
}

/* What tasks are ordered by; lower goes first. */
typedef uint64_t order_key(const vcs_selection *selection, const vcs_job *job);

/* Sorts the first items, and keeps the order among equals. */
static void sort_by(vcs_selection *selection, uint32_t count, order_key *key) {
    const vcs_job *jobs = vcs_jobs(selection->state);
    for (uint32_t i = 0; i < count; i++) {
        selection->items[i].key = key(selection, &jobs[selection->items[i].index]);
    }
    vcs_sort(selection->items, selection->spare, count);
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
    const uint32_t count = gather(selection, vcs_arrival_order(selection->state), VCS_STAGE_NEARLY_DONE);
    sort_by(selection, count, by_run_time);
    for (uint32_t i = 0; i < count; i++) {
        vcs_offer(selection, selection->items[i].index, VCS_REASON_NEARLY_DONE);
    }
}

static void take_late(vcs_selection *selection) {
    const uint32_t count = gather(selection, vcs_deadline_order(selection->state), VCS_STAGE_LATE);
    sort_by(selection, count, by_resource_and_lateness);
    for (uint32_t i = 0; i < count; i++) {
        vcs_offer(selection, selection->items[i].index, VCS_REASON_LATE);
    }
}

/* Each resource goes first to the slices that last, then to whose turn it is. */
static void take_others(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_job *jobs = vcs_jobs(state);
    const uint32_t count = gather(selection, vcs_arrival_order(state), VCS_STAGE_SLICE);
    sort_by(selection, count, by_least_lost);
    sort_by(selection, count, by_resource);
    uint32_t item = 0;
    vcs_turn_begin(selection);
    for (uint32_t r = state->resource_count; r-- > 0;) {
        for (; item < count && jobs[selection->items[item].index].resource == r; item++) {
            vcs_offer(selection, selection->items[item].index, VCS_REASON_SLICE);
        }
        vcs_turn_take(selection, r);
    }
}

/* ---- The report ---- */

/* In how many seconds the slice of a task that runs from now on ends, or is to be looked at again. */
static double slice_left(const vcs_state *state, const vcs_job *job) {
    const double period = state->parameters.period, elapsed = state->now - job->running_since;
    if (!vcs_slice_lasts(state, job)) {
        return period; /* it begins now */
    }
    if (elapsed < period) {
        return period - elapsed;
    }
    /* It waits for a checkpoint. */
    return state->parameters.look_interval > 0.0 ? state->parameters.look_interval : 60.0;
}

static void report_tasks(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_job *jobs = vcs_jobs(state);
    vcs_schedule_summary *summary = &selection->summary;
    summary->look_again = VCS_INFINITY;
    for (uint32_t i = 0; i < state->job_count; i++) {
        vcs_task_decision *decision = &selection->decisions[i];
        if (!decision->run) {
            decision->flags |= vcs_runs_already(&jobs[i]) ? VCS_DECISION_STOP : 0;
            summary->stopped += (uint32_t)vcs_runs_already(&jobs[i]);
            continue;
        }
        const double left = slice_left(state, &jobs[i]);
        summary->look_again = left < summary->look_again ? left : summary->look_again;
        decision->flags |= vcs_runs_already(&jobs[i]) ? 0 : VCS_DECISION_START;
        decision->flags |= vcs_slice_lasts(state, &jobs[i]) ? 0 : VCS_DECISION_NEW_SLICE;
        summary->started += (uint32_t)!vcs_runs_already(&jobs[i]);
    }
}

static void report_resources(const vcs_selection *selection) {
    const vcs_state *state = selection->state;
    vcs_resource_decision *resources = vcs_resource_decisions(state);
    for (uint32_t r = 0; r < state->resource_count; r++) {
        memset(&resources[r], 0, sizeof resources[r]);
        resources[r].used = vcs_instances(vcs_resources(state)[r].capacity - selection->pools[r].free[0]);
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
    leave_out(&selection);
    vcs_find_late(&selection);
    find_running(&selection);
    take_nearly_done(&selection);
    take_late(&selection);
    take_others(&selection);
    report_tasks(&selection);
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
