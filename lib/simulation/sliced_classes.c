/* SPDX-License-Identifier: MIT */
#include "simulation/sliced_classes.h"

#include "simulation/scratch.h"

#include <string.h>

/* ---- Memory ---- */

/* Inline: where it only measures, additions remain. `class_of`: per place in the order of arrival. */
static inline void take_memory(vcs_general *g, uint32_t **class_of, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t project_resources = counts->projects * counts->resources;
    vcs_sliced_take_memory(&g->sim, counts, arena);
    g->classes = vcs_arena_take(arena, counts->tasks, sizeof(vcs_task_class));
    g->tasks = vcs_arena_take(arena, counts->tasks, sizeof(vcs_class_task));
    g->next_finish = vcs_arena_take(arena, counts->tasks, sizeof(int64_t));
    g->next = vcs_arena_take(arena, counts->tasks, sizeof(uint64_t));
    g->offers = vcs_arena_take(arena, project_resources, sizeof(vcs_sliced_offer));
    g->keys = vcs_arena_take(arena, project_resources, sizeof(double));
    g->rec = vcs_arena_take(arena, project_resources, sizeof(double));
    g->rec_time = vcs_arena_take(arena, project_resources, sizeof(int64_t));
    g->used = vcs_arena_take(arena, project_resources, sizeof(int64_t));
    g->limits = vcs_arena_take(arena, counts->projects + counts->apps, sizeof(uint32_t));
    g->room = vcs_arena_take(arena, counts->projects + counts->apps, sizeof(uint32_t));
    *class_of = vcs_arena_take(arena, counts->tasks, sizeof(uint32_t));
}

uint64_t vcs_general_scratch(const vcs_counts *counts) {
    vcs_general g;
    uint32_t *class_of;
    vcs_arena measure = {NULL, 0};
    take_memory(&g, &class_of, counts, &measure);
    return vcs_arena_size(&measure);
}

/* ---- Who takes part ---- */

/* What a task uses of the resource that it is for. */
static int64_t main_use(const vcs_prepared_task *task) {
    return task->resource == 0 ? task->cpu_units : task->gpu_units;
}

static void count_tasks(vcs_general *g) {
    const vcs_state *state = g->sim.state;
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        if (tasks[i].takes_part) {
            vcs_sliced_demand *demand = &g->sim.demands[vcs_sliced_index(&g->sim, tasks[i].project, tasks[i].resource)];
            demand->tasks++;
            demand->widest = vcs_max_i64(main_use(&tasks[i]), demand->widest);
        }
    }
}

static uint32_t no_limit_if_0(uint32_t limit) {
    return limit == 0 ? UINT32_MAX : limit;
}

static void open_limits(vcs_general *g) {
    const vcs_state *state = g->sim.state;
    for (uint32_t p = 0; p < state->project_count; p++) {
        g->limits[p] = no_limit_if_0(vcs_projects(state)[p].max_concurrent);
    }
    for (uint32_t app = 0; app < state->app_count; app++) {
        g->limits[state->project_count + app] = no_limit_if_0(vcs_apps(state)[app].max_concurrent);
    }
}

/* ---- Classes ---- */

/* Numbers so far from the ends of what doubles hold that keys made of them can be compared. */
static bool is_moderate(double factor) {
    return factor > 1e-200 && factor < 1e200;
}

/* There is room for as many classes as it has tasks; what is not needed is closed up later. */
static void open_offers(vcs_general *g) {
    uint32_t first = 0;
    g->needs_exact = false;
    for (uint32_t c = 0; c < g->sim.competitor_count; c++) {
        const vcs_sliced_competitor *competitor = &g->sim.competitors[c];
        const vcs_priority_sums *sums = &g->sim.resources[competitor->resource].sums;
        const double weight = 1.0 / (sums->rec * competitor->fraction);
        g->offers[c] = (vcs_sliced_offer){first, first, weight};
        g->needs_exact |= !is_moderate(weight) || !is_moderate(weight * sums->load_coefficient);
        first += g->sim.demands[vcs_sliced_index(&g->sim, competitor->project, competitor->resource)].tasks;
    }
}

/* What a task adds to the load of its competitor, in CPUs; with local accounting, in instances. */
static double load_of(const vcs_general *g, const vcs_prepared_task *task) {
    if (g->sim.local || task->resource == 0) {
        return vcs_instances(main_use(task));
    }
    return vcs_instances(task->cpu_units) + vcs_instances(task->gpu_units) * g->sim.resources[task->resource].speed;
}

static vcs_task_class class_for(const vcs_general *g, const vcs_prepared_task *task, double weight) {
    const double coefficient = g->sim.resources[task->resource].sums.load_coefficient;
    return (vcs_task_class){
        .app = task->app,
        .units = main_use(task),
        .cpu_units = task->resource == 0 ? 0 : task->cpu_units,
        .allowed = vcs_allowed_devices(g->sim.state, task->project, task->app, task->resource),
        .step = load_of(g, task) * coefficient * weight,
    };
}

/* The class of a task, which may be a new one. */
static uint32_t find_class(vcs_general *g, const vcs_prepared_task *task) {
    const vcs_sliced_demand *demand = &g->sim.demands[vcs_sliced_index(&g->sim, task->project, task->resource)];
    vcs_sliced_offer *offer = &g->offers[demand->competitor];
    const int64_t units = main_use(task), cpu_units = task->resource == 0 ? 0 : task->cpu_units;
    for (uint32_t k = offer->first_class; k < offer->end_class; k++) {
        const vcs_task_class *class = &g->classes[k];
        if (class->units == units && class->cpu_units == cpu_units && class->app == task->app) {
            return k;
        }
    }
    g->classes[offer->end_class] = class_for(g, task, offer->weight);
    return offer->end_class++;
}

/* The tasks of a class stand together, in order of arrival. */
static void fill_classes(vcs_general *g, uint32_t *class_of) {
    const vcs_state *state = g->sim.state;
    const uint32_t *arrival = vcs_arrival_order(state);
    vcs_class_task *tasks = g->tasks;
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &vcs_prepared_tasks(state)[arrival[i]];
        if (task->takes_part) {
            class_of[i] = find_class(g, task);
            g->classes[class_of[i]].unfinished++;
            g->has_zero_uses |= task->resource == 0 && task->cpu_units == 0;
        }
    }
    for (uint32_t c = 0; c < g->sim.competitor_count; c++) {
        for (uint32_t k = g->offers[c].first_class; k < g->offers[c].end_class; k++) {
            g->classes[k].tasks = tasks;
            tasks += g->classes[k].unfinished;
        }
    }
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &vcs_prepared_tasks(state)[arrival[i]];
        if (task->takes_part) {
            vcs_task_class *class = &g->classes[class_of[i]];
            class->tasks[class->picked++] = (vcs_class_task){task->run_time, arrival[i], i};
        }
    }
}

static void close_up_classes(vcs_general *g) {
    g->class_count = 0;
    for (uint32_t c = 0; c < g->sim.competitor_count; c++) {
        vcs_sliced_offer *offer = &g->offers[c];
        const uint32_t count = offer->end_class - offer->first_class;
        memmove(&g->classes[g->class_count], &g->classes[offer->first_class], count * sizeof *g->classes);
        offer->first_class = g->class_count;
        offer->end_class = g->class_count += count;
    }
    for (uint32_t k = 0; k < g->class_count; k++) {
        g->next_finish[k] = VCS_NEVER;
    }
}

void vcs_general_lay_out(vcs_general *g, vcs_state *state) {
    const vcs_counts counts = vcs_counts_of(state);
    vcs_arena arena = vcs_scratch(state);
    uint32_t *class_of;
    take_memory(g, &class_of, &counts, &arena);
    g->has_zero_uses = false;
    vcs_sliced_begin(&g->sim, state);
    count_tasks(g);
    vcs_sliced_line_up(&g->sim);
    open_limits(g);
    open_offers(g);
    fill_classes(g, class_of);
    close_up_classes(g);
    for (uint32_t i = 0; i < g->sim.account_count; i++) {
        g->rec_time[i] = VCS_NEVER;
    }
}
