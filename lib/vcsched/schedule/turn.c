/* SPDX-License-Identifier: MIT */
#include "vcsched/schedule/turn.h"

#include "vcsched/accounts/priority_sums.h"
#include "vcsched/host/load.h"

/* Sums over the projects that compete for a resource. */
typedef struct measure {
    vcs_priority_sums sums;
    uint32_t rule;  /* VCS_RANK_* */
    uint32_t local; /* 1: work and load on the resource alone count */
} measure;

/* ---- How a project ranks at this moment ---- */

static double rec_of(const vcs_state *state, const measure *all, uint32_t project, uint32_t resource) {
    return all->local ? vcs_project_resources(state)[(size_t)project * state->resource_count + resource].rec
                      : vcs_projects(state)[project].rec;
}

/* Whether a project has a task that takes part; with local accounts, on this resource. */
static bool competes(const vcs_waiting *waiting, uint32_t project, uint32_t resource, uint32_t local) {
    const vcs_waiting_queues *queues = &waiting->queues[vcs_selection_index(waiting->selection, project, 0)];
    if (local) {
        return queues[resource].taking_part > 0;
    }
    uint32_t taking_part = 0;
    for (uint32_t r = 0; r < waiting->selection->state->resource_count; r++) {
        taking_part |= queues[r].taking_part;
    }
    return taking_part != 0;
}

/* Adds up the projects that compete, in order of id. */
static measure measure_projects(const vcs_waiting *waiting, uint32_t resource) {
    const vcs_state *state = waiting->selection->state;
    const uint32_t *by_id = vcs_project_order(state);
    const uint32_t rule = state->parameters.ranking;
    /* Local accounts keep work alone: CPU time and debts belong to the whole host. */
    measure all = {.rule = rule, .local = rule == VCS_RANK_PRIORITY && vcs_is_local(&state->parameters)};
    for (uint32_t i = 0; i < state->project_count; i++) {
        const uint32_t p = by_id[i];
        if (competes(waiting, p, resource, all.local)) {
            vcs_sums_add(&all.sums, rec_of(state, &all, p, resource), vcs_projects(state)[p].share);
        }
    }
    vcs_sums_close(&all.sums, state->parameters.bump, vcs_host_load(state, resource, all.local));
    return all;
}

/* Use by the chosen tasks of a project, in CPUs (rule 1.5). */
static double load_of(const vcs_waiting *waiting, const measure *all, uint32_t project, uint32_t resource) {
    const vcs_state *state = waiting->selection->state;
    const vcs_prepared_resource *resources = vcs_resources(state);
    const int64_t *uses = &waiting->placement->project_uses[vcs_selection_index(waiting->selection, project, 0)];
    if (all->local) {
        return vcs_instances(uses[resource]);
    }
    double load = (double)uses[0];
    for (uint32_t r = 1; r < state->resource_count; r++) {
        load += (double)uses[r] * resources[r].speed;
    }
    return load / (double)VCS_ONE;
}

/* Short-term debt once the chosen tasks have run for a period (rule 13.13). */
static double anticipated_debt(const vcs_waiting *waiting, const measure *all, uint32_t project) {
    const vcs_project *known = &vcs_projects(waiting->selection->state)[project];
    const double part = vcs_part_of_all(&all->sums, known->share);
    return known->short_term_debt -
           (double)waiting->placement->project_tasks[project] * waiting->selection->state->parameters.period * part;
}

static vcs_rank_key key_of(const vcs_waiting *waiting, const measure *all, uint32_t project, uint32_t resource) {
    const vcs_state *state = waiting->selection->state;
    const vcs_project *known = &vcs_projects(state)[project];
    vcs_rank_key key = {.id = known->id, .priority_class = known->priority_class};
    if (all->rule == VCS_RANK_DEBT) {
        key.priority = anticipated_debt(waiting, all, project);
        return key;
    }
    const double load = load_of(waiting, all, project, resource);
    if (all->rule == VCS_RANK_RESOURCE_DEBT) {
        const double cpu_time = known->exp_avg_cpu + load * state->parameters.bump;
        vcs_rank_by_resource_debt(&key, known->share, cpu_time);
        return key;
    }
    key.priority = vcs_scheduling_priority(&all->sums, rec_of(state, all, project, resource), load, known->share);
    key.tier = known->share > 0.0;
    return key;
}

/* ---- The heap of projects: the best one first ---- */

static void sink(vcs_turn *turns, uint32_t count, uint32_t place) {
    const vcs_turn sinking = turns[place];
    for (uint64_t child = 2 * (uint64_t)place + 1; child < count; child = 2 * (uint64_t)place + 1) {
        if (child + 1 < count && vcs_ranks_before(&turns[child + 1].key, &turns[child].key)) {
            child++;
        }
        if (!vcs_ranks_before(&turns[child].key, &sinking.key)) {
            break;
        }
        turns[place] = turns[child];
        place = (uint32_t)child;
    }
    turns[place] = sinking;
}

/* ---- Turn after turn ---- */

/* Lists the projects with a task to offer for a resource. Returns their number. */
static uint32_t list_projects(const vcs_waiting *waiting, vcs_turn *turns, uint32_t resource) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < waiting->selection->state->project_count; p++) {
        if (vcs_has_waiting(waiting, p, resource)) {
            turns[count].project = p;
            count++;
        }
    }
    return count;
}

/* Lets the first `count` projects of `turns`, more than one, take turns until one is left, which is then the first. */
static void rotate(vcs_waiting *waiting, vcs_turn *turns, uint32_t resource, uint32_t count) {
    const measure all = measure_projects(waiting, resource);
    for (uint32_t i = 0; i < count; i++) {
        turns[i].key = key_of(waiting, &all, turns[i].project, resource);
    }
    for (uint32_t place = count / 2; place-- > 0;) {
        sink(turns, count, place);
    }
    while (count > 1 && !vcs_is_used_up(waiting->placement, resource)) {
        const uint32_t project = turns[0].project;
        if (vcs_offer_waiting(waiting, project, resource) && vcs_has_waiting(waiting, project, resource)) {
            turns[0].key = key_of(waiting, &all, project, resource);
        } else {
            turns[0] = turns[--count];
        }
        sink(turns, count, 0);
    }
}

void vcs_choose_by_turns(vcs_waiting *waiting, vcs_turn *turns, uint32_t resource) {
    if (vcs_is_used_up(waiting->placement, resource)) {
        return;
    }
    if (!waiting->is_filled) {
        vcs_fill_queues(waiting);
    }
    const uint32_t count = list_projects(waiting, turns, resource);
    if (count > 1) {
        rotate(waiting, turns, resource, count);
    }
    /* A project that is alone always has the turn. */
    while (count > 0 && !vcs_is_used_up(waiting->placement, resource) &&
           vcs_offer_waiting(waiting, turns[0].project, resource)) {
    }
}
