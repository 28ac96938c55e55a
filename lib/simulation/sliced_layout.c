/* SPDX-License-Identifier: MIT */
#include "simulation/lateness.h"
#include "simulation/limits.h"
#include "accounts/priority_sums.h"
#include "accounts/rank_key.h"
#include "simulation/scratch.h"
#include "simulation/sliced.h"
#include "core/sort.h"

#include <string.h>

/* ---- Memory ---- */

/* Queues are numbered first by a key that is dense over (project, resource), then over (application, resource). */
typedef struct layout_counts {
    uint64_t resources, project_resources, keys, apps, slots;
} layout_counts;

typedef struct layout_scratch {
    uint32_t *competitor_of; /* per (project, resource): competitor; VCS_NONE */
    uint32_t *tasks_of;     /* per queue key: tasks; then the queue */
    uint32_t *first_app;    /* per project: its first application with a limit; VCS_NONE */
    uint32_t *next_app;     /* per application with a limit: the next one of the same project */
    vcs_sort_item *items, *spare;
} layout_scratch;

static inline void take_uniform(vcs_uniform *uniform, uint64_t competitors, vcs_arena *arena) {
    uniform->rate = vcs_arena_take(arena, competitors, sizeof(double));
    uniform->scaled = vcs_arena_take(arena, competitors, sizeof(double));
    uniform->load = vcs_arena_take(arena, competitors, sizeof(double));
    uniform->per_load = vcs_arena_take(arena, competitors, sizeof(double));
    uniform->weight = vcs_arena_take(arena, competitors, sizeof(double));
    uniform->key = vcs_arena_take(arena, competitors, sizeof(double));
    uniform->count = vcs_arena_take(arena, competitors, sizeof(double));
    uniform->limit = vcs_arena_take(arena, competitors, sizeof(double));
    uniform->running = vcs_arena_take(arena, competitors, sizeof(double));
    uniform->used = vcs_arena_take(arena, competitors, sizeof(double));
    uniform->last = vcs_arena_take(arena, competitors, sizeof(double));
    uniform->next = vcs_arena_take(arena, competitors, sizeof(double));
    uniform->next_finish = vcs_arena_take(arena, competitors, sizeof(int64_t));
    uniform->fronts = vcs_arena_take(arena, competitors, sizeof(vcs_front));
    uniform->starting = vcs_arena_take(arena, competitors, sizeof(uint32_t));
    uniform->stopping = vcs_arena_take(arena, competitors, sizeof(uint32_t));
    uniform->charged = vcs_arena_take(arena, competitors, sizeof(uint32_t));
    uniform->unfinished = vcs_arena_take(arena, competitors, sizeof(uint32_t));
    uniform->group_start = vcs_arena_take(arena, competitors + 1, sizeof(uint32_t));
    uniform->tree = vcs_arena_take(arena, 4 * competitors + 2, sizeof(int64_t));
}

/* The one description of what the simulation keeps in memory. Inline: where it only measures, additions remain. */
static inline void take_memory(vcs_sliced *sim, layout_scratch *scratch, const layout_counts *counts,
                               vcs_arena *arena) {
    sim->slots = vcs_arena_take(arena, counts->slots, sizeof(vcs_slot));
    sim->tasks = vcs_arena_take(arena, counts->slots, sizeof(vcs_slot_task));
    sim->waiting = vcs_arena_take(arena, counts->slots, sizeof(vcs_waiting));
    sim->blocks =
        vcs_arena_take(arena, counts->slots / VCS_STACK_BLOCK + counts->project_resources, sizeof(vcs_stack_block));
    sim->queues = vcs_arena_take(arena, counts->keys, sizeof(vcs_queue));
    sim->competitors = vcs_arena_take(arena, counts->project_resources, sizeof(vcs_competitor));
    sim->accounts = vcs_arena_take(arena, counts->project_resources, sizeof(vcs_account));
    sim->usages = vcs_arena_take(arena, counts->project_resources, sizeof(vcs_usage));
    sim->pools = vcs_arena_take(arena, counts->resources, sizeof(vcs_pool));
    sim->backfills = vcs_arena_take(arena, counts->slots, sizeof(vcs_backfill));
    sim->backfill_start = vcs_arena_take(arena, counts->resources, sizeof(uint32_t));
    sim->touched = vcs_arena_take(arena, counts->project_resources, sizeof(uint32_t));
    sim->app_jobs = vcs_arena_take(arena, counts->apps, sizeof(uint32_t));
    sim->next_finish = vcs_arena_take(arena, counts->keys, sizeof(int64_t));
    sim->last_key = vcs_arena_take(arena, counts->project_resources, sizeof(double));
    sim->next_key = vcs_arena_take(arena, counts->project_resources, sizeof(double));
    sim->set_maps = vcs_arena_take(arena, counts->project_resources + 1, sizeof(uint64_t));
    sim->set_room = vcs_arena_take(arena, counts->project_resources + 1, sizeof(int64_t));
    take_uniform(&sim->uniform, counts->project_resources, arena);
    scratch->competitor_of = vcs_arena_take(arena, counts->project_resources, sizeof(uint32_t));
    scratch->tasks_of = vcs_arena_take(arena, counts->keys, sizeof(uint32_t));
    scratch->first_app = vcs_arena_take(arena, counts->project_resources, sizeof(uint32_t));
    scratch->next_app = vcs_arena_take(arena, counts->apps, sizeof(uint32_t));
    scratch->items = vcs_arena_take(arena, counts->project_resources, sizeof(vcs_sort_item));
    scratch->spare = vcs_arena_take(arena, counts->project_resources, sizeof(vcs_sort_item));
    /* A tree of uses takes fewer than 4 numbers for a slot and 2 for a queue, one of finishes fewer than 2 and 17. */
    sim->trees = vcs_arena_take(arena, 6 * counts->slots + 19 * counts->keys, sizeof(int64_t));
}

static layout_counts count_layout(uint64_t resources, uint64_t projects, uint64_t apps, uint64_t jobs) {
    layout_counts counts = {resources, projects * resources, (projects + apps) * resources, apps, jobs};
    return counts;
}

uint64_t vcs_wrr_sliced_scratch(const vcs_counts *counts) {
    vcs_sliced sim;
    layout_scratch scratch;
    vcs_arena arena = {NULL, 0};
    layout_counts layout = count_layout(counts->resources, counts->projects, counts->apps, counts->tasks);
    take_memory(&sim, &scratch, &layout, &arena);
    return vcs_arena_size(&arena);
}

/* ---- Who takes part ---- */

static uint32_t queue_key(const vcs_state *state, const vcs_prepared_task *task) {
    if (task->app != VCS_NONE && vcs_apps(state)[task->app].max_concurrent != 0) {
        return (state->project_count + task->app) * state->resource_count + task->resource;
    }
    return task->project * state->resource_count + task->resource;
}

static size_t project_resource_index(const vcs_state *state, uint32_t project, uint32_t resource) {
    return (size_t)project * state->resource_count + resource;
}

/* Whether the fast simulation serves a task: one of one CPU, without a limit. */
static int is_plain(const vcs_state *state, const vcs_prepared_task *task) {
    return task->resource == 0 && task->cpu_units == VCS_ONE &&
           vcs_projects(state)[task->project].max_concurrent == 0 &&
           (task->app == VCS_NONE || vcs_apps(state)[task->app].max_concurrent == 0);
}

/* Counts the tasks of each queue key, and marks the project_resources that have any. */
static void count_tasks(vcs_sliced *sim, layout_scratch *scratch) {
    const vcs_state *state = sim->state;
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    const uint32_t keys = (state->project_count + state->app_count) * state->resource_count;
    memset(scratch->tasks_of, 0, sizeof(uint32_t) * keys);
    for (uint32_t i = 0; i < state->project_count * state->resource_count; i++) {
        scratch->competitor_of[i] = VCS_NONE;
    }
    sim->is_uniform = 1;
    for (uint32_t i = 0; i < state->task_count; i++) {
        if (tasks[i].takes_part) {
            sim->is_uniform &= (uint32_t)is_plain(state, &tasks[i]);
            scratch->tasks_of[queue_key(state, &tasks[i])]++;
            scratch->competitor_of[project_resource_index(state, tasks[i].project, tasks[i].resource)] = 0;
        }
    }
}

static void add_competitor(vcs_sliced *sim, layout_scratch *scratch, uint32_t project, uint32_t resource) {
    const vcs_state *state = sim->state;
    const size_t pair = project_resource_index(state, project, resource);
    vcs_competitor *competitor = &sim->competitors[sim->competitor_count];
    memset(competitor, 0, sizeof *competitor);
    competitor->project = project;
    competitor->resource = resource;
    competitor->account = (uint32_t)(sim->local ? pair : project);
    competitor->allowed = ~vcs_project_resources(state)[pair].excluded;
    scratch->competitor_of[pair] = sim->competitor_count;
    sim->pools[resource].competitor_count++;
    sim->competitor_count++;
}

/* The competitors of a resource, by group, then by project id. */
static void add_competitors(vcs_sliced *sim, layout_scratch *scratch, uint32_t resource) {
    const vcs_state *state = sim->state;
    const uint32_t *by_id = vcs_project_order(state);
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->project_count; i++) {
        if (scratch->competitor_of[project_resource_index(state, by_id[i], resource)] != VCS_NONE) {
            const vcs_project *project = &vcs_projects(state)[by_id[i]];
            scratch->items[count].key = vcs_rank_group(project->priority_class, project->share);
            scratch->items[count].index = by_id[i];
            count++;
        }
    }
    vcs_sort(scratch->items, scratch->spare, count);
    sim->pools[resource].first_competitor = sim->competitor_count;
    uint32_t group = 0;
    for (uint32_t i = 0; i < count; i++) {
        group += i > 0 && scratch->items[i].key != scratch->items[i - 1].key;
        add_competitor(sim, scratch, scratch->items[i].index, resource);
        sim->competitors[sim->competitor_count - 1].group = group;
    }
}

/* ---- Queues ---- */

static void add_queue(vcs_sliced *sim, uint32_t *tasks_of, uint32_t key, uint32_t competitor, uint32_t app,
                      uint32_t *slot) {
    if (tasks_of[key] == 0) {
        return;
    }
    vcs_queue *queue = &sim->queues[sim->queue_count];
    memset(queue, 0, sizeof *queue);
    queue->competitor = competitor;
    queue->app = app;
    queue->first_slot = *slot;
    queue->slot_count = tasks_of[key];
    queue->last = VCS_NONE;
    queue->fresh = *slot;
    queue->limit = UINT32_MAX;
    queue->width = vcs_tree_width(queue->slot_count);
    queue->nodes = vcs_least_nodes(queue->slot_count);
    *slot += queue->slot_count;
    tasks_of[key] = sim->queue_count++;
    sim->competitors[competitor].queue_count++;
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
static void add_queues(vcs_sliced *sim, layout_scratch *scratch) {
    const vcs_state *state = sim->state;
    uint32_t slot = 0;
    link_apps(state, scratch);
    for (uint32_t i = 0; i < sim->competitor_count; i++) {
        vcs_competitor *competitor = &sim->competitors[i];
        const uint32_t project = competitor->project, resource = competitor->resource;
        competitor->first_queue = sim->queue_count;
        add_queue(sim, scratch->tasks_of, project * state->resource_count + resource, i, VCS_NONE, &slot);
        for (uint32_t app = scratch->first_app[project]; app != VCS_NONE; app = scratch->next_app[app]) {
            const uint32_t key = (state->project_count + app) * state->resource_count + resource;
            add_queue(sim, scratch->tasks_of, key, i, app, &slot);
        }
    }
    sim->slot_count = slot;
}

static void fill_slot(vcs_sliced *sim, uint32_t index, uint32_t arrival) {
    const uint32_t job_index = vcs_arrival_order(sim->state)[arrival];
    const vcs_prepared_task *task = &vcs_prepared_tasks(sim->state)[job_index];
    sim->slots[index].left = task->run_time;
    sim->tasks[index] = (vcs_slot_task){
        .use = task->resource == 0 ? task->cpu_units : task->gpu_units,
        .cpu_use = task->resource == 0 ? 0 : task->cpu_units,
        .latest = vcs_latest_in_sliced(&sim->state->parameters, sim->state->now, task->deadline),
        .job = job_index,
        .arrival = arrival,
        .finish = VCS_NEVER,
    };
}

/* Puts the tasks into the queues in order of arrival. `cursor` counts how many are in. */
static void fill_queues(vcs_sliced *sim, layout_scratch *scratch) {
    const vcs_state *state = sim->state;
    const uint32_t *arrival = vcs_arrival_order(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &vcs_prepared_tasks(state)[arrival[i]];
        if (!task->takes_part) {
            continue;
        }
        vcs_queue *queue = &sim->queues[scratch->tasks_of[queue_key(state, task)]];
        fill_slot(sim, queue->first_slot + queue->cursor++, i);
    }
}

/* Nothing runs yet. */
static void link_slots(vcs_sliced *sim, const vcs_queue *queue) {
    const uint32_t end = queue->first_slot + queue->slot_count;
    for (uint32_t slot = queue->first_slot; slot < end; slot++) {
        sim->slots[slot].next = slot + 1 == end ? VCS_NONE : slot + 1;
        sim->slots[slot].previous = slot == queue->first_slot ? VCS_NONE : slot - 1;
    }
}

static void open_queues(vcs_sliced *sim) {
    int64_t *trees = sim->trees;
    for (uint32_t i = 0; i < sim->queue_count; i++) {
        vcs_queue *queue = &sim->queues[i];
        link_slots(sim, queue);
        queue->finishes = trees;
        trees += vcs_least_size(queue->slot_count);
        vcs_least_clear(queue->finishes, queue->slot_count);
        sim->next_finish[i] = VCS_TREE_EMPTY;
        queue->uses = trees;
        trees += 2 * (size_t)queue->width;
        vcs_tree_clear(queue->uses, queue->width);
        for (uint32_t slot = 0; slot < queue->slot_count; slot++) {
            queue->uses[queue->width + slot] = sim->tasks[queue->first_slot + slot].use;
        }
        vcs_tree_build(queue->uses, queue->width);
    }
}

/* ---- Resources, accounts and what a project could use ---- */

static void fill_pools(vcs_sliced *sim) {
    uint32_t slot = 0;
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        const vcs_prepared_resource *resource = &vcs_resources(sim->state)[r];
        vcs_pool *pool = &sim->pools[r];
        pool->capacity = resource->suspended ? 0 : resource->capacity;
        pool->free = pool->capacity;
        pool->saturated = VCS_NEVER;
        pool->suspended = resource->suspended;
        pool->excludes = resource->excludes;
        pool->instances = resource->instances;
        pool->speed = resource->speed;
        pool->flops = resource->flops;
        sim->backfill_start[r] = slot;
        for (uint32_t c = 0; c < pool->competitor_count; c++) {
            const vcs_competitor *competitor = &sim->competitors[pool->first_competitor + c];
            for (uint32_t q = 0; q < competitor->queue_count; q++) {
                slot += sim->queues[competitor->first_queue + q].slot_count;
            }
        }
    }
}

/* Whether a project takes part where an account is kept: on the resource with local accounting, else on any. */
static int has_tasks(const vcs_sliced *sim, const layout_scratch *scratch, uint32_t project, uint32_t resource) {
    const uint32_t *of_project = &scratch->competitor_of[project_resource_index(sim->state, project, 0)];
    if (sim->local) {
        return of_project[resource] != VCS_NONE;
    }
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        if (of_project[r] != VCS_NONE) {
            return 1;
        }
    }
    return 0;
}

/* The host's total in the unit of the loads. */
static double host_total(const vcs_sliced *sim, uint32_t resource) {
    if (sim->local) {
        return sim->pools[resource].instances;
    }
    double total = 0.0;
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        total += sim->pools[r].instances * sim->pools[r].speed;
    }
    return total;
}

/* What the competitors of a resource are measured against. */
static void set_standings(vcs_sliced *sim, const layout_scratch *scratch, uint32_t resource) {
    const vcs_state *state = sim->state;
    const uint32_t *by_id = vcs_project_order(state);
    vcs_priority_sums sums = {0};
    for (uint32_t i = 0; i < state->project_count; i++) {
        const vcs_project *project = &vcs_projects(state)[by_id[i]];
        if (has_tasks(sim, scratch, by_id[i], resource)) {
            const size_t index = project_resource_index(state, by_id[i], resource);
            vcs_sums_add(&sums, sim->local ? vcs_project_resources(state)[index].rec : project->rec, project->share);
        }
    }
    vcs_sums_close(&sums, state->parameters.period, host_total(sim, resource));
    const vcs_pool *pool = &sim->pools[resource];
    for (uint32_t c = 0; c < pool->competitor_count; c++) {
        vcs_competitor *competitor = &sim->competitors[pool->first_competitor + c];
        competitor->rec_sum = sums.rec;
        competitor->fraction = vcs_share_fraction(&sums, vcs_projects(state)[competitor->project].share);
        competitor->load_coefficient = sums.load_coefficient;
    }
}

static void open_accounts(vcs_sliced *sim) {
    const vcs_state *state = sim->state;
    sim->account_count = sim->local ? state->project_count * state->resource_count : state->project_count;
    for (uint32_t i = 0; i < sim->account_count; i++) {
        vcs_account *account = &sim->accounts[i];
        memset(account, 0, sizeof *account);
        account->rec = sim->local ? vcs_project_resources(state)[i].rec : vcs_projects(state)[i].rec;
        account->scaled = account->rec;
    }
}

/* The greatest use of one of a competitor's tasks, units. */
static int64_t widest_task(const vcs_sliced *sim, const vcs_competitor *competitor) {
    int64_t widest = 0;
    for (uint32_t q = 0; q < competitor->queue_count; q++) {
        const vcs_queue *queue = &sim->queues[competitor->first_queue + q];
        for (uint32_t slot = 0; slot < queue->slot_count; slot++) {
            int64_t use = sim->tasks[queue->first_slot + slot].use;
            widest = use > widest ? use : widest;
        }
    }
    return widest;
}

/* What a project could use of a resource: its share; under a limit or an exclusion, what these allow. */
static int64_t could_use(const vcs_sliced *sim, const layout_scratch *scratch, uint32_t p, uint32_t r,
                         double share_sum) {
    const vcs_project *project = &vcs_projects(sim->state)[p];
    const vcs_pool *pool = &sim->pools[r];
    const uint64_t excluded = vcs_project_resources(sim->state)[project_resource_index(sim->state, p, r)].excluded;
    if (pool->suspended || (project->flags & VCS_PROJECT_SUSPENDED) != 0) {
        return 0;
    }
    if (project->max_concurrent == 0 && excluded == 0) {
        return share_sum > 0.0 ? vcs_units(project->share / share_sum * pool->instances) : 0;
    }
    const uint32_t competitor = scratch->competitor_of[project_resource_index(sim->state, p, r)];
    const int64_t widest = competitor == VCS_NONE ? 0 : widest_task(sim, &sim->competitors[competitor]);
    return vcs_could_use(vcs_allowed_instances(pool->instances, excluded), project->max_concurrent, widest);
}

static void open_usages(vcs_sliced *sim, const layout_scratch *scratch) {
    const vcs_state *state = sim->state;
    const uint32_t *by_id = vcs_project_order(state);
    double share_sum = 0.0;
    for (uint32_t i = 0; i < state->project_count; i++) {
        const vcs_project *project = &vcs_projects(state)[by_id[i]];
        share_sum += (project->flags & VCS_PROJECT_SUSPENDED) == 0 ? project->share : 0.0;
    }
    for (uint32_t p = 0; p < state->project_count; p++) {
        for (uint32_t r = 0; r < state->resource_count; r++) {
            vcs_usage *usage = &sim->usages[project_resource_index(state, p, r)];
            memset(usage, 0, sizeof *usage);
            usage->could = could_use(sim, scratch, p, r, share_sum);
            usage->competitor = scratch->competitor_of[project_resource_index(state, p, r)];
        }
    }
}

void vcs_sliced_lay_out(vcs_sliced *sim, vcs_state *state) {
    layout_scratch scratch;
    vcs_arena arena = vcs_scratch(state);
    memset(sim, 0, sizeof *sim);
    sim->state = state;
    sim->resource_count = state->resource_count;
    sim->project_count = state->project_count;
    sim->local = state->parameters.accounting == VCS_ACCOUNTING_LOCAL;
    sim->freeze = state->parameters.freeze_rec;
    sim->overcommit = state->parameters.overcommit;
    sim->half_life = state->parameters.rec_half_life * 1e6;
    sim->decay = 1.0;
    layout_counts counts =
        count_layout(state->resource_count, state->project_count, state->app_count, state->task_count);
    take_memory(sim, &scratch, &counts, &arena);
    memset(sim->pools, 0, sizeof(vcs_pool) * sim->resource_count);
    count_tasks(sim, &scratch);
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        add_competitors(sim, &scratch, r);
    }
    add_queues(sim, &scratch);
    fill_queues(sim, &scratch);
    fill_pools(sim);
    open_accounts(sim);
    for (uint32_t r = 0; r < sim->resource_count; r++) {
        set_standings(sim, &scratch, r);
    }
    open_usages(sim, &scratch);
    if (sim->is_uniform) {
        vcs_uniform_open(sim);
    }
    if (!sim->is_uniform) {
        open_queues(sim);
    }
}
