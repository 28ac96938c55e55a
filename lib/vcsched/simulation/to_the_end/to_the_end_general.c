/*
 * The sliced simulation without turns (keep_running), from the first pick to the last finish.
 *
 * Rules 4.3, 4.7 and 15.4; the plain reference is tests/oracle/oracle_sliced.c.
 *
 *   to_the_end_queues.c   lays out the tasks, lets them wait and run
 *
 * What runs goes on to its end, so nothing changes until a task finishes, and a step leads from finish to finish. Then
 * tasks start by deadline, as schedule/to_the_end.c chooses them: GPU types from the last to the first, then the CPU.
 * Only in the first pick may a task that runs have to stop, where not all fit any more.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/to_the_end/to_the_end_general.h"

#include "vcsched/core/invariant.h"
#include "vcsched/simulation/running_order.h"
#include "vcsched/simulation/slice.h"
#include "vcsched/simulation/sliced/class_limits.h"
#include "vcsched/simulation/sliced/sliced_time.h"
#include "vcsched/simulation/to_the_end/to_the_end_queues.h"

#include <string.h>

static const vcs_prepared_task *task_of(const vcs_to_the_end *e, uint32_t rank) {
    return &vcs_prepared_tasks(e->g.sim.state)[e->order[rank]];
}

static vcs_task_class *class_of(const vcs_to_the_end *e, uint32_t rank) {
    return &e->g.classes[e->g.class_of[rank]];
}

/* ---- Tasks that run until now ---- */

/* In which turn they are asked to go on. */
enum { UNINTERRUPTIBLE, NEARLY_DONE, OTHERS, STAGES };

static uint32_t stage_of(const vcs_state *state, const vcs_prepared_task *task) {
    const bool is_nearly_done = task->run_time < vcs_micros(state->parameters.switch_cost);
    return vcs_must_go_on(task) ? UNINTERRUPTIBLE : is_nearly_done ? NEARLY_DONE : OTHERS;
}

/* Whether a task ran until now, and would fit alone. */
static bool may_go_on(const vcs_to_the_end *e, const vcs_prepared_task *task) {
    return task->can_start && vcs_runs_already(task) && vcs_task_fits_alone(e->g.sim.state, &e->g.all_cpus, task);
}

/* Lists the ranks of tasks of a stage behind `count` others, as the choice offers them. Returns the new count. */
static uint32_t list_stage(vcs_to_the_end *e, uint32_t stage, const uint32_t *rank_of, uint32_t count) {
    const vcs_state *state = e->g.sim.state;
    vcs_sort_item *items = (void *)e->offered; /* two for each task, and not in use yet */
    uint32_t found = 0;
    for (uint32_t rank = 0; rank < e->count; rank++) {
        if (may_go_on(e, task_of(e, rank)) && stage_of(state, task_of(e, rank)) == stage) {
            items[found++].index = e->order[rank];
        }
    }
    vcs_sort_running(state, items, found, stage == NEARLY_DONE);
    for (uint32_t r = state->resource_count; r-- > 0;) {
        for (uint32_t i = 0; i < found; i++) {
            const uint32_t resource = vcs_prepared_tasks(state)[items[i].index].resource;
            if (stage == NEARLY_DONE ? r == 0 : resource == r) {
                e->listed[count++] = rank_of[items[i].index];
            }
        }
    }
    return count;
}

/* Lists all of them. They hold their devices until they are asked. Returns their number. */
static uint32_t list_running(vcs_to_the_end *e) {
    uint32_t *const rank_of = e->offers; /* not in use yet */
    uint32_t running = 0, count = 0;
    for (uint32_t rank = 0; rank < e->count; rank++) {
        const vcs_prepared_task *task = task_of(e, rank);
        rank_of[e->order[rank]] = rank;
        running += may_go_on(e, task);
        if (task->resource != 0 && may_go_on(e, task)) {
            vcs_devices_hold(vcs_devices_of(e, task->resource), task->gpu_units,
                             vcs_task_records(e->g.sim.state)[e->order[rank]].devices, vcs_loss(task));
        }
    }
    for (uint32_t stage = 0; stage < STAGES && running > 0; stage++) {
        count = list_stage(e, stage, rank_of, count);
    }
    return count;
}

/* Whether a class has room under its limits and on its resource, on `devices` if these will do; else it sets them. */
static bool has_room(vcs_to_the_end *e, const vcs_task_class *class, uint64_t *devices) {
    const uint32_t r = vcs_resource_of_class(e, class);
    vcs_general *g = &e->g;
    if (!vcs_has_room(g, class)) {
        return false;
    }
    if (r == 0) {
        return vcs_cpu_task_fits(&g->cpus, class->units);
    }
    const uint64_t allowed = class->has_device_limit ? vcs_devices_within_limits(g, class) : class->allowed;
    g->sim.effort += vcs_devices_of(e, r)->count;
    return vcs_cpu_share_fits(&g->cpus, class->cpu_units) &&
           ((*devices != 0 && vcs_devices_suit(vcs_devices_of(e, r), class->units, allowed, *devices)) ||
            vcs_devices_find(vcs_devices_of(e, r), class->units, allowed, devices));
}

/* Lets a task go on that ran until now, on its devices if it can, or notes that it does not. */
static void go_on(vcs_to_the_end *e, uint32_t rank) {
    const vcs_prepared_task *task = task_of(e, rank);
    const vcs_task_class *class = class_of(e, rank);
    uint64_t devices = 0;
    if (task->resource != 0) {
        devices = vcs_task_records(e->g.sim.state)[e->order[rank]].devices;
        vcs_devices_let_go(vcs_devices_of(e, task->resource), task->gpu_units, devices);
    }
    const bool keeps_cpus = task->resource == 0 && vcs_must_go_on(task) && vcs_has_room(&e->g, class) &&
                            vcs_cpu_task_goes_on(&e->g.cpus, task->cpu_units);
    if (keeps_cpus || has_room(e, class, &devices)) {
        vcs_to_the_end_start(e, rank, devices);
    } else {
        e->listed[e->unable_count++] = rank;
    }
}

/* ---- Tasks that wait ---- */

/* Lets all classes offer their first tasks */
static void offer_first(vcs_to_the_end *e) {
    for (uint32_t k = 0; k < e->g.class_count; k++) {
        vcs_to_the_end_offer(e, k, VCS_FOREVER);
    }
    e->g.sim.effort += e->g.class_count;
}

/* All tasks wait but `count` listed ones. */
static void line_up(vcs_to_the_end *e, uint32_t count) {
    if (e->count == 0) {
        return;
    }
    vcs_tree_clear(e->offered, e->width);
    vcs_tree_clear(e->waiting, e->width);
    for (uint32_t rank = 0; rank < e->count; rank++) {
        e->waiting[e->width + e->seats[rank]] = task_of(e, rank)->run_time;
    }
    for (uint32_t i = 0; i < count; i++) {
        e->waiting[e->width + e->seats[e->listed[i]]] = VCS_TREE_EMPTY;
    }
    vcs_tree_build(e->waiting, e->width);
    for (uint32_t k = 0; k < e->g.class_count; k++) {
        e->offers[k] = VCS_NONE;
    }
    offer_first(e);
}

/* How long until enough of the tasks that run have ended for a wide task, which would fit alone. */
static int64_t room_in(vcs_to_the_end *e, int64_t units) {
    vcs_general *g = &e->g;
    vcs_cpus cpus = g->cpus;
    uint32_t cpu_tasks = e->cpu_tasks;
    for (uint32_t seat = vcs_to_the_end_first(e);; seat = vcs_search_next(&e->running, seat)) {
        VCS_INVARIANT(seat != VCS_NO_NODE); /* without all of them it is alone */
        const vcs_task_class *class = &g->classes[vcs_class_of_seat(e, seat)];
        const bool is_of_gpu = vcs_resource_of_class(e, class) != 0;
        cpu_tasks -= !is_of_gpu && class->units > 0;
        vcs_cpus_give_back(&cpus, &g->all_cpus, is_of_gpu ? class->cpu_units : class->units, cpu_tasks);
        g->sim.effort++;
        if (vcs_cpu_task_fits(&cpus, units)) {
            return e->finishes[seat] - g->sim.now;
        }
    }
}

/* An offer of more units does not fit. */
static int64_t most_to_find(const vcs_to_the_end *e, uint32_t r) {
    if (r == 0) {
        return e->g.cpus.largest;
    }
    const vcs_devices *devices = vcs_devices_of(e, r);
    int64_t most = -VCS_DEVICE_EXCESS;
    for (uint32_t i = 0; i < devices->count; i++) {
        most = vcs_max_i64(devices->free[i], most);
    }
    return most + VCS_DEVICE_EXCESS;
}

/* The task of a rank starts, and its class offers the next one that ends soon enough. */
static void start(vcs_to_the_end *e, uint32_t rank, uint64_t devices, int64_t longest) {
    vcs_tree_set(e->waiting, e->width, e->seats[rank], VCS_TREE_EMPTY);
    vcs_to_the_end_start(e, rank, devices);
    vcs_to_the_end_offer(e, e->g.class_of[rank], longest);
}

/*
 * Starts tasks by deadline. Once a wide task waits for room alone, only tasks that end before it has its place start
 * beside it, unless it would wait for longer than `hold`.
 */
static void pick_waiting(vcs_to_the_end *e, uint32_t r) {
    const vcs_parameters *parameters = &e->g.sim.state->parameters;
    const int64_t hold = vcs_micros(parameters->hold);
    const uint32_t end = e->first_rank[r + 1];
    bool may_hold = r == 0 && hold > 0 && parameters->cpu_fit != VCS_CPU_FIT_ANY;
    int64_t longest = VCS_FOREVER;
    for (uint32_t rank = e->first_rank[r]; rank < end;) {
        const int64_t most = may_hold ? VCS_TREE_EMPTY - 1 : most_to_find(e, r);
        rank = vcs_tree_first_below(e->offered, e->width, rank, most + 1);
        e->g.sim.effort++;
        if (rank >= end) {
            break;
        }
        const vcs_task_class *class = class_of(e, rank);
        uint64_t devices = 0;
        if (task_of(e, rank)->run_time > longest) {
            vcs_to_the_end_offer(e, e->g.class_of[rank], longest);
        } else if (has_room(e, class, &devices)) {
            start(e, rank, devices, longest);
        } else if (may_hold && class->units > VCS_ONE && vcs_has_room(&e->g, class) &&
                   vcs_cpu_task_fits(&e->g.all_cpus, class->units)) {
            const int64_t room = room_in(e, class->units);
            longest = room <= hold ? room : longest;
            may_hold = room > hold;
        }
        rank++;
    }
    if (longest < VCS_FOREVER) {
        offer_first(e);
    }
}

/* ---- Picks ---- */

static void pick(vcs_to_the_end *e) {
    for (uint32_t r = e->g.sim.resource_count; r-- > 0;) {
        pick_waiting(e, r);
    }
}

/* Tasks that could not go on wait for the next pick: their offer is over. */
static void pick_first(vcs_to_the_end *e) {
    const uint32_t running = list_running(e);
    line_up(e, running);
    for (uint32_t i = 0; i < running; i++) {
        go_on(e, e->listed[i]);
    }
    pick(e);
    for (uint32_t i = 0; i < e->unable_count; i++) {
        const uint32_t rank = e->listed[i];
        vcs_tree_set(e->waiting, e->width, e->seats[rank], task_of(e, rank)->run_time);
        vcs_to_the_end_offer(e, e->g.class_of[rank], VCS_FOREVER);
    }
}

/* ---- Use and idle instances ---- */

static void settle_projects(vcs_to_the_end *e) {
    vcs_general *g = &e->g;
    for (uint32_t i = 0; i < e->changed_count; i++) {
        const size_t first = vcs_sliced_index(&g->sim, g->changed[i], 0);
        g->is_changed[g->changed[i]] = false;
        for (uint32_t r = 0; r < g->sim.resource_count; r++) {
            if (g->sim.usages[first + r].used != g->used[first + r]) {
                vcs_sliced_set_used(&g->sim, &g->sim.usages[first + r], g->used[first + r]);
            }
        }
    }
    e->changed_count = 0;
}

/* Whether a limit per device alone keeps a class from running. */
static bool is_at_device_limit(vcs_to_the_end *e, const vcs_task_class *class, uint32_t r) {
    uint64_t found;
    return class->has_device_limit && vcs_devices_find(vcs_devices_of(e, r), class->units, class->allowed, &found) &&
           !vcs_devices_find(vcs_devices_of(e, r), class->units, vcs_devices_within_limits(&e->g, class), &found);
}

/* Notes the projects with waiting tasks that their limits would let run when a resource is first idle. */
static void note_waiting(vcs_to_the_end *e, uint32_t r) {
    vcs_general *g = &e->g;
    for (uint32_t k = 0; k < g->class_count; k++) {
        const vcs_task_class *class = &g->classes[k];
        vcs_project_resource_forecasts(g->sim.state)[class->usage].waits_for_fit |=
            vcs_resource_of_class(e, class) == r && e->offers[k] != VCS_NONE && vcs_has_room(g, class) &&
            !is_at_device_limit(e, class, r);
    }
}

static void settle_resources(vcs_to_the_end *e) {
    vcs_general *g = &e->g;
    for (uint32_t r = 0; r < g->sim.resource_count; r++) {
        vcs_sliced_resource *resource = &g->sim.resources[r];
        if (r == 0) {
            resource->free = g->cpus.free;
        } else if (resource->first != resource->end) {
            vcs_add_up_free(vcs_devices_of(e, r), resource);
        }
        resource->useless = resource->parts;
        if (vcs_sliced_settle(&g->sim, resource)) {
            note_waiting(e, r);
        }
    }
}

/* ---- Time ---- */

static void finish_due(vcs_to_the_end *e) {
    uint32_t seat;
    while ((seat = vcs_to_the_end_first(e)) != VCS_NO_NODE && e->finishes[seat] == e->g.sim.now) {
        vcs_to_the_end_finish(e, seat);
    }
}

static vcs_sliced_end_of_step settle(vcs_to_the_end *e) {
    settle_projects(e);
    settle_resources(e);
    if (e->g.sim.steps == 0) {
        vcs_general_note_first_pick(&e->g);
    }
    const uint32_t first = vcs_to_the_end_first(e);
    return vcs_sliced_step_to_finish(&e->g.sim, first == VCS_NO_NODE ? VCS_NEVER : e->finishes[first]);
}

void vcs_to_the_end_general(vcs_state *state, vcs_wrr_summary *summary) {
    vcs_to_the_end e;
    vcs_sliced_end_of_step end;
    vcs_to_the_end_open(&e, state);
    pick_first(&e);
    while ((end = settle(&e)) < VCS_SLICED_ALL_DONE) {
        finish_due(&e);
        pick(&e);
    }
    vcs_sliced_report(&e.g.sim, end == VCS_SLICED_STOPPED, summary);
}
