/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/deadline/placement.h"

#include "vcsched/core/min_tree.h"
#include "vcsched/simulation/fit.h"

/* Residents are numbered in 32 bits. More tasks than this are not placed on timelines: it would take minutes. */
#define MOST_PLACED (UINT64_C(1) << 30)

/* ---- Memory ---- */

/*
 * A tree has less than twice as many leaves as there are instances, and twice as many nodes as leaves. A task adds one
 * resident on the CPU and one on a GPU, or is alone on each of its instances. A host with GPUs has two timelines of the
 * CPUs.
 */
void vcs_plan_lay_out(vcs_plan *plan, const vcs_counts *counts, vcs_arena *arena) {
    const uint64_t times = counts->resources > 1 ? 2 : 1, instances = times * counts->instances;
    const uint64_t residents = instances + (times + 1) * (counts->tasks + counts->candidates);
    const uint64_t places = vcs_min_u64(residents, VCS_NO_NODE); /* see MOST_PLACED */
    plan->free_times = vcs_arena_allocate(arena, 1, sizeof *plan->free_times);
    plan->line = vcs_arena_allocate(arena, counts->instances, sizeof *plan->line);
    plan->heap = vcs_arena_allocate(arena, counts->instances + 1, sizeof *plan->heap);
    plan->timelines = vcs_arena_allocate(arena, counts->resources + 1, sizeof *plan->timelines);
    plan->residents = vcs_arena_allocate(arena, 1, sizeof *plan->residents);
    plan->instances = vcs_arena_allocate(arena, instances, sizeof *plan->instances);
    plan->trees = vcs_arena_allocate(arena, 4 * VCS_TIMELINE_USES * instances, sizeof *plan->trees);
    plan->chosen = vcs_arena_allocate(arena, instances, sizeof *plan->chosen);
    plan->nodes = vcs_arena_allocate(arena, places, sizeof *plan->nodes);
    plan->units = vcs_arena_allocate(arena, places, sizeof *plan->units);
    plan->sums = vcs_arena_allocate(arena, places, sizeof *plan->sums);
    plan->ends = vcs_arena_allocate(arena, places, sizeof *plan->ends);
}

static uint32_t timelines_of(const vcs_state *state) {
    return state->resource_count + (state->resource_count > 1);
}

/* Points the free times and the timelines at their memory. */
static void point_into_memory(vcs_plan *plan) {
    uint64_t instances = 0, nodes = 0;
    plan->free_times->line = plan->line;
    plan->free_times->heap = plan->heap;
    plan->residents->tree = (vcs_search_tree){plan->nodes, plan->units, plan->sums};
    plan->residents->ends = plan->ends;
    for (uint32_t r = 0; r < timelines_of(plan->state); r++) {
        vcs_timeline *timeline = &plan->timelines[r];
        timeline->row = plan->instances + instances;
        timeline->chosen = plan->chosen + instances;
        timeline->trees = plan->trees + nodes;
        timeline->residents = plan->residents;
        instances += timeline->instances;
        nodes += (uint64_t)2 * timeline->width * VCS_TIMELINE_USES;
    }
}

/* ---- Beginning ---- */

void vcs_plan_resume(vcs_plan *plan, const vcs_state *state) {
    const vcs_parameters *parameters = &state->parameters;
    plan->state = state;
    plan->horizon = parameters->horizon > 0.0 ? vcs_micros(parameters->horizon) : VCS_NEVER;
    plan->budget = parameters->step_budget > 0 ? parameters->step_budget : UINT64_MAX;
    plan->most_effort = parameters->placement_effort > 0 ? parameters->placement_effort : UINT64_MAX;
    plan->placed = 0;
    plan->openings = NULL;
    plan->cpus = vcs_resources(state)[0].instances;
    plan->single = (plan->timelines[0].expected & VCS_EXPECTED_OTHER) == 0;
    for (uint32_t r = 1; r < timelines_of(state); r++) {
        plan->single &= plan->timelines[r].expected == 0;
    }
    plan->budget = plan->single ? plan->budget : vcs_min_u64(plan->budget, MOST_PLACED);
    point_into_memory(plan);
}

void vcs_plan_begin(vcs_plan *plan, const vcs_state *state) {
    for (uint32_t r = 0; r < timelines_of(state); r++) {
        vcs_timeline_begin(&plan->timelines[r], vcs_resources(state)[r % state->resource_count].instances);
    }
    vcs_plan_resume(plan, state);
    plan->residents->effort = 0;
}

void vcs_plan_clear(vcs_plan *plan) {
    plan->placed = 0;
    plan->idle = VCS_NEVER;
    if (plan->single) {
        vcs_free_times_clear(plan->free_times, plan->cpus);
        return;
    }
    plan->residents->unused = VCS_NO_NODE;
    plan->residents->taken = 0;
    for (uint32_t r = 0; r < timelines_of(plan->state); r++) {
        vcs_timeline_clear(&plan->timelines[r]);
    }
}

/* ---- Placing ---- */

static vcs_need cpu_need_of(const vcs_prepared_task *task) {
    return (vcs_need){task->cpu_units, 0, NULL};
}

static vcs_need gpu_need_of(const vcs_plan *plan, const vcs_prepared_task *task) {
    if (task->resource == 0) {
        return (vcs_need){0, 0, NULL};
    }
    return (vcs_need){task->gpu_units, ~vcs_allowed_devices(plan->state, task), plan->openings};
}

bool vcs_plan_suffices(const vcs_plan *plan, const vcs_prepared_task *task) {
    const vcs_need cpus = cpu_need_of(task), gpus = gpu_need_of(plan, task);
    return plan->single || (vcs_timeline_suffices(&plan->timelines[0], &cpus) &&
                            vcs_timeline_suffices(&plan->timelines[task->resource], &gpus));
}

int64_t vcs_plan_first_free(const vcs_plan *plan, const vcs_prepared_task *task) {
    const vcs_timeline *cpus = vcs_plan_cpus(plan, task);
    const vcs_need cpu_need = cpu_need_of(task), gpu_need = gpu_need_of(plan, task);
    const int64_t cpu = vcs_timeline_first_free(cpus, &cpu_need);
    const int64_t gpu = vcs_timeline_first_free(&plan->timelines[task->resource], &gpu_need);
    const int64_t first = cpus != plan->timelines && gpu < VCS_NEVER ? gpu : vcs_min_i64(cpu, gpu);
    return first < VCS_NEVER ? first : 0;
}

int64_t vcs_plan_gpu_start(const vcs_plan *plan, const vcs_prepared_task *task) {
    const vcs_need need = gpu_need_of(plan, task);
    return vcs_timeline_when(&plan->timelines[task->resource], &need);
}

static int64_t place_on_a_cpu(vcs_plan *plan, const vcs_prepared_task *task, int64_t earliest) {
    const int64_t least = vcs_free_times_least(plan->free_times), start = vcs_max_i64(least, earliest);
    if (start > plan->horizon) {
        return VCS_NOT_REACHED;
    }
    if (start > least) {
        plan->idle = vcs_min_i64(least, plan->idle);
    }
    vcs_free_times_occupy(plan->free_times, vcs_finish_of(start, task->run_time));
    plan->placed++;
    return start;
}

int64_t vcs_place_from(vcs_plan *plan, const vcs_prepared_task *task, int64_t earliest) {
    if (vcs_plan_is_used_up(plan)) {
        return VCS_NOT_REACHED;
    }
    if (plan->single) {
        return place_on_a_cpu(plan, task, earliest);
    }
    if (!vcs_plan_suffices(plan, task)) {
        return VCS_STUCK;
    }
    vcs_timeline *cpus = vcs_plan_cpus(plan, task), *gpus = &plan->timelines[task->resource];
    vcs_timeline *shares = plan->state->resource_count > 1 && cpus == plan->timelines ? vcs_plan_shares(plan) : NULL;
    const vcs_need cpu_need = cpu_need_of(task), gpu_need = gpu_need_of(plan, task);
    const int64_t cpu_start = vcs_timeline_earliest(cpus, &cpu_need);
    const int64_t gpu_start = vcs_timeline_earliest(gpus, &gpu_need);
    const int64_t start = vcs_max_i64(vcs_max_i64(cpu_start, gpu_start), earliest);
    /* Tasks start when others finish: the host suffices, so some instances are free for it at some time. */
    VCS_INVARIANT(start >= 0 && start <= VCS_FOREVER);
    if (start > plan->horizon) {
        return VCS_NOT_REACHED; /* nothing is placed any more, so instances may stay set aside */
    }
    int64_t finish = vcs_finish_of(start, task->run_time);
    vcs_timeline_book(cpus, &cpu_need, start, finish, shares != NULL && shares->expected != 0 ? shares : NULL);
    vcs_timeline_book(gpus, &gpu_need, start, finish, NULL);
    plan->placed++;
    return start;
}

int64_t vcs_plan_busy(const vcs_plan *plan, uint32_t resource) {
    if (plan->single) {
        return resource == 0 ? vcs_min_i64(vcs_free_times_least(plan->free_times), plan->idle) : 0;
    }
    return vcs_timeline_busy(&plan->timelines[resource]);
}
