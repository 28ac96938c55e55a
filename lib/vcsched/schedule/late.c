/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/late.h"

#include "vcsched/core/heap.h"
#include "vcsched/core/invariant.h"
#include "vcsched/simulation/lateness.h"
#include "vcsched/simulation/slice.h"

/* ---- Which tasks are late ---- */

/*
 * Which tasks are late where the simulation predicts misses: the same tasks; as many of each project on each resource
 * (rule 5.2); or as many of each project (rule 13.7).
 */
#define BY_TASK 0u
#define BY_COUNT 1u
#define BY_PROJECT 2u

/* Whether a task runs because it was late and its slice has not ended: with hysteresis it stays late until then. */
static bool stays_late(const vcs_selection *selection, const vcs_prepared_task *task) {
    const vcs_state *state = selection->state;
    return state->parameters.hysteresis && (task->flags & VCS_TASK_WAS_LATE) != 0 &&
           vcs_slice_lasts(state, &selection->periods, task);
}

/* Whether a task was offered already and hit a limit: by count it leaves its miss to another. */
static inline bool was_refused(const vcs_late *late, uint32_t index) {
    const vcs_task_decision *decision = &late->placement->decisions[index];
    return late->offers[index].stage == VCS_STAGE_FIRST && decision->run == 0 && vcs_is_limit(decision->reason);
}

/* The count of misses that a late task is charged to. */
static inline int32_t *misses_left_for(const vcs_late *late, uint32_t project, uint32_t resource) {
    const uint32_t counted = late->rule == BY_PROJECT ? 0 : resource;
    return &late->counts[vcs_selection_index(late->selection, project, counted)].misses_left;
}

/* Returns the new count. Each task adds one at most, and uses up one at most. */
static inline int32_t add_misses(const vcs_late *late, int32_t *misses_left, int64_t more) {
    const int64_t sum = *misses_left + more, most = late->selection->state->task_count;
    (void)most;
    VCS_INVARIANT(-most <= sum && sum <= most);
    return *misses_left = (int32_t)sum;
}

/* ---- How many there are ---- */

static void expect_misses(vcs_late *late, uint32_t project, uint32_t resource, uint32_t misses) {
    add_misses(late, misses_left_for(late, project, resource), misses);
    late->misses += misses;
}

/* Counts the tasks that miss their deadline in the simulation and may run. */
static void expect_predicted(vcs_late *late) {
    const vcs_selection *selection = late->selection;
    const vcs_state *state = selection->state;
    /*
     * Every task that the simulation placed may run if nothing keeps it from starting. Without this shortcut the
     * emulation of crowded.ini takes 18 % more instructions.
     */
    if (selection->all_fit && !selection->has_downloads &&
        (vcs_resource_records(state)[0].flags & VCS_RESOURCE_PAUSED) == 0) {
        const vcs_project_resource_forecast *of_cpus = vcs_project_resource_forecasts(state);
        for (uint32_t p = 0; p < state->project_count; p++, of_cpus += state->resource_count) {
            expect_misses(late, p, 0, of_cpus->misses);
        }
        return;
    }
    const vcs_task_forecast *forecasts = vcs_forecasts(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &selection->prepared[i];
        if (forecasts[i].verdict == VCS_VERDICT_MISSES && late->offers[i].stage != VCS_STAGE_NEVER) {
            expect_misses(late, task->project, task->resource, 1);
        }
    }
}

/* Counts the tasks that stay late. By count they use up the predicted misses first. */
static void expect_staying(vcs_late *late) {
    const vcs_selection *selection = late->selection;
    const bool by_count = late->rule == BY_COUNT;
    for (uint32_t i = 0; i < selection->ran_count; i++) {
        const uint32_t index = selection->ran[i];
        const vcs_prepared_task *task = &selection->prepared[index];
        if (stays_late(selection, task)) {
            late->keeps_late[task->resource] = 1;
            if (by_count && was_refused(late, index)) {
                continue;
            }
            late->staying++;
            if (by_count) {
                int32_t *misses_left = misses_left_for(late, task->project, task->resource);
                late->misses -= *misses_left > 0;
                add_misses(late, misses_left, -1);
            }
        }
    }
}

/* Orders tasks by deadline, with running tasks first among equals. */
static void order_by_urgency(vcs_late *late) {
    const uint32_t *order = vcs_deadline_order(late->selection->state);
    const vcs_prepared_task *prepared = late->selection->prepared;
    const uint32_t count = late->selection->state->task_count;
    uint32_t *out = late->urgent;
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && prepared[order[end]].deadline == prepared[order[begin]].deadline; end++) {
            VCS_INVARIANT((size_t)(out - late->urgent) < count); /* no more than were read before */
            *out = order[end];
            out += vcs_runs_already(&prepared[order[end]]);
        }
        for (uint32_t i = begin; i < end; i++) {
            if (!vcs_runs_already(&prepared[order[i]])) {
                VCS_INVARIANT((size_t)(out - late->urgent) < count); /* each task comes once */
                *out++ = order[i]; /* written only if it counts: the order may be full */
            }
        }
    }
    late->by_deadline = late->urgent;
}

/* ---- In which order they go ---- */

/*
 * Where a task stays late, tasks that could as well wait for a period let it go first, and with it tasks that cannot
 * wait. Hopeless tasks can wait, and go last if save_first says so.
 */
static uint32_t late_order(const vcs_late *late, const vcs_prepared_task *task) {
    const vcs_state *state = late->selection->state;
    const uint32_t keeps_late = late->keeps_late[task->resource];
    if (!keeps_late && !state->parameters.save_first) {
        return 0;
    }
    /* How long the task could wait and still be in time, microseconds. */
    const int64_t slack = vcs_latest_in_edf(state->now, task->deadline) - task->run_time;
    const bool is_hopeless = slack < 0;
    const bool is_pressing = !is_hopeless && slack < vcs_micros(state->parameters.period);
    const uint32_t yields = keeps_late && !is_pressing && !stays_late(late->selection, task);
    return 2 * yields + (uint32_t)(state->parameters.save_first && is_hopeless);
}

/* Less goes first: GPU types from the last to the first, then the CPU; then as above; then by deadline. */
static int64_t key_of(const vcs_late *late, uint32_t position) {
    const vcs_prepared_task *task = &late->selection->prepared[late->by_deadline[position]];
    const uint32_t resource = late->selection->state->resource_count - 1 - task->resource;
    return (int64_t)((uint64_t)(4 * resource + late_order(late, task)) << 32 | position);
}

/* ---- Finding them ---- */

/* Whether the next task by deadline is late. If so, it uses up one predicted miss. */
static inline bool is_late(vcs_late *late, uint32_t index) {
    const vcs_state *state = late->selection->state;
    const vcs_prepared_task *task = &late->selection->prepared[index];
    const uint32_t rule = late->rule;
    const bool stays = late->staying > 0 && stays_late(late->selection, task);
    int32_t *misses_left = misses_left_for(late, task->project, task->resource);
    bool predicted = rule == BY_TASK ? vcs_forecasts(state)[index].verdict == VCS_VERDICT_MISSES : *misses_left > 0;
    if (rule == BY_COUNT && stays) {
        predicted = false; /* it has used up its miss */
    }
    if ((!predicted && !stays) || late->offers[index].stage == VCS_STAGE_NEVER ||
        (rule == BY_COUNT && was_refused(late, index))) {
        return false;
    }
    add_misses(late, misses_left, -(int64_t)predicted);
    late->misses -= (uint32_t)predicted;
    late->staying -= (uint32_t)stays;
    return true;
}

/* Above the work that any task can lose, s. */
#define LATE_RISK 1e13

/*
 * Marks the task at this position by deadline as late. Returns whether it is still to be offered. If it runs on
 * devices, tasks that are not late lose theirs first, then late ones that go after it.
 */
static inline bool admit_late(vcs_late *late, uint32_t position) {
    vcs_placement *placement = late->placement;
    const uint32_t index = late->by_deadline[position];
    const vcs_prepared_task *task = &late->selection->prepared[index];
    const bool was_offered = late->offers[index].stage == VCS_STAGE_FIRST;
    placement->summary.late++;
    if (late->selection->explains || was_offered) {
        placement->decisions[index].flags |= VCS_DECISION_LATE;
    }
    if (was_offered) {
        return false;
    }
    late->offers[index].stage = VCS_STAGE_LATE;
    if (task->resource != 0 && vcs_runs_already(task)) {
        const double risk = LATE_RISK - (double)key_of(late, position);
        const uint64_t held = vcs_task_records(late->selection->state)[index].devices;
        vcs_devices_risk(&placement->devices[task->resource], held, risk);
    }
    return true;
}

/* The position by deadline of the next late task to be offered; VCS_NONE if there is no more. */
static inline uint32_t find_next(vcs_late *late) {
    while (late->misses + late->staying > 0 && late->position < late->selection->state->task_count) {
        const uint32_t position = late->position++;
        if (is_late(late, late->by_deadline[position]) && admit_late(late, position)) {
            return position;
        }
    }
    return VCS_NONE;
}

/* ---- Offers ---- */

/*
 * Offers each late task as it is found. Without reasons, the search ends once nothing is free: searching on would take
 * 90 % more instructions for the emulation of crowded.ini.
 */
static void offer_as_found(vcs_late *late) {
    vcs_placement *placement = late->placement;
    const bool finds_all = late->selection->explains || placement->summary.running > 0; /* running ones may be late */
    while (finds_all || !vcs_is_used_up(placement, 0)) {
        const uint32_t position = find_next(late);
        if (position == VCS_NONE) {
            return;
        }
        vcs_offer_task(placement, late->by_deadline[position], VCS_REASON_LATE);
    }
    placement->summary.late += late->misses;
}

/* Lists the tasks that are not late yet, of each project on each resource, by deadline; as positions. */
static void list_next_late(vcs_late *late) {
    for (uint32_t position = late->selection->state->task_count; position-- > 0;) {
        const uint32_t index = late->by_deadline[position], stage = late->offers[index].stage;
        const vcs_prepared_task *task = &late->selection->prepared[index];
        const bool is_known =
            stage == VCS_STAGE_LATE ||
            (stage == VCS_STAGE_FIRST && (late->placement->decisions[index].flags & VCS_DECISION_LATE) != 0);
        if (!is_known && stage != VCS_STAGE_NEVER && !was_refused(late, index)) {
            const size_t of = vcs_selection_index(late->selection, task->project, task->resource);
            late->next[index] = late->counts[of].next_late;
            late->counts[of].next_late = position;
        }
    }
    vcs_heap_clear(late->queue, late->selection->state->task_count);
    late->has_next = 1;
}

/* A limit refused a late task: it is not late, and hands its miss over to the next of its project on its resource. */
static void hand_over_miss(vcs_late *late, uint32_t index) {
    const vcs_prepared_task *task = &late->selection->prepared[index];
    vcs_late_count *of = &late->counts[vcs_selection_index(late->selection, task->project, task->resource)];
    late->placement->summary.late--;
    late->placement->decisions[index].flags &= ~VCS_DECISION_LATE;
    if (add_misses(late, &of->misses_left, 1) <= 0) {
        return;
    }
    if (!late->has_next) {
        list_next_late(late);
    }
    const uint32_t position = of->next_late;
    if (position != VCS_NONE) {
        of->next_late = late->next[late->by_deadline[position]];
        add_misses(late, &of->misses_left, -1);
        if (admit_late(late, position)) {
            VCS_INVARIANT(late->queued < late->selection->state->task_count); /* each task joins once */
            vcs_heap_add(late->queue, late->queued++, key_of(late, position));
        }
    }
}

/* Whether a task lets GPU tasks go first. */
static bool is_postponed(vcs_late *late, const vcs_prepared_task *task) {
    const vcs_state *state = late->selection->state;
    if (!state->parameters.spare_gpus || state->resource_count == 1 || task->resource != 0) {
        return false;
    }
    if (!late->has_shares) { /* late GPU tasks have been placed: they go before all CPU tasks */
        late->shares = vcs_find_gpu_shares(late->placement, late->offers);
        late->has_shares = 1;
    }
    /* After the first one all wait, so that no task goes before another that is more urgent. */
    return late->postponed_count > 0 || vcs_spares_gpus(late->placement, &late->shares, task);
}

/* Offers the first items, which are sorted, and tasks that become late in place of refused ones. */
static void offer_items(vcs_late *late, uint32_t count, bool may_postpone) {
    vcs_sort_item *items = late->items;
    for (uint32_t i = 0; i < count || late->queued > 0;) {
        vcs_sort_item item;
        if (i < count && (late->queued == 0 || (int64_t)items[i].key < vcs_heap_least(late->queue))) {
            item = items[i++];
        } else {
            const int64_t key = vcs_heap_least(late->queue);
            item = (vcs_sort_item){(uint64_t)key, (uint32_t)key, 0}; /* half of a key is its position */
            vcs_heap_pop_least(late->queue, late->queued--);
        }
        VCS_INVARIANT(item.index < late->selection->state->task_count);
        const uint32_t task = late->by_deadline[item.index];
        if (may_postpone && is_postponed(late, &late->selection->prepared[task])) {
            late->postponed[late->postponed_count++] = item.index;
        } else if (vcs_is_limit(vcs_offer_task(late->placement, task, VCS_REASON_LATE)) && late->rule == BY_COUNT) {
            hand_over_miss(late, task);
        }
    }
}

/* Finds all late tasks, then offers them in an order of their own. */
static void offer_in_order(vcs_late *late) {
    vcs_sort_item *items = late->items;
    uint32_t count = 0;
    for (uint32_t position; (position = find_next(late)) != VCS_NONE;) {
        VCS_INVARIANT(count < late->selection->state->task_count); /* no position comes twice */
        items[count++] = (vcs_sort_item){(uint64_t)key_of(late, position), position, 0};
    }
    vcs_sort(items, items + count, count);
    offer_items(late, count, true);
}

void vcs_choose_postponed(vcs_late *late) {
    vcs_sort_item *items = late->items;
    const uint32_t count = late->postponed_count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t position = late->postponed[i];
        items[i] = (vcs_sort_item){(uint64_t)key_of(late, position), position, 0};
    }
    vcs_sort(items, items + count, count); /* tasks late in place of others came in between */
    offer_items(late, count, false);
}

/* Whether any task may be late: mostly the simulation has predicted no misses, and counted them. */
static bool may_be_late(const vcs_state *state) {
    if (state->parameters.scheduling != VCS_SCHEDULING_DEADLINE) {
        return false;
    }
    const vcs_project_resource_forecast *forecasts = vcs_project_resource_forecasts(state);
    const size_t count = (size_t)state->project_count * state->resource_count;
    uint32_t late = state->parameters.hysteresis; /* a task that was late may stay so */
    for (size_t i = 0; i < count; i++) {
        late |= forecasts[i].misses;
    }
    return late != 0;
}

void vcs_choose_late(vcs_late *late) {
    const vcs_state *state = late->selection->state;
    const vcs_parameters *parameters = &state->parameters;
    if (!may_be_late(state)) {
        return;
    }
    for (size_t i = 0; i < (size_t)state->project_count * state->resource_count; i++) {
        late->counts[i] = (vcs_late_count){.next_late = VCS_NONE};
    }
    late->rule = parameters->ranking == VCS_RANK_DEBT       ? BY_PROJECT
                 : parameters->late_by == VCS_LATE_BY_COUNT ? BY_COUNT
                                                            : BY_TASK;
    late->by_deadline = vcs_deadline_order(state);
    expect_predicted(late);
    expect_staying(late);
    if (late->misses + late->staying == 0) {
        return;
    }
    if (late->rule == BY_COUNT) {
        order_by_urgency(late);
    }
    if (state->resource_count > 1 || parameters->save_first || parameters->hysteresis || late->rule == BY_COUNT) {
        offer_in_order(late);
    } else {
        offer_as_found(late);
    }
}
