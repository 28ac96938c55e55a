/* SPDX-License-Identifier: MIT */
#include "simulation/sliced.h"

/*
 * The fast simulation, where tasks are of one CPU each: which of them run follows from how many. They are the first
 * unfinished ones of a queue, so starting and stopping are a push and a pop, in time that does not depend on the
 * length of the queue.
 *
 * Half of the competitors change in a step, and nobody can foresee which: loops without a branch for that are faster.
 */

/* Numbers so far from the ends of what doubles hold that keys made of them can be compared. */
#define LEAST_FACTOR 1e-200
#define GREATEST_FACTOR 1e200

/* ---- Beginning ---- */

static int is_moderate(double factor) {
    return factor > LEAST_FACTOR && factor < GREATEST_FACTOR;
}

/* Its tasks wait in order of arrival, which is that of the slots. */
static int64_t *open_front(vcs_sliced *sim, uint32_t c, vcs_stack_block *blocks, int64_t *tree) {
    vcs_front *front = &sim->uniform.fronts[c];
    const vcs_queue *queue = &sim->queues[sim->competitors[c].first_queue];
    front->waiting = &sim->waiting[queue->first_slot];
    for (uint32_t i = 0; i < queue->slot_count; i++) {
        const uint32_t slot = queue->first_slot + i;
        front->waiting[i] = (vcs_waiting){.left = sim->slots[slot].left, .slot = slot};
    }
    front->running = vcs_stack_open(blocks, tree, queue->slot_count);
    return tree + vcs_stack_tree_size(queue->slot_count);
}

/* Follows an account when it moves. */
static void follow(vcs_sliced *sim, uint32_t c, const vcs_account *account) {
    vcs_uniform *uniform = &sim->uniform;
    const double weight = uniform->weight[c];
    const double rate = (sim->freeze ? account->rec : account->rate) * weight;
    const double scaled = sim->freeze ? 0.0 : account->scaled * weight;
    const double size = rate + (scaled < 0.0 ? -scaled : scaled);
    uniform->rate[c] = rate;
    uniform->scaled[c] = scaled;
    uniform->largest = size > uniform->largest ? size : uniform->largest;
}

static void open_competitor(vcs_sliced *sim, uint32_t c) {
    vcs_uniform *uniform = &sim->uniform;
    const vcs_competitor *competitor = &sim->competitors[c];
    if (competitor->group == uniform->group_count) {
        uniform->unfinished[uniform->group_count] = 0;
        uniform->group_start[uniform->group_count++] = c;
    }
    const uint32_t tasks = sim->queues[competitor->first_queue].slot_count;
    uniform->weight[c] = 1.0 / (competitor->rec_sum * competitor->fraction);
    uniform->load[c] = competitor->load_coefficient * uniform->weight[c];
    uniform->per_load[c] = 1.0 / uniform->load[c];
    uniform->count[c] = uniform->running[c] = uniform->used[c] = 0.0;
    uniform->limit[c] = tasks;
    uniform->unfinished[competitor->group] += tasks;
    uniform->next_finish[c] = VCS_TREE_EMPTY;
    sim->is_uniform &= is_moderate(uniform->weight[c]) && is_moderate(uniform->load[c]);
    follow(sim, c, &sim->accounts[competitor->account]);
}

void vcs_uniform_open(vcs_sliced *sim) {
    vcs_uniform *uniform = &sim->uniform;
    vcs_stack_block *blocks = sim->blocks;
    int64_t *trees = sim->trees;
    uniform->group_count = 0;
    uniform->settled = VCS_NONE;
    for (uint32_t c = 0; c < sim->competitor_count; c++) {
        open_competitor(sim, c);
        trees = open_front(sim, c, blocks, trees);
        blocks += vcs_stack_blocks(sim->queues[sim->competitors[c].first_queue].slot_count);
    }
    uniform->group_start[uniform->group_count] = sim->competitor_count;
}

void vcs_uniform_rebase(vcs_sliced *sim) {
    sim->uniform.largest = 0.0;
    for (uint32_t c = 0; c < sim->competitor_count; c++) {
        follow(sim, c, &sim->accounts[sim->competitors[c].account]);
    }
}

/* ---- Starting and stopping ---- */

static void start_tasks(vcs_sliced *sim, uint32_t c) {
    vcs_uniform *uniform = &sim->uniform;
    vcs_front *front = &uniform->fronts[c];
    for (; uniform->running[c] < uniform->count[c]; uniform->running[c] += 1.0) {
        const vcs_waiting task = *front->waiting++;
        vcs_stack_push(&front->running, sim->now + task.left, task.slot);
    }
    uniform->next_finish[c] = vcs_stack_least(&front->running);
}

static void stop_tasks(vcs_sliced *sim, uint32_t c) {
    vcs_uniform *uniform = &sim->uniform;
    vcs_front *front = &uniform->fronts[c];
    for (; uniform->running[c] > uniform->count[c]; uniform->running[c] -= 1.0) {
        vcs_waiting *task = --front->waiting;
        task->slot = vcs_stack_pop(&front->running, &task->left);
        task->left -= sim->now;
    }
    uniform->next_finish[c] = vcs_stack_least(&front->running);
}

/*
 * A project's use is the number of its tasks. Nobody asks how it is used after the end of the buffer, up to which the
 * last use before counts.
 */
static void charge(vcs_sliced *sim, uint32_t c, int64_t buffer_end) {
    const vcs_competitor *competitor = &sim->competitors[c];
    const double count = sim->uniform.count[c];
    sim->uniform.used[c] = count;
    if (sim->now < buffer_end) {
        vcs_set_used(&sim->usages[(size_t)competitor->project * sim->resource_count], (int64_t)count * VCS_ONE,
                     sim->now, buffer_end);
    }
    if (!sim->freeze) {
        vcs_account *account = &sim->accounts[competitor->account];
        vcs_account_set_rate(sim, account, count * sim->pools[0].flops);
        follow(sim, c, account);
    }
}

void vcs_uniform_settle(vcs_sliced *sim, int64_t buffer_end) {
    const vcs_uniform *uniform = &sim->uniform;
    uint32_t starting = 0, stopping = 0, charged = 0;
    for (uint32_t c = 0; c < sim->competitor_count; c++) {
        const double count = uniform->count[c], running = uniform->running[c], used = uniform->used[c];
        uniform->starting[starting] = c;
        uniform->stopping[stopping] = c;
        uniform->charged[charged] = c;
        starting += running < count;
        stopping += running > count;
        charged += (used < count) | (used > count);
    }
    for (uint32_t i = 0; i < starting; i++) {
        start_tasks(sim, uniform->starting[i]);
    }
    for (uint32_t i = 0; i < stopping; i++) {
        stop_tasks(sim, uniform->stopping[i]);
    }
    for (uint32_t i = 0; i < charged; i++) {
        charge(sim, uniform->charged[i], buffer_end);
    }
}

/* ---- Finishing ---- */

static int64_t lesser(int64_t a, int64_t b) {
    return a < b ? a : b;
}

int64_t vcs_uniform_first_finish(const vcs_sliced *sim) {
    const int64_t *finishes = sim->uniform.next_finish;
    int64_t even = VCS_TREE_EMPTY, odd = VCS_TREE_EMPTY;
    uint32_t c = 0;
    for (; c + 2 <= sim->competitor_count; c += 2) {
        even = lesser(finishes[c], even);
        odd = lesser(finishes[c + 1], odd);
    }
    return c < sim->competitor_count ? lesser(finishes[c], lesser(even, odd)) : lesser(even, odd);
}

static void finish_first(vcs_sliced *sim, uint32_t c) {
    vcs_uniform *uniform = &sim->uniform;
    vcs_front *front = &uniform->fronts[c];
    const uint32_t slot = vcs_stack_take_least(&front->running);
    uniform->next_finish[c] = vcs_stack_least(&front->running);
    uniform->limit[c] -= 1.0;
    uniform->running[c] -= 1.0;
    uniform->unfinished[sim->competitors[c].group]--;
    sim->tasks[slot].finish = sim->now;
}

void vcs_uniform_finish_due(vcs_sliced *sim) {
    for (uint32_t c = 0; c < sim->competitor_count; c++) {
        while (sim->uniform.next_finish[c] == sim->now) {
            finish_first(sim, c);
        }
    }
}
