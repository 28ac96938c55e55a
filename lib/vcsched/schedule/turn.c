/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/turn.h"

#include "vcsched/accounts/priority_sums.h"
#include "vcsched/host/load.h"
#include "vcsched/simulation/slice.h"

/* ---- The queues of a project ---- */

/*
 * A running task has to start again elsewhere once its devices are given to others. It must not drive out a task that
 * keeps running, so it waits for its project's turn, behind the running ones. Returns whether it was displaced.
 */
static bool queue_displaced(vcs_turns *turns, uint32_t index) {
    const vcs_prepared_task *task = &turns->selection->prepared[index];
    if (task->resource == 0) {
        return false;
    }
    const vcs_state *state = turns->selection->state;
    const uint64_t held = vcs_task_records(state)[index].devices, allowed = vcs_allowed_devices(state, task);
    if (held == 0 || vcs_devices_suit(&turns->placement->devices[task->resource], task->gpu_units, allowed, held)) {
        return false;
    }
    vcs_turn_queues *of = &turns->queues[vcs_selection_index(turns->selection, task->project, task->resource)];
    uint32_t *first = &of->first[VCS_TURN_DISPLACED];
    vcs_release_devices(turns->placement, index);
    turns->offers[index].next = VCS_NONE;
    *(*first == VCS_NONE ? first : &turns->offers[of->last_displaced].next) = index;
    of->last_displaced = index;
    return true;
}

void vcs_offer_slice(vcs_turns *turns, uint32_t task) {
    if (!queue_displaced(turns, task)) {
        const vcs_selection *selection = turns->selection;
        const bool lasts = vcs_slice_lasts(selection->state, &selection->periods, &selection->prepared[task]);
        vcs_offer_task(turns->placement, task, lasts ? VCS_REASON_SLICE : VCS_REASON_ENDS_SOON);
    }
}

/* Queues all tasks of VCS_STAGE_TURN. */
static void fill_queues(vcs_turns *turns) {
    const vcs_state *state = turns->selection->state;
    const vcs_prepared_task *prepared = turns->selection->prepared;
    vcs_offer *offers = turns->offers;
    vcs_turn_queues *queues = turns->queues;
    const size_t resources = state->resource_count;
    const uint32_t *by_arrival = vcs_arrival_order(state);
    for (uint32_t i = state->task_count; i-- > 0;) { /* from the last arrival: each joins at the head of its queue */
        const uint32_t index = by_arrival[i];
        const vcs_prepared_task *task = &prepared[index];
        vcs_turn_queues *of = &queues[task->project * resources + task->resource];
        of->taking_part += task->takes_part;
        if (offers[index].stage == VCS_STAGE_TURN) {
            const uint32_t waiting = (task->flags & VCS_TASK_STARTED) != 0 ? VCS_TURN_STARTED : VCS_TURN_FRESH;
            uint32_t *first = &of->first[vcs_runs_already(task) ? VCS_TURN_RUNNING : waiting];
            offers[index].next = *first;
            *first = index;
        }
    }
    turns->is_filled = 1;
}

/* Whether a project has a task to offer when it is its turn. */
static bool has_waiting(const vcs_turns *turns, uint32_t project, uint32_t resource) {
    const vcs_turn_queues *of = &turns->queues[vcs_selection_index(turns->selection, project, resource)];
    uint32_t empty = VCS_NONE;
    for (uint32_t q = 0; q < VCS_TURN_QUEUES; q++) {
        empty &= of->first[q]; /* VCS_NONE is all ones, and no task's index */
    }
    return empty != VCS_NONE;
}

/* ---- How a project ranks at this moment ---- */

static double rec_of(const vcs_state *state, const vcs_turn_measure *all, uint32_t project, uint32_t resource) {
    return all->local ? vcs_project_resources(state)[(size_t)project * state->resource_count + resource].rec
                      : vcs_projects(state)[project].rec;
}

/* Adds up, in order of id, the projects with a task that takes part; with local accounts, on this resource. */
static vcs_turn_measure measure_projects(const vcs_turns *turns, uint32_t resource) {
    const vcs_state *state = turns->selection->state;
    const uint32_t *by_id = vcs_project_order(state);
    const uint32_t rule = state->parameters.ranking;
    /* Local accounts keep work alone: CPU time and debts belong to the whole host. */
    vcs_turn_measure all = {.rule = rule, .local = rule == VCS_RANK_PRIORITY && vcs_is_local(&state->parameters)};
    for (uint32_t i = 0; i < state->project_count; i++) {
        const uint32_t p = by_id[i];
        const vcs_turn_queues *queues = &turns->queues[vcs_selection_index(turns->selection, p, 0)];
        uint32_t taking_part = all.local ? queues[resource].taking_part : 0;
        for (uint32_t r = 0; r < state->resource_count && !all.local; r++) {
            taking_part |= queues[r].taking_part;
        }
        if (taking_part != 0) {
            const double rec = rec_of(state, &all, p, resource);
            vcs_sums_add(&all.sums, rec, vcs_projects(state)[p].share);
        }
    }
    vcs_sums_close(&all.sums, state->parameters.bump, vcs_host_load(state, resource, all.local));
    return all;
}

static vcs_rank_key key_of(const vcs_turns *turns, uint32_t project, uint32_t resource) {
    const vcs_turn_measure *all = &turns->all;
    const vcs_state *state = turns->selection->state;
    const vcs_project *known = &vcs_projects(state)[project];
    vcs_rank_key key = {.id = known->id, .priority_class = known->priority_class};
    if (all->rule == VCS_RANK_DEBT) { /* short-term debt once the chosen tasks have run for a period (rule 13.13) */
        key.priority = known->short_term_debt - (double)turns->placement->project_tasks[project] *
                                                    state->parameters.period *
                                                    vcs_part_of_all(&all->sums, known->share);
        return key;
    }
    /* Use by the chosen tasks of the project, in CPUs (rule 1.5). */
    const int64_t *uses = &turns->placement->project_uses[vcs_selection_index(turns->selection, project, 0)];
    double load = vcs_instances(uses[all->local ? resource : 0]);
    for (uint32_t r = 1; r < state->resource_count && !all->local; r++) {
        load += vcs_instances(uses[r]) * vcs_resources(state)[r].speed;
    }
    if (all->rule == VCS_RANK_RESOURCE_DEBT) {
        vcs_rank_by_resource_debt(&key, known->share, known->exp_avg_cpu + load * state->parameters.bump);
        return key;
    }
    key.priority = vcs_scheduling_priority(&all->sums, rec_of(state, all, project, resource), load, known->share);
    key.tier = known->share > 0.0;
    return key;
}

/* ---- Offers ---- */

/* The most periods by which a task is counted as having run, so that no count of units overflows. */
#define MOST_PERIODS 1e6

/*
 * Whether the turn of a wide task is overdue: its project would come first again if the task had run for `hold`, or no
 * other has a task to offer.
 */
static bool is_overdue(vcs_turns *turns, const vcs_prepared_task *task) {
    const vcs_turn *projects = turns->projects;
    if (turns->count == 1) {
        return true;
    }
    const uint32_t second = turns->count > 2 && vcs_ranks_before(&projects[2].key, &projects[1].key) ? 2 : 1;
    int64_t *use = &turns->placement->project_uses[vcs_selection_index(turns->selection, task->project, 0)];
    const vcs_parameters *parameters = &turns->selection->state->parameters;
    const double periods = parameters->bump > 0.0 ? vcs_min(parameters->hold / parameters->bump, MOST_PERIODS) : 1.0;
    const int64_t more = (int64_t)(periods * (double)task->cpu_units); /* what counts as so many periods (rule 1.5) */
    *use += more;
    turns->placement->project_tasks[task->project]++;
    const vcs_rank_key key = key_of(turns, task->project, 0);
    *use -= more;
    turns->placement->project_tasks[task->project]--;
    return vcs_ranks_before(&key, &projects[second].key);
}

/*
 * Holds CPUs for a wide task that waits for room alone. Tasks of fewer CPUs fill in from now on: they get no slice, so
 * that they stop when it has its place. Until its turn is overdue, tasks that start get one all the same (rule 5.7).
 */
static void hold_cpus(vcs_turns *turns, uint32_t index) {
    vcs_placement *placement = turns->placement;
    const vcs_prepared_task *task = &turns->selection->prepared[index];
    placement->held = task->cpu_units;
    placement->is_overdue = is_overdue(turns, task);
    placement->decisions[index].reason = VCS_REASON_HELD;
}

/* Places a task whose turn it is, if it fits. Returns whether it was placed. */
static bool place_in_turn(vcs_turns *turns, uint32_t index, uint64_t devices) {
    vcs_placement *placement = turns->placement;
    const vcs_prepared_task *task = &turns->selection->prepared[index];
    const bool fills_in = task->resource == 0 && task->cpu_units < placement->held &&
                          (placement->is_overdue || vcs_runs_already(task));
    const uint32_t obstacle =
        vcs_place_task(placement, index, fills_in ? VCS_REASON_FILLS_IN : VCS_REASON_TURN, devices);
    const bool lacks_room = obstacle == VCS_REASON_WAITS || obstacle == VCS_REASON_SLICE_OVER;
    if (lacks_room && vcs_is_wide(task) && turns->selection->periods.has_wide && placement->held == 0) {
        hold_cpus(turns, index);
    }
    return obstacle == VCS_REASON_NONE;
}

/* Offers the waiting tasks of a project for a resource until one is placed. Returns whether one was. */
static bool offer_waiting(vcs_turns *turns, uint32_t project, uint32_t resource) {
    vcs_turn_queues *of = &turns->queues[vcs_selection_index(turns->selection, project, resource)];
    for (uint32_t q = 0; q < VCS_TURN_QUEUES; q++) {
        while (of->first[q] != VCS_NONE) {
            const uint32_t task = of->first[q];
            of->first[q] = turns->offers[task].next;
            if (turns->offers[task].stage == VCS_STAGE_LATE) {
                continue; /* it has become late since, and been offered */
            }
            if (q == VCS_TURN_RUNNING && queue_displaced(turns, task)) {
                continue;
            }
            /* Displaced tasks have released their devices, and others have them now. */
            const uint64_t own = q == VCS_TURN_DISPLACED ? 0 : vcs_release_devices(turns->placement, task);
            if (place_in_turn(turns, task, own)) {
                return true;
            }
        }
    }
    return false;
}

/* ---- Turn after turn ---- */

/* Moves the project at `place` of the heap down, until no better one is below it. */
static void sink(vcs_turn *projects, uint32_t count, uint32_t place) {
    const vcs_turn sinking = projects[place];
    for (uint64_t child = 2 * (uint64_t)place + 1; child < count; child = 2 * (uint64_t)place + 1) {
        if (child + 1 < count && vcs_ranks_before(&projects[child + 1].key, &projects[child].key)) {
            child++;
        }
        if (!vcs_ranks_before(&projects[child].key, &sinking.key)) {
            break;
        }
        projects[place] = projects[child];
        place = (uint32_t)child;
    }
    projects[place] = sinking;
}

void vcs_choose_by_turns(vcs_turns *turns, uint32_t resource) {
    if (vcs_is_used_up(turns->placement, resource)) {
        return;
    }
    if (!turns->is_filled) {
        fill_queues(turns);
    }
    vcs_turn *projects = turns->projects;
    uint32_t count = 0;
    for (uint32_t p = 0; p < turns->selection->state->project_count; p++) {
        if (has_waiting(turns, p, resource)) {
            projects[count++].project = p;
        }
    }
    if (count > 1) { /* a project that is alone always has the turn */
        turns->all = measure_projects(turns, resource);
        for (uint32_t i = 0; i < count; i++) {
            projects[i].key = key_of(turns, projects[i].project, resource);
        }
        for (uint32_t place = count / 2; place-- > 0;) {
            sink(projects, count, place);
        }
    }
    while (count > 0 && !vcs_is_used_up(turns->placement, resource)) {
        const uint32_t project = projects[0].project;
        turns->count = count;
        const bool goes_on =
            offer_waiting(turns, project, resource) && (count == 1 || has_waiting(turns, project, resource));
        if (!goes_on) {
            projects[0] = projects[--count];
        } else if (count > 1) {
            projects[0].key = key_of(turns, project, resource);
        }
        if (count > 1) {
            sink(projects, count, 0);
        }
    }
}
