/*
 * The pick: who runs now.
 *
 * Rule 4.3; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * A pick takes tasks in rank order until nothing is free. Its outcome changes little from step to step, so it is not
 * started from nothing: the front of each queue is moved until the fronts together are again what the rule takes. They
 * are if the last task taken ranks before the next one not taken.
 *
 * A key is the priority with its sign turned: the task with the least key is taken first. Ties go to the competitor
 * listed first, which is that of the lower project id.
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulation/sliced_pick.h"

#include "simulation/sliced_slot.h"

/* ---- Use ---- */

/* Puts a competitor on the list of those whose use may have changed. */
static void touch(vcs_general *g, uint32_t c) {
    if (!g->offers[c].touched) {
        g->offers[c].touched = true;
        g->touched[g->touched_count++] = c;
    }
}

static void use(vcs_general *g, uint32_t c, const vcs_sliced_use *task) {
    vcs_sliced_offer *offer = &g->offers[c];
    offer->running++;
    offer->units += task->units;
    offer->cpu_units += task->cpu_units;
    g->sim.resources[g->sim.competitors[c].resource].free -= task->units;
    touch(g, c);
}

void vcs_general_release(vcs_general *g, uint32_t c, const vcs_sliced_use *task) {
    vcs_sliced_offer *offer = &g->offers[c];
    offer->running--;
    offer->units -= task->units;
    offer->cpu_units -= task->cpu_units;
    g->sim.resources[g->sim.competitors[c].resource].free += task->units;
    touch(g, c);
}

/* The front of a queue grows by one task, or shrinks. */
static void grow(vcs_general *g, uint32_t queue) {
    use(g, g->queues[queue].competitor, &g->slot_uses[vcs_front_grow(g, queue)]);
}

static void shrink(vcs_general *g, uint32_t queue) {
    vcs_general_release(g, g->queues[queue].competitor, &g->slot_uses[vcs_front_shrink(g, queue)]);
}

/* ---- The next and the last task of a competitor ---- */

static bool arrives_before(const vcs_general *g, uint32_t slot, uint32_t other) {
    return g->slot_uses[slot].arrival < g->slot_uses[other].arrival;
}

/* The queue from which its next task comes, the first to arrive; VCS_NONE if none may come. */
static uint32_t next_queue(const vcs_general *g, const vcs_sliced_offer *offer) {
    uint32_t found = VCS_NONE;
    if (offer->running >= offer->limit) {
        return VCS_NONE;
    }
    for (uint32_t q = offer->first_queue; q < offer->end_queue; q++) {
        const vcs_sliced_queue *queue = &g->queues[q];
        if (queue->next != VCS_NONE && queue->running < queue->limit &&
            (found == VCS_NONE || arrives_before(g, queue->next, g->queues[found].next))) {
            found = q;
        }
    }
    return found;
}

/* The queue whose front ends with its last task; VCS_NONE if none of it runs. */
static uint32_t last_queue(const vcs_general *g, const vcs_sliced_offer *offer) {
    uint32_t found = VCS_NONE;
    for (uint32_t q = offer->first_queue; q < offer->end_queue; q++) {
        const vcs_sliced_queue *queue = &g->queues[q];
        if (queue->last != VCS_NONE && (found == VCS_NONE || arrives_before(g, g->queues[found].last, queue->last))) {
            found = q;
        }
    }
    return found;
}

/* ---- Keys ---- */

/* The load of a competitor's project at this point of the pick, with this much picked for the resource at hand. */
static double load_of(const vcs_general *g, const vcs_sliced_competitor *competitor, int64_t units, int64_t cpu_units) {
    const vcs_sliced_demand *demands = &g->sim.demands[vcs_sliced_index(&g->sim, competitor->project, 0)];
    int64_t cpus = competitor->resource == 0 ? units : cpu_units;
    for (uint32_t r = competitor->resource + 1; r < g->sim.resource_count; r++) {
        cpus += demands[r].competitor == VCS_NONE ? 0 : g->offers[demands[r].competitor].cpu_units;
    }
    if (g->sim.local) {
        return vcs_instances(competitor->resource == 0 ? cpus : units);
    }
    double load = (double)cpus;
    for (uint32_t r = competitor->resource == 0 ? 1 : competitor->resource; r < g->sim.resource_count; r++) {
        if (r == competitor->resource) {
            load += (double)units * g->sim.resources[r].speed;
        } else if (demands[r].competitor != VCS_NONE) {
            load += (double)g->offers[demands[r].competitor].units * g->sim.resources[r].speed;
        }
    }
    return load / (double)VCS_ONE;
}

static double key_of(const vcs_general *g, const vcs_sliced_competitor *competitor, double rec, int64_t units,
                     int64_t cpu_units) {
    const vcs_priority_sums *sums = &g->sim.resources[competitor->resource].sums;
    const double x = rec + load_of(g, competitor, units, cpu_units) * sums->load_coefficient;
    return -vcs_priority_of_fraction(x, sums->rec, competitor->fraction);
}

/* The keys of a competitor's last and next task, by what runs of it now. */
static void set_keys(vcs_general *g, uint32_t c) {
    const vcs_sliced_competitor *competitor = &g->sim.competitors[c];
    vcs_sliced_offer *offer = &g->offers[c];
    const double rec = vcs_sliced_rec(&g->sim, &g->sim.accounts[competitor->account]);
    const uint32_t last = last_queue(g, offer);
    offer->next_key = key_of(g, competitor, rec, offer->units, offer->cpu_units);
    offer->last_key = -VCS_INFINITY;
    if (last != VCS_NONE) {
        const vcs_sliced_use *task = &g->slot_uses[g->queues[last].last];
        offer->last_key = key_of(g, competitor, rec, offer->units - task->units, offer->cpu_units - task->cpu_units);
    }
}

/* Whether a task with this key of competitor a is taken before one with that key of competitor b. */
static bool is_before(const vcs_general *g, uint32_t a, double key_a, uint32_t b, double key_b) {
    if (g->sim.competitors[a].group != g->sim.competitors[b].group) {
        return g->sim.competitors[a].group < g->sim.competitors[b].group;
    }
    return key_a != key_b ? key_a < key_b : a < b;
}

/* The competitor whose last task was taken last; VCS_NONE if nothing runs. */
static uint32_t find_last(const vcs_general *g, const vcs_sliced_resource *resource) {
    uint32_t found = VCS_NONE;
    for (uint32_t c = resource->first; c < resource->end; c++) {
        if (last_queue(g, &g->offers[c]) != VCS_NONE &&
            (found == VCS_NONE || is_before(g, found, g->offers[found].last_key, c, g->offers[c].last_key))) {
            found = c;
        }
    }
    return found;
}

/* The competitor whose next task would be taken next; VCS_NONE if none waits. */
static uint32_t find_next(const vcs_general *g, const vcs_sliced_resource *resource) {
    uint32_t found = VCS_NONE;
    for (uint32_t c = resource->first; c < resource->end; c++) {
        if (next_queue(g, &g->offers[c]) != VCS_NONE &&
            (found == VCS_NONE || is_before(g, c, g->offers[c].next_key, found, g->offers[found].next_key))) {
            found = c;
        }
    }
    return found;
}

/* ---- Limits on concurrent tasks ---- */

/* How many tasks may run of each project and application, less those that the pick has on resources before this. */
static void set_limits(vcs_general *g, uint32_t r) {
    const vcs_state *state = g->sim.state;
    for (uint32_t c = g->sim.resources[r].first; c < g->sim.resources[r].end; c++) {
        vcs_sliced_offer *offer = &g->offers[c];
        const uint32_t project = g->sim.competitors[c].project;
        const vcs_sliced_demand *demands = &g->sim.demands[vcs_sliced_index(&g->sim, project, 0)];
        const uint32_t limit = vcs_projects(state)[project].max_concurrent;
        offer->limit = limit == 0 ? UINT32_MAX : limit;
        for (uint32_t before = r + 1; before < g->sim.resource_count && limit != 0; before++) {
            const uint32_t competitor = demands[before].competitor;
            offer->limit -= competitor == VCS_NONE ? 0 : g->offers[competitor].running;
        }
        for (uint32_t q = offer->first_queue; q < offer->end_queue; q++) {
            vcs_sliced_queue *queue = &g->queues[q];
            if (queue->app != VCS_NONE) {
                queue->limit = vcs_apps(state)[queue->app].max_concurrent - g->app_running[queue->app];
            }
        }
    }
}

/* Takes back what the limits no longer allow, and what runs although an earlier task of the project may. */
static void obey_limits(vcs_general *g, const vcs_sliced_resource *resource) {
    for (uint32_t c = resource->first; c < resource->end; c++) {
        const vcs_sliced_offer *offer = &g->offers[c];
        for (uint32_t q = offer->first_queue; q < offer->end_queue; q++) {
            while (g->queues[q].running > g->queues[q].limit) {
                shrink(g, q);
            }
        }
        while (offer->running > offer->limit) {
            shrink(g, last_queue(g, offer));
        }
        while (offer->end_queue - offer->first_queue > 1 && offer->running > 0) {
            /* With one task fewer, is the next in line the one that was just taken back? */
            const uint32_t last = last_queue(g, offer);
            shrink(g, last);
            const uint32_t next = next_queue(g, offer);
            grow(g, next);
            if (next == last) {
                break;
            }
        }
    }
}

/* The tasks of an application that the pick has on a resource count against its limit on those that follow. */
static void count_apps(vcs_general *g, const vcs_sliced_resource *resource) {
    for (uint32_t c = resource->first; c < resource->end; c++) {
        for (uint32_t q = g->offers[c].first_queue; q < g->offers[c].end_queue; q++) {
            if (g->queues[q].app != VCS_NONE) {
                g->app_running[g->queues[q].app] += g->queues[q].running + g->queues[q].backfills;
            }
        }
    }
}

/* ---- Fronts: up to the first task that does not fit ---- */

static bool fits(const vcs_general *g, int64_t units, int64_t free) {
    return free >= VCS_LEAST_FREE && (g->overcommit || units < free + VCS_ONE);
}

static void settle_fronts(vcs_general *g, const vcs_sliced_resource *resource) {
    for (;;) {
        const uint32_t out = find_last(g, resource), in = find_next(g, resource);
        if (out != VCS_NONE) {
            const uint32_t queue = last_queue(g, &g->offers[out]);
            const int64_t units = g->slot_uses[g->queues[queue].last].units;
            if (!fits(g, units, resource->free + units) ||
                (in != VCS_NONE && is_before(g, in, g->offers[in].next_key, out, g->offers[out].last_key))) {
                shrink(g, queue);
                set_keys(g, out);
                continue;
            }
        }
        if (in == VCS_NONE) {
            return;
        }
        const uint32_t queue = next_queue(g, &g->offers[in]);
        if (!fits(g, g->slot_uses[g->queues[queue].next].units, resource->free)) {
            return;
        }
        grow(g, queue);
        set_keys(g, in);
    }
}

/* ---- Backfills: what runs beyond the first task that did not fit ---- */

static void drop_backfills(vcs_general *g, uint32_t r) {
    vcs_sliced_backfills *backfills = &g->backfills_of[r];
    for (uint32_t i = 0; i < backfills->count; i++) {
        const vcs_sliced_backfill backfill = backfills->list[i];
        vcs_sliced_queue *queue = &g->queues[backfill.queue];
        if (vcs_slot_runs(queue, backfill.slot)) {
            vcs_slot_stop(g, backfill.queue, backfill.slot);
            vcs_general_release(g, queue->competitor, &g->slot_uses[backfill.slot]);
        }
        queue->backfills = 0;
    }
    backfills->count = 0;
}

/* The sets of instances that limit a pick: all of them, and those to which projects with tasks are confined. */
static void find_sets(vcs_general *g, const vcs_sliced_resource *resource, bool excludes) {
    vcs_instance_sets_begin(&g->sets, g->set_maps, g->set_free, resource->instances, resource->free);
    for (uint32_t c = resource->first; excludes && c < resource->end; c++) {
        vcs_instance_sets_confine(&g->sets, g->offers[c].allowed);
    }
}

/* Everyone may have something to offer behind the front of each queue. */
static void open_offers(vcs_general *g, const vcs_sliced_resource *resource) {
    for (uint32_t c = resource->first; c < resource->end; c++) {
        g->offers[c].closed = false;
        for (uint32_t q = g->offers[c].first_queue; q < g->offers[c].end_queue; q++) {
            g->queues[q].cursor = g->queues[q].next;
        }
    }
}

/* The competitor that ranks first among those that may still have something to offer; VCS_NONE if none is left. */
static uint32_t find_open(const vcs_general *g, const vcs_sliced_resource *resource) {
    uint32_t found = VCS_NONE;
    for (uint32_t c = resource->first; c < resource->end; c++) {
        if (!g->offers[c].closed &&
            (found == VCS_NONE || is_before(g, c, g->offers[c].next_key, found, g->offers[found].next_key))) {
            found = c;
        }
    }
    return found;
}

/* The queue with the first task of a competitor that fits into `free`; its cursor is set to the slot. */
static uint32_t find_fitting(vcs_general *g, const vcs_sliced_offer *offer, int64_t free) {
    uint32_t found = VCS_NONE;
    if (offer->running >= offer->limit || free < VCS_LEAST_FREE) {
        return VCS_NONE;
    }
    for (uint32_t q = offer->first_queue; q < offer->end_queue; q++) {
        vcs_sliced_queue *queue = &g->queues[q];
        if (queue->cursor == VCS_NONE || queue->running + queue->backfills >= queue->limit) {
            continue;
        }
        const int64_t bound = g->overcommit ? VCS_TREE_EMPTY : free + VCS_ONE;
        const uint32_t leaf =
            vcs_tree_first_below(queue->uses, queue->width, vcs_slot_leaf(queue, queue->cursor), bound);
        queue->cursor = leaf == VCS_NONE ? VCS_NONE : queue->first_slot + leaf;
        if (queue->cursor != VCS_NONE &&
            (found == VCS_NONE || arrives_before(g, queue->cursor, g->queues[found].cursor))) {
            found = q;
        }
    }
    return found;
}

/* The task at the cursor of a queue runs. */
static void add_backfill(vcs_general *g, uint32_t r, uint32_t queue_index) {
    vcs_sliced_queue *queue = &g->queues[queue_index];
    const vcs_sliced_use *task = &g->slot_uses[queue->cursor];
    vcs_sliced_backfills *backfills = &g->backfills_of[r];
    backfills->list[backfills->count++] = (vcs_sliced_backfill){queue_index, queue->cursor};
    vcs_slot_start(g, queue_index, queue->cursor);
    use(g, queue->competitor, task);
    vcs_instance_sets_use(&g->sets, g->offers[queue->competitor].allowed, task->units);
    queue->backfills++;
    queue->cursor = g->slots[queue->cursor].next;
}

/* Takes single tasks, each the next that fits, until nothing is free or nobody has one. */
static void add_backfills(vcs_general *g, uint32_t r, bool excludes) {
    const vcs_sliced_resource *resource = &g->sim.resources[r];
    find_sets(g, resource, excludes);
    open_offers(g, resource);
    while (resource->free >= VCS_LEAST_FREE) {
        const uint32_t c = find_open(g, resource);
        if (c == VCS_NONE) {
            return;
        }
        vcs_sliced_offer *offer = &g->offers[c];
        const uint32_t queue = find_fitting(g, offer, vcs_instance_sets_free(&g->sets, offer->allowed));
        if (queue == VCS_NONE) {
            offer->closed = true;
            continue;
        }
        add_backfill(g, r, queue);
        set_keys(g, c);
    }
}

/* ---- The pick ---- */

/* The CPU has less to give by what the GPU tasks of the pick use of it. */
static void book_cpus_of_gpu_tasks(vcs_general *g) {
    int64_t used = 0;
    for (uint32_t c = 0; c < g->sim.competitor_count; c++) {
        used += g->offers[c].cpu_units + (g->sim.competitors[c].resource == 0 ? g->offers[c].units : 0);
    }
    g->sim.resources[0].free = g->sim.resources[0].capacity - used;
}

/* With exclusions the first task that does not fit into its set holds up nobody else: all that runs are backfills. */
static void pick_for(vcs_general *g, uint32_t r) {
    const vcs_sliced_resource *resource = &g->sim.resources[r];
    const bool excludes = vcs_resources(g->sim.state)[r].excludes != 0;
    drop_backfills(g, r);
    if (r == 0) {
        book_cpus_of_gpu_tasks(g);
    }
    set_limits(g, r);
    if (!excludes) {
        obey_limits(g, resource);
    }
    for (uint32_t c = resource->first; c < resource->end; c++) {
        set_keys(g, c);
    }
    if (!excludes) {
        settle_fronts(g, resource);
    }
    add_backfills(g, r, excludes);
    count_apps(g, resource);
}

void vcs_general_pick(vcs_general *g) {
    for (uint32_t app = 0; app < g->sim.state->app_count; app++) {
        g->app_running[app] = 0;
    }
    for (uint32_t r = g->sim.resource_count; r-- > 0;) {
        pick_for(g, r);
    }
}
