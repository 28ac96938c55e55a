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

/* Approximate keys are right to within half of this part of them: each task that is taken rounds one more time. */
#define TOLERANCE (VCS_MOST_APPROXIMATE * 0x1p-52)

static double approximate_key(const vcs_general *g, uint32_t c) {
    const vcs_general_competitor *of = &g->competitors[c];
    return vcs_min(g->rec[of->account] * of->weight + g->load[of->account] * of->load_weight, DBL_MAX);
}

/* As rule 1.5 has it, from whole units. */
static double exact_key(const vcs_general *g, uint32_t c) {
    const vcs_sliced_competitor *competitor = &g->sim.competitors[c];
    const vcs_priority_sums *sums = &g->sim.resources[competitor->resource].sums;
    const int64_t *taken = &g->taken[vcs_sliced_index(&g->sim, competitor->project, 0)];
    double load = (double)taken[g->sim.local ? competitor->resource : 0];
    for (uint32_t r = 1; r < g->sim.resource_count && !g->sim.local; r++) {
        load += (double)taken[r] * g->sim.resources[r].speed;
    }
    const double x = g->rec[competitor->account] + load / (double)VCS_ONE * sums->load_coefficient;
    return vcs_min(-vcs_priority_of_fraction(x, sums->rec, competitor->fraction), DBL_MAX);
}

/* ---- The line of offers ---- */

static bool goes_before(const vcs_sliced_offer *a, const vcs_sliced_offer *b) {
    if (a->group != b->group) {
        return a->group < b->group;
    }
    return a->key != b->key ? a->key < b->key : a->competitor < b->competitor;
}

/* Puts the offers for a resource in order. It is hardly another than in the pick before. */
static void line_up(vcs_general *g, const vcs_sliced_resource *resource, bool exact) {
    vcs_sliced_offer *const first = &g->offers[resource->first], *const end = &g->offers[resource->end];
    for (vcs_sliced_offer *offer = first; offer < end; offer++) {
        offer->key = exact ? exact_key(g, offer->competitor) : approximate_key(g, offer->competitor);
        offer->next = offer->first;
        if (offer > first && goes_before(offer, offer - 1)) {
            const vcs_sliced_offer moved = *offer;
            vcs_sliced_offer *place = offer;
            do {
                *place = place[-1];
            } while (--place > first && goes_before(&moved, place - 1));
            *place = moved;
            g->sim.effort += (uint64_t)(offer - place);
        }
    }
}

/* The key of the first offer has grown: those that now go before it move up. Returns how many do. */
static inline uint64_t fall_back(vcs_sliced_offer *offer, const vcs_sliced_offer *end) {
    const vcs_sliced_offer *const first = offer;
    if (offer + 1 < end && goes_before(offer + 1, offer)) {
        const vcs_sliced_offer moved = *offer;
        do {
            offer[0] = offer[1];
            offer++;
        } while (offer + 1 < end && goes_before(offer + 1, &moved));
        *offer = moved;
    }
    return (uint64_t)(offer - first);
}

/* Whether the exact keys might say otherwise than that the first offer goes before the second. */
static bool is_close(const vcs_sliced_offer *offer) {
    return offer[1].key - offer[0].key < TOLERANCE * offer[1].key && offer[1].group == offer[0].group;
}

/* ---- The pick ---- */

/* Whether the limits of project and application let one more task of a class run. */
static bool has_room(const vcs_general *g, const vcs_task_class *class) {
    return !class->is_limited || (g->room[class->project] > 0 && g->room[class->app_limit] > 0);
}

/* Takes a task of a class if it fits and the limits allow it. */
static inline bool take(vcs_general *g, uint32_t r, uint32_t k, bool exact) {
    const vcs_task_class *class = &g->classes[k];
    uint64_t devices;
    if (!has_room(g, class)) {
        return false;
    }
    if (r == 0) {
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
        g->load[class->cpu_account] += class->cpu_load;
    }
    if (exact) {
        g->taken[class->first_usage + r] += class->units;
        g->taken[class->first_usage] += class->cpu_units;
    }
    if (class->is_limited) {
        g->room[class->project]--;
        g->room[class->app_limit]--;
    }
    g->picked[k]++;
    return true;
}

/* Whether not even the smallest task fits. */
static bool is_full(const vcs_general *g, uint32_t resource) {
    const int64_t least = g->least_use[resource];
    return resource == 0 ? !vcs_cpu_task_fits(&g->cpus, least) : vcs_devices_are_full(&g->devices, least);
}

/*
 * Takes tasks for a resource. Returns false if two keys were too close for approximate ones. Inline: the compiler makes
 * loops of their own for CPUs and GPUs, and for approximate keys, which saves 3 % of all instructions of a mixed host.
 */
static inline bool take_offers(vcs_general *g, uint32_t r, bool exact) {
    vcs_sliced_offer *offer = &g->offers[g->sim.resources[r].first];
    const vcs_sliced_offer *end = &g->offers[g->sim.resources[r].end];
    for (; offer < end; g->sim.effort++) {
        uint64_t *next = &g->next[offer->next];
        const uint32_t k = (uint32_t)*next;
        if (offer->next == offer->end || *next == VCS_NO_TASK) {
            offer++;
        } else if (!exact && offer + 1 < end && is_close(offer)) {
            return false;
        } else if (!take(g, r, k, exact)) {
            offer->next++;
        } else if (is_full(g, r)) {
            return true;
        } else {
            g->sim.effort +=
                vcs_replace_first(next, &g->next[offer->end], vcs_next_of(&g->classes[k], k, g->picked[k]));
            offer->key = exact ? exact_key(g, offer->competitor) : offer->key + g->classes[k].step;
            g->sim.effort += fall_back(offer, end);
        }
    }
    return true;
}

/* What is free of the devices. A remainder that is as small as an excess may be is not. */
static int64_t free_of_devices(const vcs_devices *devices) {
    int64_t free = 0;
    for (uint32_t i = 0; i < devices->count; i++) {
        free += devices->free[i] > VCS_DEVICE_EXCESS ? devices->free[i] : 0;
    }
    return free;
}

static bool pick_for(vcs_general *g, uint32_t r, bool exact) {
    vcs_sliced_resource *resource = &g->sim.resources[r];
    if (resource->first == resource->end) {
        resource->free = r == 0 ? g->cpus.free : resource->free;
        return true;
    }
    if (r > 0) {
        vcs_devices_begin(&g->devices, resource->instances);
    }
    line_up(g, resource, exact);
    const bool done = exact ? take_offers(g, r, true) : r == 0 ? take_offers(g, 0, false) : take_offers(g, r, false);
    resource->free = r == 0 ? g->cpus.free : free_of_devices(&g->devices);
    return done;
}

static bool pick_by(vcs_general *g, bool exact) {
    vcs_sliced *sim = &g->sim;
    sim->effort += g->class_count;
    vcs_cpus_begin(&g->cpus, sim->state);
    memcpy(g->room, g->limits, sizeof(uint32_t) * ((size_t)sim->project_count + sim->state->app_count + 1));
    if (exact) {
        memset(g->taken, 0, sizeof(int64_t) * (size_t)sim->project_count * sim->resource_count);
    }
    memset(g->load, 0, sizeof(double) * sim->account_count);
    memcpy(g->next, g->heads, sizeof(uint64_t) * g->class_count);
    memset(g->picked, 0, sizeof(uint32_t) * g->class_count);
    for (uint32_t r = sim->resource_count; r-- > 0;) {
        if (!pick_for(g, r, exact)) {
            return false;
        }
    }
    return true;
}

/* Where REC is so small a part of the terms it is made of that digits are lost, it is worked out as it is. */
#define LEAST_PART 0x1p-10

/* Where it is so small that keys might be denormal, which a thread may flush to 0, approximate ones do not serve. */
#define LEAST_REC 1e-80

/* Finds REC of each account, or nearly. Returns whether that serves for approximate keys. */
static bool find_approximate_rec(vcs_general *g) {
    const bool moved = vcs_sliced_let_decay(&g->sim);
    bool serves = true;
    for (uint32_t i = 0; i < g->account_count; i++) {
        vcs_sliced_account *account = &g->sim.accounts[g->accounts[i]];
        if (moved) {
            vcs_sliced_follow(&g->sim, account);
        }
        double rec = account->rate + account->above * g->sim.decay;
        if (rec < vcs_max(account->rate * LEAST_PART, LEAST_REC)) {
            rec = vcs_sliced_rec(&g->sim, account);
            serves &= !(rec > 0.0) || rec >= LEAST_REC;
        }
        g->rec[g->accounts[i]] = rec;
    }
    return serves;
}

static void find_exact_rec(vcs_general *g) {
    for (uint32_t i = 0; i < g->account_count; i++) {
        g->rec[g->accounts[i]] = vcs_sliced_rec(&g->sim, &g->sim.accounts[g->accounts[i]]);
    }
}

static void pick(vcs_general *g) {
    if (g->needs_exact || !find_approximate_rec(g) || !pick_by(g, false)) {
        find_exact_rec(g);
        pick_by(g, true);
    }
}

/* ---- What follows from a pick ---- */

static void find_next_finish(vcs_general *g, uint32_t k) {
    const vcs_class_task *tasks = g->classes[k].tasks;
    int64_t least = VCS_NEVER;
    for (uint32_t i = 0; i < g->running[k]; i++) {
        least = vcs_min_i64(tasks[i].time, least);
    }
    g->next_finish[k] = least;
}

/* Stops and starts tasks of a class so that those run that were picked. */
static void run_picked(vcs_general *g, uint32_t k) {
    vcs_class_task *tasks = g->classes[k].tasks;
    for (uint32_t i = g->picked[k]; i < g->running[k]; i++) {
        tasks[i].time -= g->sim.now;
    }
    for (uint32_t i = g->running[k]; i < g->picked[k]; i++) {
        tasks[i].time += g->sim.now;
    }
    g->running[k] = g->picked[k];
    find_next_finish(g, k);
}

static double flops_of(const vcs_general *g, const int64_t *used, uint32_t resource) {
    return vcs_instances(used[resource]) * g->sim.resources[resource].flops;
}

static void charge(vcs_general *g, size_t index, double flops) {
    vcs_sliced_charge(&g->sim, &g->sim.accounts[index], flops);
    vcs_sliced_follow(&g->sim, &g->sim.accounts[index]);
}

static void charge_accounts(vcs_general *g, uint32_t project) {
    const size_t first = vcs_sliced_index(&g->sim, project, 0);
    double flops = 0.0;
    for (uint32_t r = 0; r < g->sim.resource_count; r++) {
        if (g->sim.local) {
            charge(g, first + r, flops_of(g, &g->used[first], r));
        } else {
            flops += flops_of(g, &g->used[first], r);
        }
    }
    if (!g->sim.local) {
        charge(g, project, flops);
    }
}

/* Not as many tasks of a class run as before. */
static void use_more(vcs_general *g, uint32_t k) {
    const vcs_task_class *class = &g->classes[k];
    const uint32_t resource = g->competitors[class->competitor].resource;
    const int64_t more = (int64_t)g->picked[k] - g->settled[k];
    g->settled[k] = g->picked[k];
    g->used[class->first_usage + resource] += more * class->units;
    g->used[class->first_usage] += more * class->cpu_units;
}

/* What a project uses from now on. Nothing happens if it is the same, as when it was settled before. */
static void use_picked(vcs_general *g, uint32_t project) {
    const size_t first = vcs_sliced_index(&g->sim, project, 0);
    bool changes = false;
    for (uint32_t r = 0; r < g->sim.resource_count; r++) {
        vcs_sliced_usage *usage = &g->sim.usages[first + r];
        if (usage->used != g->used[first + r]) {
            vcs_sliced_set_used(&g->sim, usage, g->used[first + r]);
            changes = true;
        }
    }
    if (changes && !g->sim.freeze) {
        charge_accounts(g, project);
    }
}

/* Returns when the first of the tasks that run now finishes; VCS_NEVER if none runs. */
static int64_t settle(vcs_general *g) {
    const uint32_t class_count = g->class_count, *const picked = g->picked;
    const uint32_t *const running = g->running, *const settled = g->settled;
    const int64_t *const next_finish = g->next_finish;
    int64_t first = VCS_NEVER;
    uint32_t changed = 0;
    for (uint32_t k = 0; k < class_count; k++) {
        if (running[k] != picked[k]) {
            run_picked(g, k);
        }
        if (settled[k] != picked[k]) {
            use_more(g, k);
            g->changed[changed++] = g->classes[k].project;
        }
        first = vcs_min_i64(next_finish[k], first);
    }
    for (uint32_t i = 0; i < changed; i++) {
        use_picked(g, g->changed[i]);
    }
    for (uint32_t r = 0; r < g->sim.resource_count; r++) {
        vcs_sliced_settle(&g->sim, &g->sim.resources[r]);
    }
    return first;
}

/* Whether tasks of a class were not picked although the limits would let one run. */
static bool has_unpicked(const vcs_general *g, uint32_t k) {
    return g->picked[k] < g->classes[k].unfinished && has_room(g, &g->classes[k]);
}

/* Something is idle for the first time: beside that, a task that waits does not fit. */
static void note_waiting(vcs_general *g, uint32_t resource) {
    for (uint32_t k = 0; k < g->class_count; k++) {
        const vcs_general_competitor *of = &g->competitors[g->classes[k].competitor];
        const size_t index = vcs_sliced_index(&g->sim, of->project, of->resource);
        vcs_project_resource_forecasts(g->sim.state)[index].waits_for_fit |=
            of->resource == resource && has_unpicked(g, k);
    }
}

static void note_first_idleness(vcs_general *g) {
    for (uint32_t r = 0; r < g->sim.resource_count; r++) {
        if (g->sim.resources[r].saturated == g->sim.now && g->sim.resources[r].idle > 0) {
            note_waiting(g, r);
        }
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

/* The first unfinished task of a class is another. */
static void find_head(vcs_general *g, uint32_t k) {
    const vcs_general_competitor *competitor = &g->competitors[g->classes[k].competitor];
    uint64_t *head = &g->heads[competitor->first_class];
    while ((uint32_t)*head != k) {
        head++;
    }
    g->sim.effort += vcs_replace_first(head, &g->heads[competitor->end_class], vcs_next_of(&g->classes[k], k, 0));
}

/* Tasks of a class whose time has come finish. The others that run close up from the back. */
static void finish_of_class(vcs_general *g, uint32_t k) {
    vcs_task_class *class = &g->classes[k];
    uint32_t place = g->running[k];
    for (uint32_t i = place; i-- > 0;) {
        if (class->tasks[i].time == g->sim.now) {
            vcs_sliced_finish(&g->sim, class->tasks[i].task);
        } else {
            class->tasks[--place] = class->tasks[i];
        }
    }
    class->tasks += place;
    class->unfinished -= place;
    g->running[k] -= place;
    find_head(g, k);
    find_next_finish(g, k);
}

static void finish_due(vcs_general *g) {
    const uint32_t class_count = g->class_count;
    const int64_t now = g->sim.now, *const next_finish = g->next_finish;
    for (uint32_t k = 0; k < class_count; k++) {
        if (next_finish[k] == now) {
            finish_of_class(g, k);
        }
    }
}

void vcs_sliced_general(vcs_state *state, vcs_wrr_summary *summary) {
    vcs_general g;
    vcs_general_lay_out(&g, state);
    pick(&g);
    int64_t first_finish = settle(&g);
    note_first_pick(&g);
    note_first_idleness(&g);
    vcs_sliced_end_of_step end;
    while ((end = vcs_sliced_step(&g.sim, first_finish)) < VCS_SLICED_ALL_DONE) {
        if (end == VCS_SLICED_SOME_FINISH) {
            finish_due(&g);
        }
        pick(&g);
        first_finish = settle(&g);
        note_first_idleness(&g);
    }
    vcs_sliced_report(&g.sim, end == VCS_SLICED_STOPPED, summary);
}
