/*
 * The sliced simulation for every host, from the first pick to the last finish.
 *
 * Rule 4.3; the plain reference is tests/oracle/oracle_sliced.c.
 *
 *   sliced_classes.c   lays out the tasks in classes
 *
 * A pick takes tasks in rank order until nothing is free. It begins with nothing in every step and counts how many
 * tasks of each class it takes; then those are stopped and started that make the difference to the step before.
 *
 * A key is the priority with its sign turned: the task with the least key is taken first. Ties go to the competitor
 * listed first, which is that of the lower project id. The key of a competitor grows with what is picked of it, so it
 * is put down as approximate keys: a step is added for each task. Where two are too close to tell which one is less,
 * the pick is made once more with the keys of rule 1.5, so that the outcome is always theirs.
 *
 * SPDX-License-Identifier: MIT
 */
#include "simulation/sliced_general.h"

#include "simulation/sliced_classes.h"

#include <float.h>
#include <string.h>

/* ---- Keys ---- */

/* REC of a competitor now. */
static double rec_of(vcs_general *g, uint32_t account) {
    if (g->rec_time[account] != g->sim.now) {
        g->rec_time[account] = g->sim.now;
        g->rec[account] = vcs_sliced_rec(&g->sim, &g->sim.accounts[account]);
    }
    return g->rec[account];
}

/* The load of a competitor's project at this point of the pick (rule 1.5). */
static double load_of(const vcs_general *g, const vcs_sliced_competitor *competitor) {
    const int64_t *used = &g->used[vcs_sliced_index(&g->sim, competitor->project, 0)];
    if (g->sim.local) {
        return vcs_instances(used[competitor->resource]);
    }
    double load = (double)used[0];
    for (uint32_t r = 1; r < g->sim.resource_count; r++) {
        load += (double)used[r] * g->sim.resources[r].speed;
    }
    return load / (double)VCS_ONE;
}

static double key_of(vcs_general *g, uint32_t c, bool exact) {
    const vcs_sliced_competitor *competitor = &g->sim.competitors[c];
    const vcs_priority_sums *sums = &g->sim.resources[competitor->resource].sums;
    const double x = rec_of(g, competitor->account) + load_of(g, competitor) * sums->load_coefficient;
    const double key = exact ? -vcs_priority_of_fraction(x, sums->rec, competitor->fraction) : x * g->offers[c].weight;
    return vcs_min(key, DBL_MAX);
}

/* The competitor whose next task comes first; on ties the one listed first. */
static uint32_t best_of(const vcs_general *g, uint32_t first, uint32_t end) {
    uint32_t best = first;
    for (uint32_t c = first + 1; c < end; c++) {
        best = g->keys[c] < g->keys[best] ? c : best;
    }
    return best;
}

/* ---- Offers ---- */

static void set_next(const vcs_general *g, uint32_t k) {
    const vcs_task_class *class = &g->classes[k];
    g->next[k] =
        class->picked < class->unfinished ? (uint64_t) class->tasks[class->picked].arrival << 32 | k : VCS_NO_OFFER;
}

static void open_offer(vcs_general *g, uint32_t c, bool exact) {
    for (uint32_t k = g->offers[c].first_class; k < g->offers[c].end_class; k++) {
        g->classes[k].picked = 0;
        set_next(g, k);
    }
    g->keys[c] = key_of(g, c, exact);
}

/* The class whose task a competitor offers next, the first to arrive; VCS_NONE if it has none. */
static uint32_t next_class(const vcs_general *g, uint32_t c) {
    uint64_t next = VCS_NO_OFFER;
    for (uint32_t k = g->offers[c].first_class; k < g->offers[c].end_class; k++) {
        next = vcs_min_u64(g->next[k], next);
    }
    return g->room[g->sim.competitors[c].project] == 0 ? VCS_NONE : (uint32_t)next;
}

/* ---- The pick ---- */

/* Takes a task of a class if it fits and its application's limit allows it. */
static bool take(vcs_general *g, const vcs_sliced_competitor *of, vcs_task_class *class) {
    uint32_t *app_room = class->app == VCS_NONE ? NULL : &g->room[g->sim.project_count + class->app];
    uint64_t devices;
    if (app_room != NULL && *app_room == 0) {
        return false;
    }
    int64_t *used = &g->used[vcs_sliced_index(&g->sim, of->project, 0)];
    if (of->resource == 0) {
        if (!vcs_cpu_task_fits(&g->cpus, class->units)) {
            return false;
        }
        vcs_cpus_take(&g->cpus, class->units, false);
    } else {
        if (!vcs_cpu_share_fits(&g->cpus, class->cpu_units) ||
            !vcs_devices_find(&g->devices, class->units, class->allowed, &devices)) {
            return false;
        }
        vcs_cpus_take(&g->cpus, class->cpu_units, true);
        vcs_devices_take(&g->devices, class->units, devices);
        used[0] += class->cpu_units;
    }
    used[of->resource] += class->units;
    class->picked++;
    g->room[of->project]--;
    if (app_room != NULL) {
        (*app_room)--;
    }
    return true;
}

static bool is_full(const vcs_general *g, uint32_t resource) {
    return resource == 0 && !g->has_zero_uses && vcs_cpus_are_full(&g->cpus);
}

/* Picks among competitors of one group. Returns false if two keys were too close for approximate ones. */
static bool pick_from(vcs_general *g, uint32_t first, uint32_t end, bool exact) {
    uint32_t last = VCS_NONE;
    double reached = 0.0, tolerance = 0x1p-50;
    for (;;) {
        const uint32_t c = best_of(g, first, end);
        const vcs_sliced_competitor *competitor = &g->sim.competitors[c];
        const double key = g->keys[c];
        if (!exact && last != VCS_NONE && c != last && key - reached < tolerance * key) {
            return false;
        }
        if (key == VCS_INFINITY || is_full(g, competitor->resource)) {
            return true;
        }
        const uint32_t k = next_class(g, c);
        if (k == VCS_NONE) {
            g->keys[c] = VCS_INFINITY;
        } else if (take(g, competitor, &g->classes[k])) {
            set_next(g, k);
            g->keys[c] = exact ? key_of(g, c, true) : key + g->classes[k].step;
            tolerance += 0x1p-52; /* one more rounding in each of two keys */
            last = c;
            reached = key;
        } else {
            g->next[k] = VCS_NO_OFFER;
        }
    }
}

/* What is free of the devices. A remainder that is as small as an excess may be is not. */
static int64_t free_of_devices(const vcs_devices *devices) {
    int64_t free = 0;
    for (uint32_t i = 0; i < devices->count; i++) {
        free += devices->free[i] > VCS_DEVICE_EXCESS ? devices->free[i] : 0;
    }
    return free;
}

/* By group: a lower one goes first, whatever the keys. */
static bool pick_for(vcs_general *g, uint32_t r, bool exact) {
    vcs_sliced_resource *resource = &g->sim.resources[r];
    if (r > 0 && resource->first < resource->end) {
        vcs_devices_begin(&g->devices, resource->instances);
    }
    for (uint32_t c = resource->first; c < resource->end; c++) {
        open_offer(g, c, exact);
    }
    for (uint32_t first = resource->first, end; first < resource->end; first = end) {
        const uint32_t group = g->sim.competitors[first].group;
        end = first + 1;
        while (end < resource->end && g->sim.competitors[end].group == group) {
            end++;
        }
        if (!pick_from(g, first, end, exact)) {
            return false;
        }
    }
    if (r == 0) {
        resource->free = g->cpus.free;
    } else if (resource->first < resource->end) {
        resource->free = free_of_devices(&g->devices);
    }
    return true;
}

static bool pick_by(vcs_general *g, bool exact) {
    const vcs_state *state = g->sim.state;
    vcs_cpus_begin(&g->cpus, state);
    memcpy(g->room, g->limits, sizeof(uint32_t) * ((size_t)state->project_count + state->app_count));
    memset(g->used, 0, sizeof(int64_t) * (size_t)state->project_count * state->resource_count);
    for (uint32_t r = g->sim.resource_count; r-- > 0;) {
        if (!pick_for(g, r, exact)) {
            return false;
        }
    }
    return true;
}

static void pick(vcs_general *g) {
    if (g->needs_exact || !pick_by(g, false)) {
        pick_by(g, true);
    }
}

/* ---- What follows from a pick ---- */

static void find_next_finish(vcs_general *g, uint32_t k) {
    const vcs_task_class *class = &g->classes[k];
    int64_t least = VCS_NEVER;
    for (uint32_t i = 0; i < class->running; i++) {
        least = vcs_min_i64(class->tasks[i].time, least);
    }
    g->next_finish[k] = least;
}

/* Stops and starts tasks so that those run that were picked. */
static void run_picked(vcs_general *g, uint32_t k) {
    vcs_task_class *class = &g->classes[k];
    if (class->running == class->picked) {
        return;
    }
    while (class->running > class->picked) {
        class->tasks[--class->running].time -= g->sim.now;
    }
    while (class->running < class->picked) {
        class->tasks[class->running++].time += g->sim.now;
    }
    find_next_finish(g, k);
}

static double flops_of(const vcs_general *g, const int64_t *used, uint32_t resource) {
    return vcs_instances(used[resource]) * g->sim.resources[resource].flops;
}

static void charge_accounts(vcs_general *g, uint32_t project) {
    const size_t first = vcs_sliced_index(&g->sim, project, 0);
    const int64_t *used = &g->used[first];
    double flops = 0.0;
    for (uint32_t r = 0; r < g->sim.resource_count; r++) {
        if (g->sim.local) {
            vcs_sliced_charge(&g->sim, &g->sim.accounts[first + r], flops_of(g, used, r));
        } else {
            flops += flops_of(g, used, r);
        }
    }
    if (!g->sim.local) {
        vcs_sliced_charge(&g->sim, &g->sim.accounts[project], flops);
    }
}

/* What a project uses from now on. */
static void use_picked(vcs_general *g, uint32_t project) {
    const size_t first = vcs_sliced_index(&g->sim, project, 0);
    bool changes = false;
    for (size_t i = first; i < first + g->sim.resource_count; i++) {
        changes |= g->sim.usages[i].used != g->used[i];
        vcs_sliced_set_used(&g->sim, &g->sim.usages[i], g->used[i]);
    }
    if (changes && !g->sim.freeze) {
        charge_accounts(g, project);
    }
}

static void settle(vcs_general *g) {
    for (uint32_t k = 0; k < g->class_count; k++) {
        run_picked(g, k);
    }
    for (uint32_t p = 0; p < g->sim.project_count; p++) {
        use_picked(g, p);
    }
    for (uint32_t r = 0; r < g->sim.resource_count; r++) {
        vcs_sliced_settle(&g->sim, &g->sim.resources[r]);
    }
}

/* What each project uses from the start, and what is idle. */
static void note_first_pick(vcs_general *g) {
    const size_t project_resources = (size_t)g->sim.project_count * g->sim.resource_count;
    for (size_t i = 0; i < project_resources; i++) {
        vcs_project_resource_forecasts(g->sim.state)[i].used_now = vcs_instances(g->used[i]);
    }
    vcs_sliced_note_idle(&g->sim);
}

/* ---- Time ---- */

static int64_t first_finish(const vcs_general *g) {
    int64_t first = VCS_NEVER;
    for (uint32_t k = 0; k < g->class_count; k++) {
        first = vcs_min_i64(g->next_finish[k], first);
    }
    return first;
}

/* Tasks of a class whose time has come finish. The others that run close up from the back. */
static void finish_of_class(vcs_general *g, uint32_t k) {
    vcs_task_class *class = &g->classes[k];
    uint32_t place = class->running;
    for (uint32_t i = class->running; i-- > 0;) {
        if (class->tasks[i].time == g->sim.now) {
            vcs_sliced_finish(&g->sim, class->tasks[i].task);
        } else {
            class->tasks[--place] = class->tasks[i];
        }
    }
    class->tasks += place;
    class->unfinished -= place;
    class->running -= place;
    find_next_finish(g, k);
}

static void finish_due(vcs_general *g) {
    for (uint32_t k = 0; k < g->class_count; k++) {
        if (g->next_finish[k] == g->sim.now) {
            finish_of_class(g, k);
        }
    }
}

void vcs_sliced_general(vcs_state *state, vcs_wrr_summary *summary) {
    vcs_general g;
    vcs_general_lay_out(&g, state);
    pick(&g);
    settle(&g);
    note_first_pick(&g);
    vcs_sliced_end_of_step end;
    while ((end = vcs_sliced_step(&g.sim, first_finish(&g))) < VCS_SLICED_ALL_DONE) {
        if (end == VCS_SLICED_SOME_FINISH) {
            finish_due(&g);
        }
        pick(&g);
        settle(&g);
    }
    vcs_sliced_report(&g.sim, end == VCS_SLICED_STOPPED, summary);
}
