/*
 * The sliced simulation for every host, from the first pick to the last finish.
 *
 * Rule 4.3; the plain reference is tests/oracle/oracle_sliced.c.
 *
 *   sliced_queues.c   lays out the tasks as queues
 *   sliced_pick.c     decides who runs
 *   sliced_slot.h     starts and stops one task
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulation/sliced_general.h"

#include "simulation/sliced_pick.h"
#include "simulation/sliced_slot.h"

/* ---- What follows from a pick ---- */

/* What a project uses now, resource by resource. Its GPU tasks use the CPU, too. */
static void refresh_usage(vcs_general *g, uint32_t project) {
    const size_t first = vcs_sliced_index(&g->sim, project, 0);
    int64_t cpus = 0;
    for (uint32_t r = g->sim.resource_count; r-- > 0;) {
        const uint32_t competitor = g->sim.demands[first + r].competitor;
        int64_t used = 0;
        if (competitor != VCS_NONE) {
            used = g->offers[competitor].units;
            cpus += g->offers[competitor].cpu_units;
        }
        vcs_sliced_set_used(&g->sim, &g->sim.usages[first + r], r == 0 ? used + cpus : used);
    }
}

static double flops_of(const vcs_sliced *sim, const vcs_sliced_usage *usages, uint32_t resource) {
    return vcs_instances(usages[resource].used) * sim->resources[resource].flops;
}

static void charge_accounts(vcs_sliced *sim, const vcs_sliced_competitor *competitor) {
    const size_t first = vcs_sliced_index(sim, competitor->project, 0);
    const vcs_sliced_usage *usages = &sim->usages[first];
    if (sim->local) {
        vcs_sliced_charge(sim, &sim->accounts[first], flops_of(sim, usages, 0));
        vcs_sliced_charge(sim, &sim->accounts[first + competitor->resource],
                          flops_of(sim, usages, competitor->resource));
        return;
    }
    double flops = 0.0;
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        flops += flops_of(sim, usages, r);
    }
    vcs_sliced_charge(sim, &sim->accounts[competitor->project], flops);
}

/* All that was started, stopped or finished in this step: use first, then what depends on the use as a whole. */
static void settle(vcs_general *g) {
    for (uint32_t i = 0; i < g->touched_count; i++) {
        refresh_usage(g, g->sim.competitors[g->touched[i]].project);
        g->offers[g->touched[i]].touched = false;
    }
    for (uint32_t i = 0; i < g->touched_count && !g->sim.freeze; i++) {
        charge_accounts(&g->sim, &g->sim.competitors[g->touched[i]]);
    }
    g->touched_count = 0;
    for (uint32_t r = 0; r < g->sim.resource_count; r++) {
        vcs_sliced_settle(&g->sim, &g->sim.resources[r]);
    }
}

/* What each project uses from the start, and what is idle. */
static void note_first_pick(vcs_general *g) {
    vcs_project_resource_forecast *forecasts = vcs_project_resource_forecasts(g->sim.state);
    for (uint32_t c = 0; c < g->sim.competitor_count; c++) {
        const vcs_sliced_competitor *competitor = &g->sim.competitors[c];
        const vcs_sliced_offer *offer = &g->offers[c];
        const size_t on_cpu = vcs_sliced_index(&g->sim, competitor->project, 0);
        forecasts[on_cpu + competitor->resource].used_now += vcs_instances(offer->units);
        forecasts[on_cpu].used_now += vcs_instances(offer->cpu_units);
    }
    vcs_sliced_note_idle(&g->sim);
}

/* ---- Time ---- */

static int64_t first_finish(const vcs_general *g) {
    int64_t first = VCS_TREE_EMPTY;
    for (uint32_t q = 0; q < g->queue_count; q++) {
        first = vcs_min_i64(g->next_finish[q], first);
    }
    return first;
}

/* Takes a finished task out of its queue. */
static void unlink_slot(vcs_general *g, vcs_sliced_queue *queue, uint32_t index) {
    const vcs_sliced_slot *slot = &g->slots[index];
    const bool in_front = queue->last != VCS_NONE && index <= queue->last;
    if (slot->previous != VCS_NONE) {
        g->slots[slot->previous].next = slot->next;
    }
    if (slot->next != VCS_NONE) {
        g->slots[slot->next].previous = slot->previous;
    }
    queue->running -= in_front;
    queue->backfills -= !in_front;
    queue->last = index == queue->last ? slot->previous : queue->last;
    queue->next = index == queue->next ? slot->next : queue->next;
    vcs_tree_set(queue->uses, queue->width, vcs_slot_leaf(queue, index), VCS_TREE_EMPTY);
}

static void finish_slot(vcs_general *g, uint32_t queue_index, uint32_t slot) {
    vcs_sliced_queue *queue = &g->queues[queue_index];
    vcs_slot_stop(g, queue_index, slot);
    unlink_slot(g, queue, slot);
    vcs_general_release(g, queue->competitor, &g->slot_uses[slot]);
    vcs_sliced_finish(&g->sim, g->slot_uses[slot].task);
}

/* All tasks whose time has come finish. */
static void finish_due(vcs_general *g) {
    for (uint32_t q = 0; q < g->queue_count; q++) {
        while (g->next_finish[q] == g->sim.now) {
            const vcs_sliced_queue *queue = &g->queues[q];
            finish_slot(g, q, queue->first_slot + vcs_least_index(queue->finishes, queue->nodes));
        }
    }
}

void vcs_sliced_general(vcs_state *state, vcs_wrr_summary *summary) {
    vcs_general g;
    vcs_general_lay_out(&g, state);
    vcs_general_pick(&g);
    settle(&g);
    note_first_pick(&g);
    vcs_sliced_end_of_step end;
    while ((end = vcs_sliced_step(&g.sim, first_finish(&g))) < VCS_SLICED_ALL_DONE) {
        if (end == VCS_SLICED_SOME_FINISH) {
            finish_due(&g);
        }
        vcs_general_pick(&g);
        settle(&g);
    }
    vcs_sliced_report(&g.sim, end == VCS_SLICED_STOPPED, summary);
}
