/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/to_the_end/to_the_end_queues.h"

#include "vcsched/core/compiler.h"
#include "vcsched/host/scratch.h"
#include "vcsched/simulation/sliced/class_limits.h"

#include <string.h>

/* ---- Memory ---- */

/* Inline, so that measuring is a few additions. */
VCS_INLINE void allocate(vcs_to_the_end *e, const vcs_counts *counts, vcs_arena *arena) {
    const uint32_t most = counts->tasks < UINT32_MAX / 2 ? (uint32_t)counts->tasks : UINT32_MAX / 2;
    vcs_classes_allocate(&e->g, counts, arena, 0);
    e->offered = (void *)e->g.tasks; /* twice as many as tasks are enough for a tree; classes do not list theirs */
    e->waiting = vcs_arena_allocate(arena, 2 * (uint64_t)vcs_tree_width(most), sizeof(int64_t));
    e->order = vcs_arena_allocate(arena, counts->tasks, sizeof(uint32_t));
    e->seats = vcs_arena_allocate(arena, counts->tasks, sizeof(uint32_t));
    e->ranks = vcs_arena_allocate(arena, counts->tasks, sizeof(uint32_t));
    e->first_rank = vcs_arena_allocate(arena, counts->resources + 1, sizeof(uint32_t));
    e->first_seat = vcs_arena_allocate(arena, counts->tasks + 1, sizeof(uint32_t));
    e->offers = vcs_arena_allocate(arena, counts->tasks, sizeof(uint32_t));
    e->running = (vcs_search_tree){.nodes = vcs_arena_allocate(arena, counts->tasks, sizeof(vcs_search_node))};
    e->finishes = vcs_arena_allocate(arena, counts->tasks, sizeof(int64_t));
    e->devices_of = vcs_arena_allocate(arena, counts->tasks, sizeof(uint64_t));
    e->devices = vcs_arena_allocate(arena, vcs_max_u64(counts->resources, 1) - 1, sizeof(vcs_devices));
    e->listed = vcs_arena_allocate(arena, counts->tasks, sizeof(uint32_t));
}

uint64_t vcs_to_the_end_scratch(const vcs_counts *counts) {
    vcs_to_the_end e;
    vcs_arena measure = {NULL, 0};
    allocate(&e, counts, &measure);
    return vcs_arena_size(&measure);
}

/* ---- The tasks in their orders ---- */

/* Ranks the tasks that take part: by resource, then by deadline. */
static void rank_tasks(vcs_to_the_end *e) {
    const vcs_state *state = e->g.sim.state;
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    const uint32_t *by_deadline = vcs_deadline_order(state);
    uint32_t *const next = e->first_rank + 1;
    memset(e->first_rank, 0, sizeof(uint32_t) * (state->resource_count + 1));
    for (uint32_t i = 0; i < state->task_count; i++) {
        if (tasks[i].takes_part && tasks[i].resource + 1 < state->resource_count) {
            next[tasks[i].resource + 1]++;
        }
    }
    for (uint32_t r = 1; r < state->resource_count; r++) {
        next[r] += next[r - 1];
    }
    for (uint32_t i = 0; i < state->task_count; i++) {
        const uint32_t task = by_deadline[i];
        if (tasks[task].takes_part) {
            e->order[next[tasks[task].resource]++] = task;
        }
    }
    e->count = e->first_rank[state->resource_count];
}

/* Seats them: by class, then by deadline. */
static void seat_tasks(vcs_to_the_end *e) {
    const vcs_prepared_task *tasks = vcs_prepared_tasks(e->g.sim.state);
    uint32_t *const next = e->offers; /* not in use yet */
    for (uint32_t rank = 0; rank < e->count; rank++) {
        const uint32_t k = vcs_find_class(&e->g, &tasks[e->order[rank]]);
        e->g.class_of[rank] = k;
        e->g.classes[k].unfinished++;
    }
    e->first_seat[0] = 0;
    for (uint32_t k = 0; k < e->g.class_count; k++) {
        next[k] = e->first_seat[k];
        e->first_seat[k + 1] = e->first_seat[k] + e->g.classes[k].unfinished;
    }
    for (uint32_t rank = 0; rank < e->count; rank++) {
        const uint32_t seat = next[e->g.class_of[rank]]++;
        e->seats[rank] = seat;
        e->ranks[seat] = rank;
    }
}

void vcs_to_the_end_open(vcs_to_the_end *e, vcs_state *state) {
    const vcs_counts counts = vcs_counts_of(state);
    vcs_arena arena = vcs_scratch(state);
    allocate(e, &counts, &arena);
    e->g.rec = NULL; /* no project takes turns */
    vcs_classes_open(&e->g, state);
    rank_tasks(e);
    seat_tasks(e);
    e->width = vcs_tree_width(e->count);
    e->root = VCS_NO_NODE;
    e->cpu_tasks = e->changed_count = e->unable_count = 0;
    e->g.cpus = e->g.all_cpus;
    memcpy(e->g.room, e->g.limits, sizeof(uint64_t) * e->g.limit_count);
    for (uint32_t r = 1; r < state->resource_count; r++) {
        vcs_devices_begin(vcs_devices_of(e, r), vcs_resources(state)[r].instances);
    }
}

/* ---- Tasks that wait ---- */

/* What has to be free for a task, where it is one of a few numbers. */
static int64_t units_to_find(const vcs_to_the_end *e, const vcs_task_class *class) {
    return vcs_resource_of_class(e, class) == 0 ? class->units : vcs_min_i64(class->units, VCS_ONE);
}

void vcs_to_the_end_offer(vcs_to_the_end *e, uint32_t k, int64_t longest) {
    const uint32_t seat = vcs_tree_first_below(e->waiting, e->width, e->first_seat[k], longest + 1);
    const uint32_t offer = seat < e->first_seat[k + 1] ? e->ranks[seat] : VCS_NONE;
    if (offer == e->offers[k]) {
        return;
    }
    if (e->offers[k] != VCS_NONE) {
        vcs_tree_set(e->offered, e->width, e->offers[k], VCS_TREE_EMPTY);
    }
    if (offer != VCS_NONE) {
        vcs_tree_set(e->offered, e->width, offer, units_to_find(e, &e->g.classes[k]));
    }
    e->offers[k] = offer;
}

/* ---- Tasks that run ---- */

static void insert_running(vcs_to_the_end *e, uint32_t seat) {
    uint32_t parent = VCS_NO_NODE, node = e->root;
    int side = 0;
    while (node != VCS_NO_NODE) {
        side = e->finishes[node] <= e->finishes[seat];
        parent = node;
        node = e->running.nodes[node].child[side];
    }
    vcs_search_insert(&e->running, &e->root, parent, side, seat);
}

static void note_change(vcs_to_the_end *e, uint32_t project) {
    if (!e->g.is_changed[project]) {
        e->g.is_changed[project] = true;
        e->g.changed[e->changed_count++] = project;
    }
}

void vcs_to_the_end_start(vcs_to_the_end *e, uint32_t rank, uint64_t devices) {
    vcs_general *g = &e->g;
    const vcs_task_class *class = &g->classes[g->class_of[rank]];
    const uint32_t r = vcs_resource_of_class(e, class), seat = e->seats[rank];
    if (r == 0) {
        vcs_cpus_occupy_by_cpu_task(&g->cpus, class->units);
        e->cpu_tasks += class->units > 0;
    } else {
        vcs_devices_occupy(vcs_devices_of(e, r), class->units, devices);
        vcs_cpus_occupy(&g->cpus, class->cpu_units, true);
        e->devices_of[seat] = devices;
        if (class->has_device_limit) {
            vcs_note_device_use(g, class, devices);
        }
    }
    vcs_use_room(g, class);
    g->used[class->usage] += class->units;
    g->used[class->cpu_usage] += class->cpu_units;
    note_change(e, class->project);
    e->finishes[seat] = g->sim.now + vcs_prepared_tasks(g->sim.state)[e->order[rank]].run_time;
    insert_running(e, seat);
}

/* Forgets the use of devices by one task with a limit on each. Others that look the same are as good. */
static void forget_device_use(vcs_general *g, const vcs_task_class *class, uint64_t devices) {
    const vcs_prepared_task *task = vcs_task_of_class(g, class);
    vcs_device_use *use = g->device_uses;
    while (use->devices != devices || use->project != task->project || use->app != task->app ||
           use->resource != task->resource) {
        use++;
        VCS_INVARIANT(use < g->device_uses + g->device_use_count); /* it was noted */
    }
    *use = g->device_uses[--g->device_use_count];
}

void vcs_to_the_end_finish(vcs_to_the_end *e, uint32_t seat) {
    vcs_general *g = &e->g;
    const vcs_task_class *class = &g->classes[vcs_class_of_seat(e, seat)];
    const uint32_t r = vcs_resource_of_class(e, class);
    vcs_search_remove(&e->running, &e->root, seat);
    if (r == 0) {
        e->cpu_tasks -= class->units > 0;
        vcs_cpus_give_back(&g->cpus, &g->all_cpus, class->units, e->cpu_tasks);
    } else {
        vcs_devices_release(vcs_devices_of(e, r), class->units, e->devices_of[seat]);
        vcs_cpus_give_back(&g->cpus, &g->all_cpus, class->cpu_units, e->cpu_tasks);
        if (class->has_device_limit) {
            forget_device_use(g, class, e->devices_of[seat]);
        }
    }
    vcs_give_room(g, class);
    g->used[class->usage] -= class->units;
    g->used[class->cpu_usage] -= class->cpu_units;
    note_change(e, class->project);
    vcs_sliced_finish(&g->sim, e->order[e->ranks[seat]]);
}
