/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/late.h"

#include "vcsched/core/heap.h"
#include "vcsched/core/invariant.h"
#include "vcsched/schedule/may_run.h"
#include "vcsched/schedule/slice.h"
#include "vcsched/schedule/take.h"
#include "vcsched/simulation/lateness.h"

/* ---- Which tasks are late ---- */

/* How long a task could wait and still be in time, microseconds; less than 0 if it is hopeless. */
static int64_t slack_of(const vcs_state *state, const vcs_prepared_task *task) {
    return vcs_latest_in_edf(state->now, task->deadline) - task->run_time;
}

static bool can_wait(const vcs_state *state, int64_t slack) {
    return slack >= vcs_micros(state->parameters.period);
}

static bool was_late(const vcs_prepared_task *task) {
    return (task->flags & VCS_TASK_WAS_LATE) != 0;
}

/* It runs because it was late, and its slice has not ended: with hysteresis it stays late until then. */
static bool stays_late(const vcs_state *state, const vcs_prepared_task *task) {
    return state->parameters.hysteresis && was_late(task) && vcs_slice_lasts(state, task);
}

/*
 * Which rule says who is late where the simulation finds that tasks will be: these tasks; of each project on each
 * resource as many (rule 5.2); or of each project as many (rule 13.7).
 */
#define BY_TASK 0u
#define BY_COUNT 1u
#define BY_PROJECT 2u

static uint32_t find_rule(const vcs_state *state) {
    if (state->parameters.ranking == VCS_RANK_DEBT) {
        return BY_PROJECT;
    }
    return state->parameters.late_by == VCS_LATE_BY_COUNT ? BY_COUNT : BY_TASK;
}

/* Where the misses are counted that a task may take the place of. */
static inline int32_t *places_for(const vcs_selection *selection, uint32_t project, uint32_t resource) {
    const uint32_t counted = selection->late_rule == BY_PROJECT ? 0 : resource;
    return &vcs_selection_at(selection, project, counted)->places;
}

/* Returns how many there are then. Each task adds one at most, and takes one at most. */
static inline int32_t add_places(const vcs_selection *selection, int32_t *places, int64_t more) {
    const int64_t sum = *places + more, most = selection->state->task_count;
    (void)most;
    VCS_INVARIANT(-most <= sum && sum <= most);
    return *places = (int32_t)sum;
}

/* It was offered already, and a limit keeps it from running: by count it leaves its place to another. */
static inline bool has_passed(const vcs_selection *selection, uint32_t index) {
    return selection->tasks[index].stage == VCS_STAGE_NEARLY_DONE && selection->decisions[index].run == 0 &&
           vcs_is_limit(selection->decisions[index].reason);
}

/* ---- How many there are ---- */

static void expect_misses(vcs_selection *selection, uint32_t project, uint32_t resource, uint32_t misses) {
    add_places(selection, places_for(selection, project, resource), misses);
    selection->misses += misses;
}

/*
 * With one whole CPU each and nothing else in the way, every task that the simulation placed may run. Without this the
 * emulation of crowded.ini takes 18 % more instructions.
 */
static bool may_all_predicted_run(const vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_resource *cpus = &vcs_resource_records(state)[0];
    return state->parameters.discipline == VCS_DISCIPLINE_FLUID && !(selection->ram < VCS_INFINITY) &&
           !selection->has_downloads && (cpus->flags & VCS_RESOURCE_PAUSED) == 0 && !(cpus->reserve > 0.0);
}

/* The tasks that the simulation found to miss their deadline, if they may run. */
static void expect_predicted(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    if (may_all_predicted_run(selection)) {
        const vcs_project_resource_forecast *of_cpus = vcs_project_resource_forecasts(state);
        for (uint32_t p = 0; p < state->project_count; p++, of_cpus += state->resource_count) {
            expect_misses(selection, p, 0, of_cpus->misses);
        }
        return;
    }
    const vcs_task_forecast *forecasts = vcs_forecasts(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &selection->prepared[i];
        if (forecasts[i].verdict == VCS_VERDICT_MISSES && vcs_may_run(selection, task)) {
            expect_misses(selection, task->project, task->resource, 1);
        }
    }
}

/* By count they are among those that miss their deadline, as long as there are any. */
static void expect_staying(vcs_selection *selection) {
    const bool by_count = selection->late_rule == BY_COUNT;
    for (uint32_t i = 0; i < selection->ran_count; i++) {
        const uint32_t index = selection->ran[i];
        const vcs_prepared_task *task = &selection->prepared[index];
        if (stays_late(selection->state, task) && vcs_may_run(selection, task)) {
            selection->resources[task->resource].keeps_late = 1;
            if (by_count && has_passed(selection, index)) {
                continue;
            }
            selection->staying++;
            if (by_count) {
                int32_t *places = places_for(selection, task->project, task->resource);
                selection->misses -= *places > 0;
                add_places(selection, places, -1);
            }
        }
    }
}

/* By deadline, and among equals those first that run. */
static void order_by_urgency(vcs_selection *selection) {
    const uint32_t *order = vcs_deadline_order(selection->state);
    const vcs_prepared_task *prepared = selection->prepared;
    const uint32_t count = selection->state->task_count;
    uint32_t *out = selection->urgent;
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && prepared[order[end]].deadline == prepared[order[begin]].deadline; end++) {
            VCS_INVARIANT((size_t)(out - selection->urgent) < count); /* no more than were looked at before */
            *out = order[end];
            out += vcs_runs_already(&prepared[order[end]]);
        }
        for (uint32_t i = begin; i < end; i++) {
            if (!vcs_runs_already(&prepared[order[i]])) {
                VCS_INVARIANT((size_t)(out - selection->urgent) < count); /* each task comes once */
                *out++ = order[i]; /* written only if it counts: all places may be taken */
            }
        }
    }
}

void vcs_expect_late(vcs_selection *selection) {
    selection->late_rule = find_rule(selection->state);
    expect_predicted(selection);
    expect_staying(selection);
    selection->by_deadline = vcs_deadline_order(selection->state);
    if (selection->late_rule == BY_COUNT && selection->misses + selection->staying > 0) {
        order_by_urgency(selection);
        selection->by_deadline = selection->urgent;
    }
}

/* ---- In which order they go ---- */

/*
 * Where a task stays late, those that could as well wait for a period leave the place to it, and with it to those that
 * cannot wait. The hopeless can wait, and go last if save_first says so.
 */
static uint32_t late_order(const vcs_selection *selection, const vcs_prepared_task *task) {
    const vcs_state *state = selection->state;
    const uint32_t keeps_late = selection->resources[task->resource].keeps_late;
    if (!keeps_late && !state->parameters.save_first) {
        return 0;
    }
    const int64_t slack = slack_of(state, task);
    const bool is_hopeless = slack < 0;
    const bool is_pressing = !is_hopeless && !can_wait(state, slack);
    const uint32_t yields = keeps_late && !is_pressing && !stays_late(state, task);
    return 2 * yields + (uint32_t)(state->parameters.save_first && is_hopeless);
}

/* Less goes first: GPU types from the last to the first, then the CPU; then as above; then by deadline. */
static int64_t key_of(const vcs_selection *selection, uint32_t place) {
    const vcs_prepared_task *task = &selection->prepared[selection->by_deadline[place]];
    const uint32_t resource = selection->state->resource_count - 1 - task->resource;
    return (int64_t)((uint64_t)(4 * resource + late_order(selection, task)) << 32 | place);
}

/* ---- Which they are ---- */

/* Whether a task, the next one by deadline, is late. It takes its place then. */
static inline bool is_late(vcs_selection *selection, uint32_t index) {
    const vcs_state *state = selection->state;
    const vcs_prepared_task *task = &selection->prepared[index];
    const uint32_t rule = selection->late_rule;
    const bool stays = selection->staying > 0 && stays_late(state, task);
    int32_t *places = places_for(selection, task->project, task->resource);
    bool predicted = rule == BY_TASK ? vcs_forecasts(state)[index].verdict == VCS_VERDICT_MISSES : *places > 0;
    if (rule == BY_COUNT && stays) {
        predicted = false; /* it has its place */
    }
    if ((!predicted && !stays) || !vcs_may_run(selection, task) || (rule == BY_COUNT && has_passed(selection, index))) {
        return false;
    }
    add_places(selection, places, -(int64_t)predicted);
    selection->misses -= (uint32_t)predicted;
    selection->staying -= (uint32_t)stays;
    return true;
}

/* Above whatever work a task can lose, s. */
#define LATE_RISK 1e13

/*
 * The task at this place by deadline is late. Returns whether it is still to be offered. If it runs on devices, others
 * that are not late lose theirs first, then late ones that go after it.
 */
static inline bool note_late(vcs_selection *selection, uint32_t place) {
    const uint32_t index = selection->by_deadline[place];
    const vcs_prepared_task *task = &selection->prepared[index];
    const bool was_offered = selection->tasks[index].stage == VCS_STAGE_NEARLY_DONE;
    selection->summary.late++;
    if (selection->explains || was_offered) {
        selection->decisions[index].flags |= VCS_DECISION_LATE;
    }
    if (was_offered) {
        return false;
    }
    selection->tasks[index].stage = VCS_STAGE_LATE;
    if (task->resource != 0 && vcs_runs_already(task)) {
        vcs_devices_risk(&selection->devices[task->resource], vcs_task_records(selection->state)[index].devices,
                         LATE_RISK - (double)key_of(selection, place));
    }
    return true;
}

/* The place in the order of deadlines of the next task to be offered; VCS_NONE if there is no more. */
static inline uint32_t next_place(vcs_selection *selection) {
    while (selection->misses + selection->staying > 0 && selection->deadline_place < selection->state->task_count) {
        const uint32_t place = selection->deadline_place++;
        const uint32_t task = selection->by_deadline[place];
        if (is_late(selection, task) && note_late(selection, place)) {
            return place;
        }
    }
    return VCS_NONE;
}

uint32_t vcs_next_late(vcs_selection *selection) {
    const uint32_t place = next_place(selection);
    return place == VCS_NONE ? VCS_NONE : selection->by_deadline[place];
}

/* ---- Places that are passed on ---- */

/* Those that are not late yet, of each project on each resource, by deadline. They are queued by place. */
static void queue_heirs(vcs_selection *selection) {
    vcs_heap_clear(selection->heirs, selection->state->task_count);
    for (uint32_t place = selection->state->task_count; place-- > 0;) {
        const uint32_t index = selection->by_deadline[place];
        const vcs_prepared_task *task = &selection->prepared[index];
        const uint32_t is_known = selection->tasks[index].stage == VCS_STAGE_NEARLY_DONE
                                      ? selection->decisions[index].flags & VCS_DECISION_LATE
                                      : selection->tasks[index].stage == VCS_STAGE_LATE;
        if (!is_known && vcs_may_run(selection, task) && !has_passed(selection, index)) {
            uint32_t *first = &vcs_selection_at(selection, task->project, task->resource)->heirs;
            selection->tasks[index].next = *first;
            *first = place;
        }
    }
}

/* A task was refused for a limit: it is not late, but the next of its project on its resource. */
static void pass_on(vcs_selection *selection, uint32_t index) {
    const vcs_prepared_task *task = &selection->prepared[index];
    vcs_selection_project_resource *of = vcs_selection_at(selection, task->project, task->resource);
    selection->summary.late--;
    selection->decisions[index].flags &= ~VCS_DECISION_LATE;
    if (add_places(selection, &of->places, 1) <= 0) {
        return;
    }
    if (!selection->has_heirs) {
        queue_heirs(selection);
        selection->has_heirs = 1;
    }
    const uint32_t place = of->heirs;
    if (place != VCS_NONE) {
        const uint32_t heir = selection->by_deadline[place];
        of->heirs = selection->tasks[heir].next;
        add_places(selection, &of->places, -1);
        if (note_late(selection, place)) {
            VCS_INVARIANT(selection->heir_count < selection->state->task_count); /* each inherits once */
            vcs_heap_add(selection->heirs, selection->heir_count++, key_of(selection, place));
        }
    }
}

/* ---- Offers ---- */

static uint32_t take_heir(vcs_selection *selection) {
    const uint32_t place = (uint32_t)vcs_heap_least(selection->heirs);
    VCS_INVARIANT(selection->heir_count > 0 && place < selection->state->task_count); /* the half of a key */
    vcs_heap_pop_least(selection->heirs, selection->heir_count--);
    return selection->by_deadline[place];
}

void vcs_offer_late(vcs_selection *selection) {
    vcs_sort_item *items = selection->items;
    uint32_t count = 0;
    for (uint32_t place; (place = next_place(selection)) != VCS_NONE;) {
        VCS_INVARIANT(count < selection->state->task_count); /* no place comes twice */
        items[count++] = (vcs_sort_item){(uint64_t)key_of(selection, place), selection->by_deadline[place], 0};
    }
    vcs_sort(items, items + count, count);
    const bool passes_on = selection->late_rule == BY_COUNT;
    for (uint32_t i = 0; i < count || selection->heir_count > 0;) {
        uint32_t task;
        if (i < count && (selection->heir_count == 0 || (int64_t)items[i].key < vcs_heap_least(selection->heirs))) {
            task = items[i++].index;
        } else {
            task = take_heir(selection);
        }
        if (vcs_is_limit(vcs_offer_task(selection, task, VCS_REASON_LATE)) && passes_on) {
            pass_on(selection, task);
        }
    }
}
