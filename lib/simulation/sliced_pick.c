/* SPDX-License-Identifier: MIT */
#include "accounts/priority_sums.h"
#include "simulation/sliced.h"

/*
 * A pick takes tasks in rank order until nothing is free. Its outcome changes little from step to step, so it is not
 * built anew: the front of each queue is moved until the set of fronts is again the one that the rule takes. It is if
 * the last task taken ranks before the next one not taken.
 *
 * A key is the priority with its sign turned: the task with the least key is taken first. Ties go to the competitor
 * listed first, which is that of the lower project id.
 */

/* ---- Use ---- */

/* Puts a competitor on the list of those whose use may have changed. */
static void touch(vcs_sliced *sim, uint32_t competitor) {
    if (!sim->competitors[competitor].touched) {
        sim->competitors[competitor].touched = 1;
        sim->touched[sim->touched_count++] = competitor;
    }
}

static void use(vcs_sliced *sim, uint32_t index, const vcs_slot_task *slot) {
    vcs_competitor *competitor = &sim->competitors[index];
    competitor->jobs++;
    competitor->units += slot->use;
    competitor->cpu_units += slot->cpu_use;
    sim->pools[competitor->resource].free -= slot->use;
    touch(sim, index);
}

void vcs_release(vcs_sliced *sim, uint32_t index, const vcs_slot_task *slot) {
    vcs_competitor *competitor = &sim->competitors[index];
    competitor->jobs--;
    competitor->units -= slot->use;
    competitor->cpu_units -= slot->cpu_use;
    sim->pools[competitor->resource].free += slot->use;
    touch(sim, index);
}

/* ---- Fronts ---- */

/* The front of a queue grows by one task, or shrinks. */
static void grow(vcs_sliced *sim, uint32_t queue) {
    use(sim, sim->queues[queue].competitor, &sim->tasks[vcs_front_run(sim, queue)]);
}

static void shrink(vcs_sliced *sim, uint32_t queue) {
    vcs_release(sim, sim->queues[queue].competitor, &sim->tasks[vcs_front_pause(sim, queue)]);
}

/* The load of a competitor's project at this point of the pick, with this much picked for the resource at hand. */
static double load_of(const vcs_sliced *sim, const vcs_competitor *competitor, int64_t units, int64_t cpu_units) {
    const vcs_usage *usages = &sim->usages[(size_t)competitor->project * sim->resource_count];
    int64_t cpus = competitor->resource == 0 ? units : cpu_units;
    for (uint32_t r = competitor->resource + 1; r < sim->resource_count; r++) {
        cpus += usages[r].competitor == VCS_NONE ? 0 : sim->competitors[usages[r].competitor].cpu_units;
    }
    if (sim->local) {
        return vcs_instances(competitor->resource == 0 ? cpus : units);
    }
    double load = (double)cpus;
    for (uint32_t r = competitor->resource == 0 ? 1 : competitor->resource; r < sim->resource_count; r++) {
        if (r == competitor->resource) {
            load += (double)units * sim->pools[r].speed;
        } else if (usages[r].competitor != VCS_NONE) {
            load += (double)sim->competitors[usages[r].competitor].units * sim->pools[r].speed;
        }
    }
    return load / (double)VCS_ONE;
}

/* The queue from which a competitor's next task comes, the first to arrive; VCS_NONE if there is none to come. */
static uint32_t next_queue(const vcs_sliced *sim, const vcs_competitor *competitor) {
    uint32_t found = VCS_NONE;
    if (competitor->jobs >= competitor->job_limit) {
        return VCS_NONE;
    }
    for (uint32_t q = competitor->first_queue; q < competitor->first_queue + competitor->queue_count; q++) {
        const vcs_queue *queue = &sim->queues[q];
        if (queue->fresh != VCS_NONE && queue->running < queue->limit &&
            (found == VCS_NONE || sim->tasks[queue->fresh].arrival < sim->tasks[sim->queues[found].fresh].arrival)) {
            found = q;
        }
    }
    return found;
}

/* The queue whose front ends with the competitor's last task; VCS_NONE if nothing of it runs. */
static uint32_t last_queue(const vcs_sliced *sim, const vcs_competitor *competitor) {
    uint32_t found = VCS_NONE;
    for (uint32_t q = competitor->first_queue; q < competitor->first_queue + competitor->queue_count; q++) {
        const vcs_queue *queue = &sim->queues[q];
        if (queue->last != VCS_NONE &&
            (found == VCS_NONE || sim->tasks[queue->last].arrival > sim->tasks[sim->queues[found].last].arrival)) {
            found = q;
        }
    }
    return found;
}

static double general_key(const vcs_sliced *sim, const vcs_competitor *competitor, double rec, int64_t units,
                          int64_t cpu_units) {
    double x = rec + load_of(sim, competitor, units, cpu_units) * competitor->load_coefficient;
    return -vcs_priority_of_fraction(x, competitor->rec_sum, competitor->fraction);
}

/* The keys of a competitor's last and next task, by what runs of it now. */
static void set_keys(vcs_sliced *sim, uint32_t c) {
    const vcs_competitor *competitor = &sim->competitors[c];
    const double rec = vcs_account_now(sim, &sim->accounts[competitor->account]);
    const uint32_t last = last_queue(sim, competitor);
    sim->next_key[c] = general_key(sim, competitor, rec, competitor->units, competitor->cpu_units);
    sim->last_key[c] = -VCS_INFINITY;
    if (last != VCS_NONE) {
        const vcs_slot_task *slot = &sim->tasks[sim->queues[last].last];
        sim->last_key[c] =
            general_key(sim, competitor, rec, competitor->units - slot->use, competitor->cpu_units - slot->cpu_use);
    }
}

/* Whether a task with this key of competitor a is taken before one with that key of competitor b. */
static int is_before(const vcs_sliced *sim, uint32_t a, double key_a, uint32_t b, double key_b) {
    if (sim->competitors[a].group != sim->competitors[b].group) {
        return sim->competitors[a].group < sim->competitors[b].group;
    }
    return key_a != key_b ? key_a < key_b : a < b;
}

/* The competitor whose last task was taken last; VCS_NONE if nothing runs. */
static uint32_t find_last(const vcs_sliced *sim, const vcs_pool *pool) {
    uint32_t found = VCS_NONE;
    for (uint32_t c = pool->first_competitor; c < pool->first_competitor + pool->competitor_count; c++) {
        if (last_queue(sim, &sim->competitors[c]) != VCS_NONE &&
            (found == VCS_NONE || is_before(sim, found, sim->last_key[found], c, sim->last_key[c]))) {
            found = c;
        }
    }
    return found;
}

/* The competitor whose next task would be taken next; VCS_NONE if none waits. */
static uint32_t find_next(const vcs_sliced *sim, const vcs_pool *pool) {
    uint32_t found = VCS_NONE;
    for (uint32_t c = pool->first_competitor; c < pool->first_competitor + pool->competitor_count; c++) {
        if (next_queue(sim, &sim->competitors[c]) != VCS_NONE &&
            (found == VCS_NONE || is_before(sim, c, sim->next_key[c], found, sim->next_key[found]))) {
            found = c;
        }
    }
    return found;
}

/* How many tasks may run of each project and application, less those that the pick has on resources before this. */
static void set_limits(vcs_sliced *sim, uint32_t resource) {
    const vcs_pool *pool = &sim->pools[resource];
    for (uint32_t c = pool->first_competitor; c < pool->first_competitor + pool->competitor_count; c++) {
        vcs_competitor *competitor = &sim->competitors[c];
        const uint32_t limit = vcs_projects(sim->state)[competitor->project].max_concurrent;
        const vcs_usage *usages = &sim->usages[(size_t)competitor->project * sim->resource_count];
        competitor->job_limit = limit == 0 ? UINT32_MAX : limit;
        for (uint32_t r = resource + 1; r < sim->resource_count && limit != 0; r++) {
            competitor->job_limit -= usages[r].competitor == VCS_NONE ? 0 : sim->competitors[usages[r].competitor].jobs;
        }
        for (uint32_t q = competitor->first_queue; q < competitor->first_queue + competitor->queue_count; q++) {
            vcs_queue *queue = &sim->queues[q];
            queue->limit = queue->app == VCS_NONE
                               ? UINT32_MAX
                               : vcs_apps(sim->state)[queue->app].max_concurrent - sim->app_jobs[queue->app];
        }
    }
}

/* Takes back what the limits no longer allow, and what runs although an earlier task of the project may. */
static void obey_limits(vcs_sliced *sim, const vcs_pool *pool) {
    for (uint32_t c = pool->first_competitor; c < pool->first_competitor + pool->competitor_count; c++) {
        vcs_competitor *competitor = &sim->competitors[c];
        for (uint32_t q = competitor->first_queue; q < competitor->first_queue + competitor->queue_count; q++) {
            while (sim->queues[q].running > sim->queues[q].limit) {
                shrink(sim, q);
            }
        }
        while (competitor->jobs > competitor->job_limit) {
            shrink(sim, last_queue(sim, competitor));
        }
        while (competitor->queue_count > 1 && competitor->jobs > 0) {
            /* With one task fewer, is the next in line the one that was just taken back? */
            uint32_t last = last_queue(sim, competitor);
            shrink(sim, last);
            uint32_t next = next_queue(sim, competitor);
            grow(sim, next);
            if (next == last) {
                break;
            }
        }
    }
}

static int fits(const vcs_sliced *sim, int64_t use, int64_t free) {
    return free >= VCS_LEAST_FREE && (sim->overcommit || use < free + VCS_ONE);
}

/* Whether the last task was rightly taken: something was free before it, and it fitted. */
static int was_taken_rightly(const vcs_sliced *sim, const vcs_pool *pool, const vcs_slot_task *slot) {
    return fits(sim, slot->use, pool->free + slot->use);
}

/* Moves the fronts until they hold what the rule takes up to the first task that does not fit. */
static void settle_fronts(vcs_sliced *sim, const vcs_pool *pool) {
    for (uint32_t c = pool->first_competitor; c < pool->first_competitor + pool->competitor_count; c++) {
        set_keys(sim, c);
    }
    for (;;) {
        uint32_t out = find_last(sim, pool), in = find_next(sim, pool);
        if (out != VCS_NONE) {
            uint32_t queue = last_queue(sim, &sim->competitors[out]);
            if (!was_taken_rightly(sim, pool, &sim->tasks[sim->queues[queue].last]) ||
                (in != VCS_NONE && is_before(sim, in, sim->next_key[in], out, sim->last_key[out]))) {
                shrink(sim, queue);
                set_keys(sim, out);
                continue;
            }
        }
        if (in == VCS_NONE) {
            return;
        }
        uint32_t queue = next_queue(sim, &sim->competitors[in]);
        if (!fits(sim, sim->tasks[sim->queues[queue].fresh].use, pool->free)) {
            return;
        }
        grow(sim, queue);
        set_keys(sim, in);
    }
}

/* ---- Fillers: what runs beyond the first task that did not fit ---- */

/* The sets of instances that limit a pick: all of them, and those to which projects with tasks are confined. */
static void find_sets(vcs_sliced *sim, const vcs_pool *pool) {
    vcs_instance_sets_begin(&sim->sets, sim->set_maps, sim->set_room, pool->instances, pool->free);
    for (uint32_t c = pool->first_competitor; pool->excludes && c < pool->first_competitor + pool->competitor_count;
         c++) {
        vcs_instance_sets_confine(&sim->sets, sim->competitors[c].allowed);
    }
}

/* The queue with the first task of a competitor that fits into `free`; its cursor is set to the slot. */
static uint32_t fitting_queue(vcs_sliced *sim, const vcs_competitor *competitor, int64_t free) {
    uint32_t found = VCS_NONE;
    if (competitor->jobs >= competitor->job_limit || free < VCS_LEAST_FREE) {
        return VCS_NONE;
    }
    for (uint32_t q = competitor->first_queue; q < competitor->first_queue + competitor->queue_count; q++) {
        vcs_queue *queue = &sim->queues[q];
        if (queue->cursor == VCS_NONE || queue->running + queue->backfills >= queue->limit) {
            continue;
        }
        const int64_t bound = sim->overcommit ? VCS_TREE_EMPTY : free + VCS_ONE;
        uint32_t leaf = vcs_tree_first_below(queue->uses, queue->width, vcs_leaf(queue, queue->cursor), bound);
        queue->cursor = leaf == UINT32_MAX ? VCS_NONE : queue->first_slot + leaf;
        if (queue->cursor != VCS_NONE &&
            (found == VCS_NONE || sim->tasks[queue->cursor].arrival < sim->tasks[sim->queues[found].cursor].arrival)) {
            found = q;
        }
    }
    return found;
}

/* The competitor that ranks first among those that may still have something to offer; VCS_NONE if none is left. */
static uint32_t find_open(const vcs_sliced *sim, const vcs_pool *pool) {
    uint32_t found = VCS_NONE;
    for (uint32_t c = pool->first_competitor; c < pool->first_competitor + pool->competitor_count; c++) {
        if (!sim->competitors[c].closed &&
            (found == VCS_NONE || is_before(sim, c, sim->next_key[c], found, sim->next_key[found]))) {
            found = c;
        }
    }
    return found;
}

static void add_backfill(vcs_sliced *sim, uint32_t resource, uint32_t queue_index) {
    vcs_pool *pool = &sim->pools[resource];
    vcs_queue *queue = &sim->queues[queue_index];
    vcs_backfill *backfill = &sim->backfills[sim->backfill_start[resource] + pool->backfill_count++];
    backfill->queue = queue_index;
    backfill->slot = queue->cursor;
    vcs_slot_run(sim, queue_index, queue->cursor);
    use(sim, queue->competitor, &sim->tasks[queue->cursor]);
    queue->backfills++;
    queue->cursor = sim->slots[queue->cursor].next;
}

/* Takes single tasks, each the next that fits, until nothing is free or nobody has one. */
static void add_backfills(vcs_sliced *sim, uint32_t resource) {
    vcs_pool *pool = &sim->pools[resource];
    find_sets(sim, pool);
    for (uint32_t c = pool->first_competitor; c < pool->first_competitor + pool->competitor_count; c++) {
        vcs_competitor *competitor = &sim->competitors[c];
        competitor->closed = 0;
        for (uint32_t q = competitor->first_queue; q < competitor->first_queue + competitor->queue_count; q++) {
            sim->queues[q].cursor = sim->queues[q].fresh;
        }
    }
    while (pool->free >= VCS_LEAST_FREE) {
        uint32_t c = find_open(sim, pool);
        if (c == VCS_NONE) {
            return;
        }
        vcs_competitor *competitor = &sim->competitors[c];
        uint32_t queue = fitting_queue(sim, competitor, vcs_instance_sets_free(&sim->sets, competitor->allowed));
        if (queue == VCS_NONE) {
            competitor->closed = 1;
            continue;
        }
        vcs_instance_sets_use(&sim->sets, competitor->allowed, sim->tasks[sim->queues[queue].cursor].use);
        add_backfill(sim, resource, queue);
        set_keys(sim, c);
    }
}

static void drop_backfills(vcs_sliced *sim, uint32_t resource) {
    vcs_pool *pool = &sim->pools[resource];
    for (uint32_t i = 0; i < pool->backfill_count; i++) {
        const vcs_backfill *backfill = &sim->backfills[sim->backfill_start[resource] + i];
        vcs_queue *queue = &sim->queues[backfill->queue];
        if (vcs_slot_runs(queue, backfill->slot)) {
            vcs_slot_pause(sim, backfill->queue, backfill->slot);
            vcs_release(sim, queue->competitor, &sim->tasks[backfill->slot]);
        }
        queue->backfills = 0;
    }
    pool->backfill_count = 0;
}

/* Tasks of each application that the present pick has on a resource count against its limit on those that follow. */
static void count_apps(vcs_sliced *sim, const vcs_pool *pool) {
    for (uint32_t c = pool->first_competitor; c < pool->first_competitor + pool->competitor_count; c++) {
        const vcs_competitor *competitor = &sim->competitors[c];
        for (uint32_t q = competitor->first_queue; q < competitor->first_queue + competitor->queue_count; q++) {
            if (sim->queues[q].app != VCS_NONE) {
                sim->app_jobs[sim->queues[q].app] += sim->queues[q].running + sim->queues[q].backfills;
            }
        }
    }
}

/* The CPU has less to give by what the GPU tasks of the pick use of it. */
static void book_cpu_shares(vcs_sliced *sim) {
    int64_t used = 0;
    for (uint32_t c = 0; c < sim->competitor_count; c++) {
        used += sim->competitors[c].cpu_units + (sim->competitors[c].resource == 0 ? sim->competitors[c].units : 0);
    }
    sim->pools[0].free = sim->pools[0].capacity - used;
}

void vcs_sliced_pick(vcs_sliced *sim) {
    for (uint32_t app = 0; app < sim->state->app_count; app++) {
        sim->app_jobs[app] = 0;
    }
    for (uint32_t r = sim->resource_count; r-- > 0;) {
        vcs_pool *pool = &sim->pools[r];
        drop_backfills(sim, r);
        if (r == 0) {
            book_cpu_shares(sim);
        }
        set_limits(sim, r);
        if (pool->excludes) {
            for (uint32_t c = pool->first_competitor; c < pool->first_competitor + pool->competitor_count; c++) {
                set_keys(sim, c);
            }
        } else {
            obey_limits(sim, pool);
            settle_fronts(sim, pool);
        }
        add_backfills(sim, r);
        count_apps(sim, pool);
    }
}
