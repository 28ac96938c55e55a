/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/sliced/sliced_classes.h"

#include "vcsched/host/scratch.h"

#include <string.h>

/* ---- Memory ---- */

/* Inline, so that measuring is a few additions. */
static inline void allocate(vcs_general *g, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t project_resources = counts->projects * counts->resources;
    vcs_classes_allocate(g, counts, arena, counts->tasks + project_resources);
    g->listed = vcs_arena_allocate(arena, counts->tasks, sizeof(uint32_t));
    g->places = vcs_arena_allocate(arena, 3 * project_resources, sizeof(vcs_sliced_place));
    g->lines = vcs_arena_allocate(arena, counts->resources, sizeof(vcs_sliced_line));
    g->accounts = vcs_arena_allocate(arena, project_resources, sizeof(uint32_t));
    g->rec = vcs_arena_allocate(arena, project_resources, sizeof(double));
    g->taken = vcs_arena_allocate(arena, project_resources, sizeof(int64_t));
    g->own_order = vcs_arena_allocate(arena, counts->tasks, sizeof(uint32_t));
    g->slices = vcs_arena_allocate(arena, counts->tasks, sizeof(vcs_slice));
}

uint64_t vcs_general_scratch(const vcs_counts *counts) {
    vcs_general g;
    vcs_arena measure = {NULL, 0};
    allocate(&g, counts, &measure);
    return vcs_arena_size(&measure);
}

/* ---- Who takes part ---- */

/* Units that a task uses of its own resource. */
static int64_t main_use(const vcs_prepared_task *task) {
    return task->resource == 0 ? task->cpu_units : task->gpu_units;
}

static void count_tasks(vcs_general *g) {
    const vcs_state *state = g->sim.state;
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    for (uint32_t r = 0; r < state->resource_count; r++) {
        g->least_use[r] = INT64_MAX;
    }
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &tasks[i];
        if (task->takes_part) {
            vcs_sliced_demand *demand = &g->sim.demands[vcs_sliced_index(&g->sim, task->project, task->resource)];
            const int64_t use = main_use(task);
            demand->tasks++;
            demand->widest = vcs_max_i64(use, demand->widest);
            demand->narrowest = demand->tasks == 1 ? use : vcs_min_i64(use, demand->narrowest);
            g->least_use[task->resource] = vcs_min_i64(use, g->least_use[task->resource]);
        }
    }
}

/* Whether the user lets a project be asked for work for a resource. */
static bool may_be_asked(const vcs_state *state, uint32_t project, uint64_t place) {
    const uint32_t closed = VCS_PROJECT_SUSPENDED | VCS_PROJECT_NO_NEW_WORK;
    return (vcs_projects(state)[project].flags & closed) == 0 &&
           (vcs_project_resources(state)[place].flags & VCS_PROJECT_RESOURCE_NOT_WANTED) == 0;
}

/* Finds the least part of a device that a task could use: one at hand, or one that may come. */
static void find_least_parts(vcs_general *g) {
    const vcs_state *state = g->sim.state;
    for (uint32_t r = 1; r < state->resource_count; r++) {
        int64_t least = vcs_min_i64(g->least_use[r], VCS_ONE);
        for (uint32_t p = 0; state->capacity.app_resources > 0 && p < state->project_count; p++) {
            const uint64_t place = vcs_sliced_index(&g->sim, p, r);
            const vcs_task_uses uses = vcs_uses_without_tasks(state, place);
            least = uses.narrowest > 0 && may_be_asked(state, p, place) ? vcs_min_i64(uses.narrowest, least) : least;
        }
        g->sim.resources[r].least_part = least - VCS_DEVICE_EXCESS;
    }
}

/* Lists the accounts of projects with tasks. */
static void find_accounts(vcs_general *g) {
    g->account_count = 0;
    for (uint32_t p = 0; p < g->sim.project_count; p++) {
        uint32_t tasks = 0;
        for (uint32_t r = 0; r < g->sim.resource_count; r++) {
            tasks |= g->sim.demands[vcs_sliced_index(&g->sim, p, r)].tasks;
        }
        for (uint32_t r = 0; tasks > 0 && r < (g->sim.local ? g->sim.resource_count : 1); r++) {
            g->accounts[g->account_count++] = g->sim.local ? (uint32_t)vcs_sliced_index(&g->sim, p, r) : p;
        }
    }
}

static uint64_t no_limit_if_0(uint32_t limit) {
    return limit == 0 ? UINT64_MAX : limit;
}

static void open_limits(vcs_general *g) {
    const vcs_state *state = g->sim.state;
    uint64_t *limit = g->limits;
    for (uint32_t p = 0; p < state->project_count; p++) {
        *limit++ = no_limit_if_0(vcs_projects(state)[p].max_concurrent);
    }
    for (uint32_t app = 0; app < state->app_count; app++) {
        *limit++ = no_limit_if_0(vcs_apps(state)[app].max_concurrent);
    }
    *limit++ = UINT64_MAX;
    if (state->has_instance_limits) {
        const size_t of_projects = (size_t)state->project_count * state->resource_count;
        const size_t of_apps = state->capacity.app_resources > 0 ? (size_t)state->app_count * state->resource_count : 0;
        for (size_t i = 0; i < of_projects; i++) {
            *limit++ = vcs_most_units(vcs_project_resources(state)[i].max_instances);
        }
        for (size_t i = 0; i < of_apps; i++) {
            *limit++ = vcs_most_units(vcs_app_resources(state)[i].max_instances);
        }
    }
    g->limit_count = (uint32_t)(limit - g->limits);
    g->heads = g->limits + g->limit_count;
    g->next = g->room + g->limit_count;
}

/* ---- Classes ---- */

/* The project's next offer to which GPU tasks of this competitor add load: with local accounting, only the CPU's. */
static vcs_sliced_offer *find_below(const vcs_general *g, const vcs_sliced_competitor *competitor) {
    const vcs_sliced_demand *demands = &g->sim.demands[vcs_sliced_index(&g->sim, competitor->project, 0)];
    for (uint32_t r = competitor->resource; r-- > 0;) {
        if (demands[r].competitor != VCS_NONE && (r == 0 || !g->sim.local)) {
            return &g->offers[demands[r].competitor];
        }
    }
    return NULL;
}

static void open_offer(vcs_general *g, uint32_t c) {
    const vcs_sliced_competitor *competitor = &g->sim.competitors[c];
    const vcs_priority_sums *sums = &g->sim.resources[competitor->resource].sums;
    const double weight = 1.0 / (sums->rec * competitor->fraction);
    const double load_weight = weight * sums->load_coefficient;
    g->offers[c] = (vcs_sliced_offer){
        .rec = g->rec != NULL ? &g->rec[competitor->account] : NULL, /* without turns there is none */
        .competitor = c,
        .weight = weight,
        .load_weight = load_weight / (double)VCS_ONE,
        .below = find_below(g, competitor),
    };
    g->needs_exact |= !vcs_sliced_is_moderate(weight) || !vcs_sliced_is_moderate(load_weight);
}

static void open_competitors(vcs_general *g) {
    g->needs_exact = g->sim.unfinished > VCS_MOST_APPROXIMATE / 2;
    for (uint32_t c = 0; c < g->sim.competitor_count; c++) {
        open_offer(g, c);
        g->competitors[c] = (vcs_general_competitor){.root = VCS_NO_NODE};
    }
}

/* Lines up the offers for each resource, with a place without an offer at both ends of each group. */
static void open_lines(vcs_general *g) {
    vcs_sliced_place *place = g->places;
    for (uint32_t r = 0; r < g->sim.resource_count; r++) {
        const vcs_sliced_resource *resource = &g->sim.resources[r];
        g->lines[r].first = g->lines[r].end = place + 1;
        for (uint32_t c = resource->first; c < resource->end; c++) {
            if (c == resource->first || g->sim.competitors[c - 1].group != g->sim.competitors[c].group) {
                *place++ = (vcs_sliced_place){.key = -VCS_INFINITY};
            }
            *place++ = (vcs_sliced_place){.offer = &g->offers[c]};
            if (c + 1 == resource->end || g->sim.competitors[c + 1].group != g->sim.competitors[c].group) {
                g->lines[r].end = place;
                *place++ = (vcs_sliced_place){.key = VCS_INFINITY};
            }
        }
    }
}

/* Units that a task adds to the load by which its project is ranked: with local accounting, its own use. */
static double load_of(const vcs_general *g, const vcs_prepared_task *task) {
    if (g->sim.local || task->resource == 0) {
        return (double)main_use(task);
    }
    return (double)task->cpu_units + (double)task->gpu_units * g->sim.resources[task->resource].speed;
}

/* Index in `limits` of a task's application; the last index, no limit, if its application does not decide what fits. */
static uint32_t app_limit_of(const vcs_state *state, const vcs_prepared_task *task) {
    if (task->app != VCS_NONE) {
        const vcs_app_resource *on_resource = vcs_app_resource_of(state, task);
        const bool decides_there =
            on_resource != NULL &&
            (on_resource->excluded != 0 || on_resource->max_per_device != 0 || on_resource->max_instances > 0.0);
        if (vcs_apps(state)[task->app].max_concurrent != 0 || decides_there) {
            return state->project_count + task->app;
        }
    }
    return state->project_count + state->app_count;
}

/* Index in `limits` of the limit in instances of a task's project, or application; of none. */
static uint32_t project_units_of(const vcs_general *g, const vcs_prepared_task *task) {
    const vcs_state *state = g->sim.state;
    const uint32_t none = state->project_count + state->app_count;
    return state->has_instance_limits ? none + 1 + (uint32_t)vcs_sliced_index(&g->sim, task->project, task->resource)
                                      : none;
}

static uint32_t app_units_of(const vcs_general *g, const vcs_prepared_task *task) {
    const vcs_state *state = g->sim.state;
    const uint32_t none = state->project_count + state->app_count;
    const uint32_t first = none + 1 + state->project_count * state->resource_count;
    return state->has_instance_limits && vcs_app_resource_of(state, task) != NULL
               ? first + task->app * state->resource_count + task->resource
               : none;
}

static vcs_task_class class_for(const vcs_general *g, const vcs_prepared_task *task, uint32_t competitor,
                                uint32_t app_limit) {
    const double load = load_of(g, task);
    const uint32_t cpu_usage = (uint32_t)vcs_sliced_index(&g->sim, task->project, 0);
    const uint32_t project_units = project_units_of(g, task), app_units = app_units_of(g, task);
    const bool has_device_limit = g->sim.state->has_device_limits && vcs_has_device_limit(g->sim.state, task);
    return (vcs_task_class){
        .units = main_use(task),
        .step = load * g->offers[competitor].load_weight,
        .next_finish = VCS_NEVER,
        .project = task->project,
        .app_limit = app_limit,
        .is_limited = g->limits[task->project] != UINT64_MAX || g->limits[app_limit] != UINT64_MAX ||
                      g->limits[project_units] != UINT64_MAX || g->limits[app_units] != UINT64_MAX || has_device_limit,
        .has_device_limit = has_device_limit,
        .project_units = project_units,
        .app_units = app_units,
        .task = (uint32_t)(task - vcs_prepared_tasks(g->sim.state)),
        .competitor = competitor,
        .usage = cpu_usage + task->resource,
        .cpu_usage = cpu_usage,
        .cpu_units = task->resource == 0 ? 0 : task->cpu_units,
        .allowed = vcs_allowed_devices(g->sim.state, task),
        .other_load = g->sim.local ? (double)task->cpu_units : load,
    };
}

uint32_t vcs_find_class(vcs_general *g, const vcs_prepared_task *task) {
    const vcs_sliced_demand *demand = &g->sim.demands[vcs_sliced_index(&g->sim, task->project, task->resource)];
    vcs_general_competitor *competitor = &g->competitors[demand->competitor];
    const int64_t units = main_use(task), cpu_units = task->resource == 0 ? 0 : task->cpu_units;
    const uint32_t app_limit = app_limit_of(g->sim.state, task);
    uint32_t parent = VCS_NO_NODE, k = competitor->root;
    int side = 0;
    while (k != VCS_NO_NODE) {
        const vcs_task_class *class = &g->classes[k];
        if (class->units == units && class->cpu_units == cpu_units && class->app_limit == app_limit) {
            return k;
        }
        side = class->units != units           ? class->units < units
               : class->cpu_units != cpu_units ? class->cpu_units < cpu_units
                                               : class->app_limit < app_limit;
        parent = k;
        k = g->known.nodes[k].child[side];
    }
    k = g->class_count++;
    competitor->classes++;
    vcs_search_insert(&g->known, &competitor->root, parent, side, k);
    g->classes[k] = class_for(g, task, demand->competitor, app_limit);
    return k;
}

/* Puts the tasks of each class together, in their order. */
static void fill_classes(vcs_general *g) {
    uint32_t *class_of = g->class_of;
    const vcs_state *state = g->sim.state;
    const uint32_t *order = g->order;
    const vcs_prepared_task *prepared = vcs_prepared_tasks(state);
    vcs_class_task *tasks = g->tasks;
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &prepared[order[i]];
        if (task->takes_part) {
            class_of[i] = vcs_find_class(g, task);
            g->classes[class_of[i]].unfinished++;
        }
    }
    for (uint32_t k = 0; k < g->class_count; k++) {
        g->classes[k].tasks = tasks;
        tasks += g->classes[k].unfinished;
        *tasks++ = (vcs_class_task){VCS_NEVER, VCS_NO_TASK};
    }
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &prepared[order[i]];
        if (task->takes_part) {
            *g->classes[class_of[i]].tasks++ = (vcs_class_task){task->run_time, (uint64_t)i << 32 | class_of[i]};
        }
    }
    for (uint32_t k = 0; k < g->class_count; k++) {
        g->classes[k].tasks -= g->classes[k].unfinished;
    }
}

/* Lists the first task of each class. Classes were found in the order in which their first tasks arrived. */
static void find_heads(vcs_general *g) {
    uint32_t head = 0;
    for (uint32_t c = 0; c < g->sim.competitor_count; c++) {
        vcs_general_competitor *competitor = &g->competitors[c];
        competitor->first_head = head;
        g->offers[c].first = &g->next[head];
        head += competitor->classes;
        g->heads[head++] = VCS_NO_TASK;
        competitor->classes = 0;
    }
    for (uint32_t k = 0; k < g->class_count; k++) {
        vcs_general_competitor *competitor = &g->competitors[g->classes[k].competitor];
        g->heads[competitor->first_head + competitor->classes++] = g->classes[k].tasks->arrival;
    }
}

void vcs_classes_open(vcs_general *g, vcs_state *state) {
    vcs_sliced_begin(&g->sim, state);
    count_tasks(g);
    vcs_sliced_line_up(&g->sim);
    find_least_parts(g);
    open_limits(g);
    open_competitors(g);
    vcs_cpus_begin(&g->all_cpus, state);
    memset(g->used, 0, sizeof(int64_t) * (size_t)state->project_count * state->resource_count);
    memset(g->is_changed, 0, state->project_count);
    g->class_count = g->device_use_count = 0;
}

void vcs_general_open(vcs_general *g, vcs_state *state) {
    const vcs_counts counts = vcs_counts_of(state);
    vcs_arena arena = vcs_scratch(state);
    allocate(g, &counts, &arena);
    vcs_classes_open(g, state);
    find_accounts(g);
    open_lines(g);
    g->order = vcs_arrival_order(state);
    g->slice_count = 0;
}

void vcs_general_lay_out(vcs_general *g) {
    fill_classes(g);
    find_heads(g);
    g->listed_count = g->settled_count = 0;
}

void vcs_general_note_first_pick(vcs_general *g) {
    const size_t project_resources = (size_t)g->sim.project_count * g->sim.resource_count;
    for (size_t i = 0; i < project_resources; i++) {
        vcs_project_resource_forecasts(g->sim.state)[i].used_now = vcs_instances(g->used[i]);
    }
    vcs_sliced_note_idle(&g->sim);
}
