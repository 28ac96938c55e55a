/* SPDX-License-Identifier: MIT */
#include "vcsched/simulation/sliced/sliced_slices.h"

#include "vcsched/simulation/sliced/class_limits.h"
#include "vcsched/simulation/slice.h"

/* ---- Which slices there are ---- */

/* Whether a task has a slice, on whatever resource. */
static bool has_slice(const vcs_general *g, const vcs_periods *periods, const vcs_prepared_task *task) {
    return task->can_start && vcs_keeps_place_for(g->sim.state, periods, task) > 0;
}

/* Finds the resources on which slices count. Returns whether there is any. */
static bool find_resources(vcs_general *g, const vcs_periods *periods) {
    const vcs_state *state = g->sim.state;
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    bool any = g->sim.resources[0].has_slices = periods->has_wide;
    for (uint32_t r = 1; r < state->resource_count; r++) {
        g->sim.resources[r].has_slices = false;
    }
    for (uint32_t i = 0; i < state->task_count && state->resource_count > 1; i++) {
        if (tasks[i].gpu_units % VCS_ONE != 0 && has_slice(g, periods, &tasks[i])) {
            any = g->sim.resources[tasks[i].resource].has_slices = true;
        }
    }
    return any;
}

static vcs_slice slice_of(const vcs_general *g, uint32_t task, int64_t end) {
    const vcs_prepared_task *of = &vcs_prepared_tasks(g->sim.state)[task];
    return (vcs_slice){
        .end = end,
        .devices = of->resource == 0 ? 0 : vcs_task_records(g->sim.state)[task].devices,
        .resource = of->resource,
        .loss = vcs_micros(vcs_loss(of)),
    };
}

/* Sorts the slices by end, the last first, then by arrival; `order` begins with their tasks. */
static void sort_slices(vcs_general *g, const vcs_periods *periods, uint32_t *order, uint32_t count) {
    vcs_sort_item *items = (void *)g->tasks; /* twice as many as tasks, and not in use yet */
    for (uint32_t i = 0; i < count; i++) {
        const vcs_prepared_task *task = &vcs_prepared_tasks(g->sim.state)[order[i]];
        const uint64_t end = (uint64_t)vcs_keeps_place_for(g->sim.state, periods, task);
        items[i] = (vcs_sort_item){~end, order[i], 0};
    }
    vcs_sort(items, items + count, count);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = items[i].index;
        g->slices[i] = slice_of(g, order[i], (int64_t)~items[i].key);
    }
}

void vcs_find_slices(vcs_general *g) {
    uint32_t *const marks = g->class_of; /* not in use yet */
    const vcs_state *state = g->sim.state;
    const uint32_t *by_arrival = vcs_arrival_order(state);
    const vcs_periods periods = vcs_find_periods(state);
    uint32_t count = 0, others = 0;
    if (!find_resources(g, &periods)) {
        return;
    }
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &vcs_prepared_tasks(state)[by_arrival[i]];
        marks[i] = g->sim.resources[task->resource].has_slices && has_slice(g, &periods, task);
        if (marks[i]) {
            g->own_order[count++] = by_arrival[i];
        }
    }
    for (uint32_t i = 0; i < state->task_count; i++) {
        if (!marks[i]) {
            g->own_order[count + others++] = by_arrival[i];
        }
    }
    sort_slices(g, &periods, g->own_order, count);
    g->slice_count = count;
    g->order = g->own_order;
}

void vcs_classify_slices(vcs_general *g) {
    for (uint32_t i = 0; i < g->slice_count; i++) {
        g->slices[i].class = g->class_of[i];
    }
}

int64_t vcs_end_slices(vcs_general *g) {
    while (g->slice_count > 0 && g->slices[g->slice_count - 1].end <= g->sim.now) {
        g->slice_count--;
    }
    return g->slice_count > 0 ? g->slices[g->slice_count - 1].end : VCS_NEVER;
}

/* ---- Picking their tasks ---- */

/* Occupies the place of a slice, on its own devices if they are known. Returns whether there was room. */
static bool occupy_place(vcs_general *g, const vcs_slice *slice, const vcs_task_class *class) {
    uint64_t devices = slice->devices;
    if (!vcs_has_room(g, class)) {
        return false;
    }
    if (slice->resource == 0) {
        if (!vcs_cpu_task_fits(&g->cpus, class->units)) {
            return false;
        }
        vcs_cpus_occupy_by_cpu_task(&g->cpus, class->units);
    } else {
        const uint64_t allowed = class->has_device_limit ? vcs_devices_within_limits(g, class) : class->allowed;
        if (!vcs_cpu_share_fits(&g->cpus, class->cpu_units) ||
            (!vcs_devices_suit(&g->devices, class->units, allowed, devices) &&
             !vcs_devices_find(&g->devices, class->units, allowed, &devices))) {
            return false;
        }
        vcs_devices_occupy(&g->devices, class->units, devices);
        if (class->has_device_limit) {
            vcs_note_device_use(g, class, devices);
        }
        vcs_cpus_occupy(&g->cpus, class->cpu_units, true);
    }
    vcs_use_room(g, class);
    return true;
}

/* Lets the competitor of a class offer its next task after the first one has been picked. */
static void skip_first(vcs_general *g, uint32_t k, const vcs_task_class *class) {
    uint64_t *next = g->offers[class->competitor].first;
    while ((uint32_t)*next != k) {
        VCS_INVARIANT(next < g->next + g->class_count + g->sim.competitor_count); /* it has a task to offer */
        next++;
    }
    vcs_replace_first(next, g->next + g->class_count + g->sim.competitor_count, class->tasks[class->picked].arrival,
                      &g->sim.effort);
}

void vcs_pick_slices(vcs_general *g, uint32_t resource, bool exact) {
    for (uint32_t i = 0; i < g->slice_count; i++) {
        const vcs_slice *slice = &g->slices[i];
        vcs_task_class *class = &g->classes[slice->class];
        if (slice->resource != resource || !occupy_place(g, slice, class)) {
            continue;
        }
        vcs_count_picked(g, class, slice->class);
        skip_first(g, slice->class, class);
        if (exact) {
            g->taken[class->usage] += class->units;
            g->taken[class->cpu_usage] += class->cpu_units;
        } else {
            vcs_sliced_offer *offer = &g->offers[class->competitor];
            offer->load += class->step;
            vcs_add_load(resource > 0 ? offer->below : NULL, class->other_load);
        }
    }
    g->sim.effort += g->slice_count;
}

bool vcs_waits_for_slices(const vcs_general *g, uint32_t resource) {
    bool any = false;
    for (uint32_t i = 0; i < g->slice_count && resource > 0; i++) {
        any |= g->slices[i].resource == resource;
    }
    if (!any) {
        return false;
    }
    for (uint32_t k = 0; k < g->class_count; k++) {
        const vcs_task_class *class = &g->classes[k];
        if (g->sim.competitors[class->competitor].resource == resource && class->settled < class->unfinished &&
            vcs_has_room(g, class) && !class->is_at_device_limit) {
            return true;
        }
    }
    return false;
}

/* ---- Yielding ---- */

/* Whether a slice is of a CPU task of fewer CPUs than the wide task for which CPUs are held. */
static bool is_smaller(const vcs_general *g, const vcs_slice *slice) {
    return slice->resource == 0 && g->classes[slice->class].units < g->held;
}

bool vcs_slices_yield(vcs_general *g) {
    vcs_yield yield = {0, 0};
    uint32_t kept = 0;
    if (g->held == 0 || !vcs_cpu_task_fits(&g->cpus, g->least_use[0])) {
        return false;
    }
    for (uint32_t i = 0; i < g->slice_count; i++) {
        if (is_smaller(g, &g->slices[i])) {
            vcs_yield_add(&yield, g->slices[i].loss, g->slices[i].end - g->sim.now);
        }
    }
    if (!vcs_yield_pays(&yield)) {
        return false;
    }
    for (uint32_t i = 0; i < g->slice_count; i++) {
        if (!is_smaller(g, &g->slices[i])) {
            g->slices[kept++] = g->slices[i];
        }
    }
    g->slice_count = kept;
    return true;
}
