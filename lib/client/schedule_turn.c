/* SPDX-License-Identifier: MIT */
#include "client/schedule.h"

/* What all projects that compete for a resource are measured by. */
typedef struct measure {
    double rec_sum, share_sum, load_coefficient; /* of the ranking by priority */
    double equal_part;                           /* of a project if no share is above 0 */
    uint32_t rule;                               /* VCS_RANK_* */
    uint32_t local;                              /* 1: work and load on the resource alone count */
} measure;

static size_t pair_index(const vcs_state *state, uint32_t project, uint32_t resource) {
    return (size_t)project * state->resource_count + resource;
}

/* ---- How a project ranks at this moment ---- */

/* Local accounts know work alone; CPU time and debts are those of the whole host. */
static uint32_t is_local(const vcs_state *state) {
    return state->parameters.accounting == VCS_ACCOUNTING_LOCAL && state->parameters.ranking == VCS_RANK_PRIORITY;
}

static double rec_of(const vcs_state *state, uint32_t project, uint32_t resource) {
    return is_local(state) ? vcs_pairs(state)[pair_index(state, project, resource)].rec
                           : vcs_projects(state)[project].rec;
}

/* The load at which all that counts is in use. */
static double host_total(const vcs_state *state, uint32_t resource) {
    const vcs_prepared_resource *resources = vcs_resources(state);
    if (is_local(state)) {
        return resources[resource].instances;
    }
    double total = 0.0;
    for (uint32_t r = 0; r < state->resource_count; r++) {
        total += resources[r].instances * resources[r].speed;
    }
    return total;
}

/* Sums run over the projects with a task that takes part, in order of id. */
static measure measure_projects(const vcs_selection *selection, uint32_t resource) {
    const vcs_state *state = selection->state;
    const uint32_t *by_id = vcs_piece(state, state->project_order);
    measure all = {.rule = state->parameters.ranking, .local = is_local(state)};
    double rec_sum = 0.0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->project_count; i++) {
        const uint32_t p = by_id[i];
        if (all.local ? selection->pair_candidates[pair_index(state, p, resource)] > 0
                      : selection->project_candidates[p] > 0) {
            rec_sum += rec_of(state, p, resource);
            all.share_sum += vcs_projects(state)[p].share;
            count++;
        }
    }
    all.rec_sum = vcs_sum_or_one(rec_sum);
    all.equal_part = all.share_sum > 0.0 || count == 0 ? 0.0 : 1.0 / count;
    all.share_sum = vcs_sum_or_one(all.share_sum);
    all.load_coefficient =
        vcs_load_coefficient(all.rec_sum, state->parameters.period, host_total(state, resource));
    return all;
}

/* What the tasks taken so far of a project use, in CPUs (rule 1.5). */
static double load_of(const vcs_selection *selection, const measure *all, uint32_t project, uint32_t resource) {
    const vcs_state *state = selection->state;
    const vcs_prepared_resource *resources = vcs_resources(state);
    const int64_t *used = &selection->used[pair_index(state, project, 0)];
    if (all->local) {
        return vcs_instances(used[resource]);
    }
    double load = (double)used[0];
    for (uint32_t r = 1; r < state->resource_count; r++) {
        load += (double)used[r] * resources[r].speed;
    }
    return load / (double)VCS_ONE;
}

/* Short-term debt once the tasks taken so far have run for a period (rule 13.13). */
static double anticipated_debt(const vcs_selection *selection, const measure *all, uint32_t project) {
    const vcs_project *known = &vcs_projects(selection->state)[project];
    const double part = all->equal_part + known->share / all->share_sum;
    return known->short_term_debt -
           (double)selection->project_tasks[project] * selection->state->parameters.period * part;
}

static vcs_rank_key key_of(const vcs_selection *selection, const measure *all, uint32_t project, uint32_t resource) {
    const vcs_state *state = selection->state;
    const vcs_project *known = &vcs_projects(state)[project];
    vcs_rank_key key = {.id = known->id, .priority_class = known->priority_class};
    if (all->rule == VCS_RANK_DEBT) {
        key.priority = anticipated_debt(selection, all, project);
        return key;
    }
    const double load = load_of(selection, all, project, resource);
    if (all->rule == VCS_RANK_RESOURCE_DEBT) {
        const double cpu_time = known->exp_avg_cpu + load * state->parameters.period;
        key.priority = vcs_resource_debt(known->share, cpu_time);
        key.tier = vcs_resource_debt_tier(known->share, cpu_time);
        return key;
    }
    const double x = rec_of(state, project, resource) + load * all->load_coefficient;
    key.priority = vcs_scheduling_priority(x, all->rec_sum, known->share, all->share_sum);
    key.tier = known->share > 0.0;
    return key;
}

/* ---- What a project offers ---- */

static uint32_t *queues_of(const vcs_selection *selection, uint32_t project, uint32_t resource) {
    return &selection->queues[VCS_QUEUES_PER_PAIR * pair_index(selection->state, project, resource)];
}

static uint32_t queue_for(const vcs_job *job) {
    return vcs_runs_already(job) ? 0 : (job->flags & VCS_TASK_STARTED) != 0 ? 1 : 2;
}

void vcs_turn_begin(vcs_selection *selection) {
    const vcs_state *state = selection->state;
    const vcs_job *jobs = vcs_jobs(state);
    const uint32_t *by_arrival = vcs_arrival_order(state);
    const size_t queues = (size_t)state->project_count * state->resource_count * VCS_QUEUES_PER_PAIR;
    for (size_t i = 0; i < queues; i++) {
        selection->queues[i] = VCS_NONE;
    }
    for (uint32_t i = state->job_count; i-- > 0;) { /* the last to arrive first: each goes before those queued so far */
        const uint32_t task = by_arrival[i];
        if (selection->stages[task] == VCS_STAGE_TURN) {
            const vcs_job *job = &jobs[task];
            uint32_t *first = &queues_of(selection, job->project, job->resource)[queue_for(job)];
            selection->next[task] = *first;
            *first = task;
        }
    }
}

/* The queue from which a project's next task comes; NULL if it has none left. */
static uint32_t *next_queue(const vcs_selection *selection, uint32_t project, uint32_t resource) {
    uint32_t *queues = queues_of(selection, project, resource);
    for (uint32_t q = 0; q < VCS_QUEUES_PER_PAIR; q++) {
        if (queues[q] != VCS_NONE) {
            return &queues[q];
        }
    }
    return NULL;
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

/* The projects with a task to offer for the resource. Returns how many there are. */
static uint32_t gather(vcs_selection *selection, const measure *all, uint32_t resource) {
    const vcs_state *state = selection->state;
    uint32_t count = 0;
    for (uint32_t p = 0; p < state->project_count; p++) {
        if (next_queue(selection, p, resource) != NULL) {
            selection->turns[count].key = key_of(selection, all, p, resource);
            selection->turns[count].project = p;
            count++;
        }
    }
    for (uint32_t place = count / 2; place-- > 0;) {
        sink(selection->turns, count, place);
    }
    return count;
}

/* The best project offers its tasks until one is taken. What it is left with: whether it has more. */
static int offer_until_taken(vcs_selection *selection, uint32_t project, uint32_t resource) {
    const uint32_t taken = selection->summary.running;
    for (;;) {
        uint32_t *queue = next_queue(selection, project, resource);
        if (queue == NULL || selection->summary.running > taken) {
            return queue != NULL;
        }
        const uint32_t task = *queue;
        *queue = selection->next[task];
        vcs_offer(selection, task, VCS_REASON_TURN);
    }
}

void vcs_turn_take(vcs_selection *selection, uint32_t resource) {
    const measure all = measure_projects(selection, resource);
    vcs_turn *turns = selection->turns;
    uint32_t count = gather(selection, &all, resource);
    while (count > 0) {
        if (offer_until_taken(selection, turns[0].project, resource)) {
            turns[0].key = key_of(selection, &all, turns[0].project, resource);
        } else {
            turns[0] = turns[--count];
        }
        sink(turns, count, 0);
    }
}
