/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/sliced/uniform_queues.h"

#include "vcsched/host/scratch.h"

/* ---- Memory ---- */

/* Inline, so that measuring is a few additions. */
static inline void allocate(vcs_uniform *u, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t most = counts->projects;
    vcs_sliced_allocate(&u->sim, counts, arena);
    u->queues = vcs_arena_allocate(arena, most, sizeof(vcs_uniform_queue));
    u->waiting = vcs_arena_allocate(arena, counts->tasks, sizeof(vcs_uniform_waiting));
    u->blocks = vcs_arena_allocate(arena, counts->tasks / VCS_STACK_BLOCK + most, sizeof(vcs_stack_block));
    /* A tree takes at most 4 numbers for each of the n / 32 + 1 blocks. */
    u->trees = vcs_arena_allocate(arena, counts->tasks / 8 + 4 * most, sizeof(int64_t));
    u->next_finish = vcs_arena_allocate(arena, most, sizeof(int64_t));
    u->rate = vcs_arena_allocate(arena, most, sizeof(double));
    u->scaled = vcs_arena_allocate(arena, most, sizeof(double));
    u->load = vcs_arena_allocate(arena, most, sizeof(double));
    u->per_load = vcs_arena_allocate(arena, most, sizeof(double));
    u->weight = vcs_arena_allocate(arena, most, sizeof(double));
    u->key = vcs_arena_allocate(arena, most, sizeof(double));
    u->last = vcs_arena_allocate(arena, most, sizeof(double));
    u->next = vcs_arena_allocate(arena, most, sizeof(double));
    u->unfinished = vcs_arena_allocate(arena, most, sizeof(double));
    u->running = vcs_arena_allocate(arena, most, sizeof(double));
    u->count = vcs_arena_allocate(arena, most, sizeof(double));
    u->used = vcs_arena_allocate(arena, most, sizeof(double));
    u->starting = vcs_arena_allocate(arena, most, sizeof(uint32_t));
    u->stopping = vcs_arena_allocate(arena, most, sizeof(uint32_t));
    u->charged = vcs_arena_allocate(arena, most, sizeof(uint32_t));
    u->group_start = vcs_arena_allocate(arena, most + 1, sizeof(uint32_t));
    u->group_unfinished = vcs_arena_allocate(arena, most, sizeof(uint32_t));
    u->tree = vcs_arena_allocate(arena, 4 * most + 2, sizeof(int64_t));
}

uint64_t vcs_uniform_scratch(const vcs_counts *counts) {
    vcs_uniform u;
    vcs_arena measure = {NULL, 0};
    allocate(&u, counts, &measure);
    return vcs_arena_size(&measure);
}

/* ---- Whether it applies ---- */

/* Counts the tasks of each project; returns false if one is not plain. */
static bool count_tasks(vcs_sliced *sim) {
    const vcs_state *state = sim->state;
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    if (!vcs_has_whole_cpus(state)) {
        return false;
    }
    for (uint32_t i = 0; i < state->task_count; i++) {
        if (tasks[i].takes_part) {
            if (!vcs_is_plain_task(state, &tasks[i])) {
                return false;
            }
            sim->demands[vcs_sliced_index(sim, tasks[i].project, 0)].tasks++;
        }
    }
    return true;
}

/* ---- Layout ---- */

void vcs_uniform_follow(vcs_uniform *u, uint32_t c) {
    vcs_sliced_account *account = &u->sim.accounts[u->sim.competitors[c].account];
    vcs_sliced_follow(&u->sim, account);
    const double rate = account->rate * u->weight[c], scaled = account->above * u->weight[c];
    u->rate[c] = rate;
    u->scaled[c] = scaled;
    u->largest = vcs_max(rate + (scaled < 0.0 ? -scaled : scaled), u->largest);
}

/* Returns whether the competitor's keys can be compared. */
static bool open_competitor(vcs_uniform *u, uint32_t c) {
    const vcs_sliced_competitor *competitor = &u->sim.competitors[c];
    const vcs_priority_sums *sums = &u->sim.resources[0].sums;
    const uint32_t tasks = u->sim.demands[vcs_sliced_index(&u->sim, competitor->project, 0)].tasks;
    if (competitor->group == u->group_count) {
        u->group_unfinished[u->group_count] = 0;
        u->group_start[u->group_count++] = c;
    }
    u->group_unfinished[competitor->group] += tasks;
    u->weight[c] = 1.0 / (sums->rec * competitor->fraction);
    u->load[c] = sums->load_coefficient * u->weight[c];
    u->per_load[c] = 1.0 / u->load[c];
    u->count[c] = u->running[c] = u->used[c] = 0.0;
    u->unfinished[c] = tasks;
    u->next_finish[c] = VCS_TREE_EMPTY;
    vcs_uniform_follow(u, c);
    return vcs_sliced_is_moderate(u->weight[c]) && vcs_sliced_is_moderate(u->load[c]);
}

/*
 * Whether two keys of one competitor are never so close that they would be compared exactly, which counts as effort.
 * REC stays below its present value or the earnings of all CPUs, whichever is greater; numbers in a key stay below 2^17
 * times that.
 */
static bool are_loads_plain(const vcs_uniform *u) {
    const vcs_sliced_resource *cpus = &u->sim.resources[0];
    const double most = VCS_CREDITS_PER_FLOPS * cpus->instances * cpus->flops;
    double greatest = 0.0, least = VCS_INFINITY;
    for (uint32_t c = 0; c < u->sim.competitor_count; c++) {
        const double rec = u->sim.accounts[u->sim.competitors[c].account].rec;
        greatest = vcs_max(vcs_max(rec, most) * u->weight[c] + cpus->instances * u->load[c], greatest);
        least = vcs_min(u->load[c], least);
    }
    return least > greatest * 1e-6;
}

static void open_queues(vcs_uniform *u) {
    vcs_uniform_waiting *waiting = u->waiting;
    vcs_stack_block *blocks = u->blocks;
    int64_t *trees = u->trees;
    for (uint32_t c = 0; c < u->sim.competitor_count; c++) {
        const uint32_t tasks = (uint32_t)u->unfinished[c];
        u->queues[c].running = vcs_stack_open(blocks, trees, tasks);
        u->queues[c].waiting = waiting += tasks; /* the end, until the queue is filled */
        blocks += vcs_stack_blocks(tasks);
        trees += vcs_stack_tree_size(tasks);
    }
}

/* Fills from the last task to arrive to the first, so that each queue ends up at its first task. */
static void fill_queues(vcs_uniform *u) {
    const vcs_state *state = u->sim.state;
    const uint32_t *arrival = vcs_arrival_order(state);
    for (uint32_t i = state->task_count; i-- > 0;) {
        const vcs_prepared_task *task = &vcs_prepared_tasks(state)[arrival[i]];
        if (task->takes_part) {
            const uint32_t c = u->sim.demands[vcs_sliced_index(&u->sim, task->project, 0)].competitor;
            *--u->queues[c].waiting = (vcs_uniform_waiting){.left = task->run_time, .task = arrival[i]};
        }
    }
}

bool vcs_uniform_lay_out(vcs_uniform *u, vcs_state *state) {
    const vcs_counts counts = vcs_counts_of(state);
    vcs_arena arena = vcs_scratch(state);
    allocate(u, &counts, &arena);
    vcs_sliced_begin(&u->sim, state);
    if (!count_tasks(&u->sim)) {
        return false;
    }
    vcs_sliced_line_up(&u->sim);
    u->largest = 0.0;
    u->settled = VCS_NONE;
    u->settled_at = 0;
    u->cpus = 0;
    u->threshold = u->drift = 0.0;
    u->until_amended = 0;
    u->group_count = 0;
    bool applies = true;
    for (uint32_t c = 0; c < u->sim.competitor_count; c++) {
        applies &= open_competitor(u, c);
    }
    u->group_start[u->group_count] = u->sim.competitor_count;
    u->alone = u->group_count == u->sim.competitor_count && are_loads_plain(u);
    u->sim.freeze |= u->alone;
    open_queues(u);
    fill_queues(u);
    return applies;
}
