/* SPDX-License-Identifier: MIT */
#include "simulation/sliced_queues.h"

#include "simulation/scratch.h"

#include <string.h>

/* ---- Memory ---- */

/* Queues are numbered first by a key that is dense over (project, resource), then over (application, resource). */
typedef struct layout_scratch {
    uint32_t *tasks_of;  /* per queue key: tasks; then the queue */
    uint32_t *first_app; /* per project: its first application with a limit; VCS_NONE */
    uint32_t *next_app;  /* per application with a limit: the next one of the same project */
} layout_scratch;

/* The one description of what the simulation keeps in memory. Inline: where it only measures, additions remain. */
static inline void take_memory(vcs_general *g, layout_scratch *scratch, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t competitors = counts->projects * counts->resources;
    const uint64_t keys = competitors + counts->apps * counts->resources;
    vcs_sliced_take_memory(&g->sim, counts, arena);
    g->slots = vcs_arena_take(arena, counts->tasks, sizeof(vcs_sliced_slot));
    g->slot_uses = vcs_arena_take(arena, counts->tasks, sizeof(vcs_sliced_use));
    g->queues = vcs_arena_take(arena, keys, sizeof(vcs_sliced_queue));
    g->next_finish = vcs_arena_take(arena, keys, sizeof(int64_t));
    g->offers = vcs_arena_take(arena, competitors, sizeof(vcs_sliced_offer));
    g->touched = vcs_arena_take(arena, competitors, sizeof(uint32_t));
    g->backfills = vcs_arena_take(arena, counts->tasks, sizeof(vcs_sliced_backfill));
    g->backfills_of = vcs_arena_take(arena, counts->resources, sizeof(vcs_sliced_backfills));
    g->app_running = vcs_arena_take(arena, counts->apps, sizeof(uint32_t));
    g->set_maps = vcs_arena_take(arena, counts->projects + 1, sizeof(uint64_t));
    g->set_free = vcs_arena_take(arena, counts->projects + 1, sizeof(int64_t));
    scratch->tasks_of = vcs_arena_take(arena, keys, sizeof(uint32_t));
    scratch->first_app = vcs_arena_take(arena, counts->projects, sizeof(uint32_t));
    scratch->next_app = vcs_arena_take(arena, counts->apps, sizeof(uint32_t));
    /* A tree of uses takes fewer than 4 numbers for a slot and 2 for a queue, one of finishes fewer than 2 and 17. */
    g->trees = vcs_arena_take(arena, 6 * counts->tasks + 19 * keys, sizeof(int64_t));
}

uint64_t vcs_general_scratch(const vcs_counts *counts) {
    vcs_general g;
    layout_scratch scratch;
    vcs_arena measure = {NULL, 0};
    take_memory(&g, &scratch, counts, &measure);
    return vcs_arena_size(&measure);
}

/* ---- Who takes part ---- */

/* What a task uses of the resource that it is for. */
static int64_t main_use(const vcs_prepared_task *task) {
    return task->resource == 0 ? task->cpu_units : task->gpu_units;
}

static uint32_t queue_key(const vcs_state *state, const vcs_prepared_task *task) {
    if (task->app != VCS_NONE && vcs_apps(state)[task->app].max_concurrent != 0) {
        return (state->project_count + task->app) * state->resource_count + task->resource;
    }
    return task->project * state->resource_count + task->resource;
}

/* Counts the tasks of each queue key, and of each project for each resource. */
static void count_tasks(vcs_general *g, layout_scratch *scratch) {
    const vcs_state *state = g->sim.state;
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    const uint32_t keys = (state->project_count + state->app_count) * state->resource_count;
    memset(scratch->tasks_of, 0, sizeof(uint32_t) * keys);
    for (uint32_t i = 0; i < state->task_count; i++) {
        if (tasks[i].takes_part) {
            vcs_sliced_demand *demand = &g->sim.demands[vcs_sliced_index(&g->sim, tasks[i].project, tasks[i].resource)];
            demand->tasks++;
            demand->widest = vcs_max_i64(main_use(&tasks[i]), demand->widest);
            scratch->tasks_of[queue_key(state, &tasks[i])]++;
        }
    }
}

/* ---- Queues ---- */

static void add_queue(vcs_general *g, uint32_t *tasks_of, uint32_t key, uint32_t competitor, uint32_t app,
                      uint32_t *slot) {
    if (tasks_of[key] == 0) {
        return;
    }
    g->queues[g->queue_count] = (vcs_sliced_queue){
        .competitor = competitor,
        .app = app,
        .first_slot = *slot,
        .slot_count = tasks_of[key],
        .last = VCS_NONE,
        .next = *slot,
        .limit = UINT32_MAX,
        .width = vcs_tree_width(tasks_of[key]),
        .nodes = vcs_least_nodes(tasks_of[key]),
    };
    *slot += tasks_of[key];
    tasks_of[key] = g->queue_count++;
}

/* Links the applications with a limit, project by project, in their order. */
static void link_apps(const vcs_state *state, const layout_scratch *scratch) {
    const vcs_app *apps = vcs_apps(state);
    for (uint32_t i = 0; i < state->project_count; i++) {
        scratch->first_app[i] = VCS_NONE;
    }
    for (uint32_t app = state->app_count; app-- > 0;) {
        if (apps[app].max_concurrent != 0) {
            scratch->next_app[app] = scratch->first_app[apps[app].project];
            scratch->first_app[apps[app].project] = app;
        }
    }
}

/* The queues of each competitor stand together. */
static void add_queues(vcs_general *g, layout_scratch *scratch) {
    const vcs_state *state = g->sim.state;
    uint32_t slot = 0;
    link_apps(state, scratch);
    g->queue_count = 0;
    for (uint32_t c = 0; c < g->sim.competitor_count; c++) {
        const uint32_t project = g->sim.competitors[c].project, resource = g->sim.competitors[c].resource;
        const uint32_t key = project * state->resource_count + resource;
        const uint32_t first_queue = g->queue_count;
        add_queue(g, scratch->tasks_of, key, c, VCS_NONE, &slot);
        for (uint32_t app = scratch->first_app[project]; app != VCS_NONE; app = scratch->next_app[app]) {
            const uint32_t app_key = (state->project_count + app) * state->resource_count + resource;
            add_queue(g, scratch->tasks_of, app_key, c, app, &slot);
        }
        g->offers[c] = (vcs_sliced_offer){
            .first_queue = first_queue,
            .end_queue = g->queue_count,
            .allowed = ~vcs_project_resources(state)[key].excluded,
        };
    }
}

/* Puts the tasks into the queues in order of arrival. `cursor` counts how many are in. */
static void fill_queues(vcs_general *g, const layout_scratch *scratch) {
    const vcs_state *state = g->sim.state;
    const uint32_t *arrival = vcs_arrival_order(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &vcs_prepared_tasks(state)[arrival[i]];
        if (task->takes_part) {
            vcs_sliced_queue *queue = &g->queues[scratch->tasks_of[queue_key(state, task)]];
            const uint32_t slot = queue->first_slot + queue->cursor++;
            g->slots[slot].left = task->run_time;
            g->slot_uses[slot] = (vcs_sliced_use){
                .units = main_use(task),
                .cpu_units = task->resource == 0 ? 0 : task->cpu_units,
                .task = arrival[i],
                .arrival = i,
            };
        }
    }
}

/* Nothing runs yet. */
static void link_slots(vcs_general *g, const vcs_sliced_queue *queue) {
    const uint32_t end = queue->first_slot + queue->slot_count;
    for (uint32_t slot = queue->first_slot; slot < end; slot++) {
        g->slots[slot].next = slot + 1 == end ? VCS_NONE : slot + 1;
        g->slots[slot].previous = slot == queue->first_slot ? VCS_NONE : slot - 1;
    }
}

static void open_queues(vcs_general *g) {
    int64_t *trees = g->trees;
    for (uint32_t i = 0; i < g->queue_count; i++) {
        vcs_sliced_queue *queue = &g->queues[i];
        link_slots(g, queue);
        queue->finishes = trees;
        trees += vcs_least_size(queue->slot_count);
        vcs_least_clear(queue->finishes, queue->slot_count);
        g->next_finish[i] = VCS_TREE_EMPTY;
        queue->uses = trees;
        trees += 2 * (size_t)queue->width;
        vcs_tree_clear(queue->uses, queue->width);
        for (uint32_t slot = 0; slot < queue->slot_count; slot++) {
            queue->uses[queue->width + slot] = g->slot_uses[queue->first_slot + slot].units;
        }
        vcs_tree_build(queue->uses, queue->width);
    }
}

/* Each resource has room for as many backfills as it has tasks. */
static void open_backfills(vcs_general *g) {
    vcs_sliced_backfill *list = g->backfills;
    for (uint32_t r = 0; r < g->sim.resource_count; r++) {
        g->backfills_of[r] = (vcs_sliced_backfills){.list = list};
        for (uint32_t p = 0; p < g->sim.project_count; p++) {
            list += g->sim.demands[vcs_sliced_index(&g->sim, p, r)].tasks;
        }
    }
}

void vcs_general_lay_out(vcs_general *g, vcs_state *state) {
    layout_scratch scratch;
    const vcs_counts counts = vcs_counts_of(state);
    vcs_arena arena = vcs_scratch(state);
    take_memory(g, &scratch, &counts, &arena);
    g->overcommit = state->parameters.cpu_fit == VCS_CPU_FIT_ANY;
    g->touched_count = 0;
    vcs_sliced_begin(&g->sim, state);
    count_tasks(g, &scratch);
    vcs_sliced_line_up(&g->sim);
    add_queues(g, &scratch);
    fill_queues(g, &scratch);
    open_queues(g);
    open_backfills(g);
}
