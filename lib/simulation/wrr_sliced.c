/* SPDX-License-Identifier: MIT */
#include "simulation/disciplines.h"
#include "simulation/lateness.h"
#include "simulation/sliced.h"

/*
 * Above this, a step covers a tenth of the time to the next finish; above the next, an hour. Nobody finishes in them.
 */
#define LONG_STEP (INT64_C(36000) * 1000000)
#define HOUR_STEP (INT64_C(3600) * 1000000)

/* ---- What follows from a pick ---- */

/* What a project uses now, resource by resource. */
static void refresh_usage(vcs_sliced *sim, const vcs_competitor *competitor, int64_t buffer_end) {
    vcs_usage *usages = &sim->usages[(size_t)competitor->project * sim->resource_count];
    int64_t cpus = 0;
    for (uint32_t r = sim->resource_count; r-- > 0;) {
        int64_t used = 0;
        if (usages[r].competitor != VCS_NONE) {
            const vcs_competitor *here = &sim->competitors[usages[r].competitor];
            used = here->units;
            cpus += here->cpu_units;
        }
        vcs_set_used(&usages[r], r == 0 ? used + cpus : used, sim->now, buffer_end);
    }
}

/* Credits per day of a use of one resource. */
static double flops_of(const vcs_sliced *sim, const vcs_usage *usages, uint32_t resource) {
    return vcs_instances(usages[resource].used) * sim->pools[resource].flops;
}

static void refresh_accounts(vcs_sliced *sim, const vcs_competitor *competitor) {
    const size_t first = (size_t)competitor->project * sim->resource_count;
    const vcs_usage *usages = &sim->usages[first];
    if (sim->local) {
        vcs_account_set_rate(sim, &sim->accounts[first], flops_of(sim, usages, 0));
        vcs_account_set_rate(sim, &sim->accounts[first + competitor->resource],
                             flops_of(sim, usages, competitor->resource));
        return;
    }
    double flops = 0.0;
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        flops += flops_of(sim, usages, r);
    }
    vcs_account_set_rate(sim, &sim->accounts[competitor->project], flops);
}

/* All that was started, stopped or finished in this step: use first, then what depends on the use as a whole. */
static void settle_touched(vcs_sliced *sim, int64_t buffer_end) {
    for (uint32_t i = 0; i < sim->touched_count; i++) {
        refresh_usage(sim, &sim->competitors[sim->touched[i]], buffer_end);
    }
    for (uint32_t i = 0; i < sim->touched_count; i++) {
        vcs_competitor *competitor = &sim->competitors[sim->touched[i]];
        if (!sim->freeze) {
            refresh_accounts(sim, competitor);
        }
        competitor->touched = 0;
    }
    sim->touched_count = 0;
}

static void settle_pool(vcs_pool *pool, int64_t now, int64_t buffer_end) {
    int64_t idle = pool->free >= VCS_LEAST_FREE && !pool->suspended ? pool->free : 0;
    if (idle > 0 && pool->saturated == VCS_NEVER) {
        pool->saturated = now;
    }
    if (idle != pool->idle) {
        vcs_add_shortfall(&pool->shortfall, pool->idle, pool->since, now, buffer_end);
        pool->idle = idle;
        pool->since = now;
    }
}

static void pick(vcs_sliced *sim, int64_t buffer_end) {
    if (sim->is_uniform) {
        vcs_uniform_pick(sim);
        vcs_uniform_settle(sim, buffer_end);
    } else {
        vcs_sliced_pick(sim);
        settle_touched(sim, buffer_end);
    }
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        settle_pool(&sim->pools[r], sim->now, buffer_end);
    }
}

/* ---- Time ---- */

static int64_t first_finish(const vcs_sliced *sim) {
    if (sim->is_uniform) {
        return vcs_uniform_first_finish(sim);
    }
    int64_t first = VCS_TREE_EMPTY;
    for (uint32_t q = 0; q < sim->queue_count; q++) {
        first = sim->next_finish[q] < first ? sim->next_finish[q] : first;
    }
    return first;
}

/* Takes a finished task out of its queue. */
static void unlink_slot(vcs_sliced *sim, vcs_queue *queue, uint32_t index) {
    const vcs_slot *slot = &sim->slots[index];
    const int at_front = queue->last != VCS_NONE && index <= queue->last;
    if (slot->previous != VCS_NONE) {
        sim->slots[slot->previous].next = slot->next;
    }
    if (slot->next != VCS_NONE) {
        sim->slots[slot->next].previous = slot->previous;
    }
    queue->running -= (uint32_t)at_front;
    queue->backfills -= (uint32_t)!at_front;
    queue->last = index == queue->last ? slot->previous : queue->last;
    queue->fresh = index == queue->fresh ? slot->next : queue->fresh;
    vcs_tree_set(queue->uses, queue->width, vcs_leaf(queue, index), VCS_TREE_EMPTY);
}

static void finish_slot(vcs_sliced *sim, uint32_t queue_index, uint32_t index) {
    vcs_queue *queue = &sim->queues[queue_index];
    vcs_slot_pause(sim, queue_index, index);
    unlink_slot(sim, queue, index);
    vcs_release(sim, queue->competitor, &sim->tasks[index]);
    sim->tasks[index].finish = sim->now;
}

/* All tasks whose time has come finish. */
static void finish_due(vcs_sliced *sim) {
    if (sim->is_uniform) {
        vcs_uniform_finish_due(sim);
        return;
    }
    for (uint32_t q = 0; q < sim->queue_count; q++) {
        while (sim->next_finish[q] == sim->now) {
            const vcs_queue *queue = &sim->queues[q];
            const uint32_t leaf = vcs_least_index(queue->finishes, queue->nodes);
            finish_slot(sim, q, queue->first_slot + leaf);
        }
    }
}

/*
 * The accounts share one power of two. It is moved along before it gets so small, or the factors to it so large, that
 * digits are lost.
 */
static void move_base(vcs_sliced *sim) {
    sim->base = sim->now;
    sim->decay = 1.0;
    for (uint32_t i = 0; i < sim->account_count; i++) {
        vcs_account *account = &sim->accounts[i];
        account->scaled = vcs_account_now(sim, account) - account->rate;
    }
    vcs_uniform_rebase(sim);
}

static void advance(vcs_sliced *sim, int64_t by) {
    sim->now += by;
    if (sim->is_uniform && !sim->freeze) {
        double age = (double)(sim->now - sim->base) / sim->half_life;
        sim->decay = vcs_exp2(-age);
        if (age > 16.0) {
            move_base(sim);
        }
    }
}

/* How far the next step goes if the first finish is `length` away, and whether tasks finish at its end. */
static int64_t step_length(int64_t length, int *finishes) {
    *finishes = length <= HOUR_STEP;
    if (length > LONG_STEP) {
        return (length + 5) / 10;
    }
    return *finishes ? length : HOUR_STEP;
}

/* How far the simulation may go at most. */
static int64_t find_horizon(const vcs_parameters *parameters) {
    int64_t horizon = parameters->horizon > 0.0 ? vcs_micros(parameters->horizon) : VCS_FOREVER;
    return horizon < VCS_FOREVER ? horizon : VCS_FOREVER;
}

/* What is idle from the start, and who uses the rest. */
static void note_first_pick(vcs_sliced *sim) {
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        sim->pools[r].idle_now = sim->pools[r].idle;
    }
    for (uint32_t c = 0; c < sim->competitor_count; c++) {
        const vcs_competitor *competitor = &sim->competitors[c];
        vcs_project_resource_forecast *project_resources =
            &vcs_project_resource_forecasts(sim->state)[(size_t)competitor->project * sim->resource_count];
        if (sim->is_uniform) {
            project_resources[0].used_now = sim->uniform.count[c];
        } else {
            project_resources[competitor->resource].used_now += vcs_instances(competitor->units);
            project_resources[0].used_now += vcs_instances(competitor->cpu_units);
        }
    }
}

/* Runs until all tasks have finished, none can run, or a limit is reached; returns whether it was a limit. */
static int run(vcs_sliced *sim, int64_t buffer_end, uint64_t *steps) {
    const vcs_parameters *parameters = &sim->state->parameters;
    const int64_t horizon = find_horizon(parameters);
    for (*steps = 0;; ++*steps) {
        pick(sim, buffer_end);
        if (*steps == 0) {
            note_first_pick(sim);
        }
        const int64_t first = first_finish(sim);
        if (first == VCS_TREE_EMPTY) {
            return 0;
        }
        if (parameters->step_budget != 0 && *steps == parameters->step_budget) {
            return 1;
        }
        int finishes;
        int64_t length = step_length(first - sim->now, &finishes);
        if (length > horizon - sim->now) {
            advance(sim, horizon - sim->now);
            ++*steps;
            return 1;
        }
        advance(sim, length);
        if (finishes) {
            finish_due(sim);
        }
    }
}

/* ---- Results ---- */

static vcs_task_forecast forecast_of(const vcs_sliced *sim, uint32_t slot, int stopped) {
    const int64_t finish = sim->tasks[slot].finish;
    if (finish != VCS_NEVER) {
        return (vcs_task_forecast){
            .finish = vcs_seconds(finish),
            .verdict = vcs_verdict_on_grid(finish, sim->tasks[slot].latest),
        };
    }
    return (vcs_task_forecast){
        .finish = VCS_INFINITY,
        .verdict = stopped ? VCS_VERDICT_UNKNOWN : VCS_VERDICT_STUCK,
    };
}

static void write_forecasts(const vcs_sliced *sim, int stopped) {
    vcs_task_forecast *forecasts = vcs_forecasts(sim->state);
    for (uint32_t i = 0; i < sim->state->task_count; i++) {
        forecasts[i] = (vcs_task_forecast){.finish = VCS_INFINITY, .verdict = VCS_VERDICT_SUSPENDED};
    }
    for (uint32_t slot = 0; slot < sim->slot_count; slot++) {
        forecasts[sim->tasks[slot].job] = forecast_of(sim, slot, stopped);
    }
}

/* After the last finish everything is idle until the end of the buffer; after a stop, nothing more is known. */
static void close_shortfalls(vcs_sliced *sim, int stopped, int64_t buffer_end) {
    const vcs_state *state = sim->state;
    const int64_t end = stopped ? sim->now : buffer_end;
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        vcs_pool *pool = &sim->pools[r];
        vcs_add_shortfall(&pool->shortfall, pool->idle, pool->since, end, buffer_end);
        vcs_resource_forecast *forecast = &vcs_resource_forecasts(state)[r];
        *forecast = (vcs_resource_forecast){
            .shortfall = vcs_wide_instance_seconds(pool->shortfall),
            .idle_now = vcs_instances(pool->idle_now),
            .saturated = vcs_seconds(pool->saturated == VCS_NEVER && !pool->suspended ? sim->now : pool->saturated),
        };
        if (pool->suspended) {
            forecast->saturated = 0.0;
        }
    }
    for (size_t i = 0; i < (size_t)sim->project_count * sim->resource_count; i++) {
        vcs_bring_usage_forward(&sim->usages[i], end, buffer_end);
        vcs_project_resource_forecasts(state)[i].shortfall = vcs_wide_instance_seconds(sim->usages[i].shortfall);
    }
}

void vcs_wrr_sliced(vcs_state *state, vcs_wrr_summary *summary) {
    vcs_sliced sim;
    vcs_sliced_lay_out(&sim, state);
    const int64_t buffer_end = vcs_buffer_end(&state->parameters);
    const int stopped = run(&sim, buffer_end, &summary->steps);
    write_forecasts(&sim, stopped);
    close_shortfalls(&sim, stopped, buffer_end);
    summary->flags = stopped ? VCS_SIMULATION_STOPPED : 0;
    summary->reached = vcs_seconds(sim.now);
}
