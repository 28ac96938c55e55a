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

#include "core/compiler.h"
#include "simulation/sliced_classes.h"

#include <float.h>
#include <string.h>

/* ---- Keys ---- */

/* Approximate keys are right to within half of this part of them: each task that is taken rounds one more time. */
#define TOLERANCE (VCS_MOST_APPROXIMATE * 0x1p-52)

static double approximate_key(const vcs_general *g, const vcs_sliced_offer *of) {
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

/* Whether an offer goes before the one in front of it, whose group is not higher. */
static bool overtakes(const vcs_sliced_offer *offer, const vcs_sliced_offer *front) {
    return offer->key <= front->key && offer->group == front->group &&
           (offer->key < front->key || offer->competitor < front->competitor);
}

/* Puts the offers for a resource in order. It is hardly another than in the pick before. */
static void line_up(vcs_general *g, uint32_t r, bool exact) {
    vcs_sliced_offer *const first = vcs_first_offer(g, r), *const end = vcs_end_of_offers(g, r);
    uint64_t *const next = g->next;
    for (vcs_sliced_offer *offer = first; offer < end; offer++) {
        offer->key = exact ? exact_key(g, offer->competitor) : approximate_key(g, offer);
        offer->next = next + offer->first;
        if (offer > first && overtakes(offer, offer - 1)) {
            const vcs_sliced_offer moved = *offer;
            vcs_sliced_offer *place = offer;
            do {
                *place = place[-1];
                g->sim.effort++;
            } while (--place > first && overtakes(&moved, place - 1));
            *place = moved;
        }
    }
}

/* The key of the first offer has grown: those that now go before it move up. Returns how many do. */
static inline uint64_t fall_back(vcs_sliced_offer *offer) {
    uint64_t count = 0;
    if (overtakes(offer + 1, offer)) {
        const vcs_sliced_offer moved = *offer;
        do {
            offer[count] = offer[count + 1];
            count++;
        } while (overtakes(&offer[count + 1], &moved));
        offer[count] = moved;
    }
    return count;
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

/* Takes devices for a task of a class if they are there. Mostly it is one. */
VCS_INLINE bool take_devices(vcs_devices *devices, const vcs_task_class *class) {
    uint64_t found;
    if (class->units > 0 && class->units <= VCS_ONE) {
        const uint32_t device = vcs_devices_find_one(devices, class->units, class->allowed);
        if (device == VCS_NONE) {
            return false;
        }
        devices->free[device] -= (int32_t) class->units;
        return true;
    }
    if (!vcs_devices_find(devices, class->units, class->allowed, &found)) {
        return false;
    }
    vcs_devices_take(devices, class->units, found);
    return true;
}

/* Takes a task of a class if it fits beside those that were taken before. */
VCS_INLINE bool take(vcs_general *g, vcs_cpus *cpus, bool is_gpu, const vcs_task_class *class) {
    if (is_gpu ? !vcs_cpu_share_fits(cpus, class->cpu_units) || !take_devices(&g->devices, class)
               : !vcs_cpu_task_fits(cpus, class->units)) {
        return false;
    }
    vcs_cpus_take(cpus, is_gpu ? class->cpu_units : class->units, is_gpu);
    if (is_gpu) {
        g->load[class->cpu_account] += class->cpu_load;
    }
    return true;
}

/* A task of class k was taken. */
VCS_INLINE void count_taken(vcs_general *g, vcs_task_class *class, uint32_t k, bool exact) {
    if (exact) {
        g->taken[class->first_usage + class->resource] += class->units;
        g->taken[class->first_usage] += class->cpu_units;
    }
    if (class->is_limited) {
        g->room[class->project]--;
        g->room[class->app_limit]--;
    }
    if (class->picked + class->settled == 0) {
        g->listed[g->listed_count++] = k;
    }
    class->picked++;
}

/*
 * Takes tasks for a resource. Returns false if two keys were too close for approximate ones. Inline: there are loops of
 * their own for CPUs and GPUs, and for approximate keys.
 */
VCS_INLINE bool take_offers(vcs_general *g, uint32_t r, bool is_gpu, bool exact) {
    vcs_sliced_offer *offer = vcs_first_offer(g, r);
    const vcs_sliced_offer *const end = vcs_end_of_offers(g, r);
    const int64_t least = g->least_use[r];
    vcs_cpus cpus = g->cpus;
    uint64_t effort = 0;
    bool decided = true;
    for (; offer < end; effort++) {
        const uint64_t next = *offer->next;
        const uint32_t k = (uint32_t)next;
        vcs_task_class *class = &g->classes[k];
        if (next == VCS_NO_TASK) {
            offer++;
        } else if (!exact && is_close(offer)) {
            decided = false;
            break;
        } else if (!has_room(g, class) || !take(g, &cpus, is_gpu, class)) {
            offer->next++;
        } else {
            count_taken(g, class, k, exact);
            if (is_gpu ? vcs_devices_are_full(&g->devices, least) : !vcs_cpu_task_fits(&cpus, least)) {
                break;
            }
            effort += vcs_replace_first(offer->next, vcs_next_of(class, k, class->picked));
            offer->key = exact ? exact_key(g, offer->competitor) : offer->key + class->step;
            effort += fall_back(offer);
        }
    }
    g->cpus = cpus;
    g->sim.effort += effort;
    return decided;
}

static VCS_NOT_INLINE bool take_cpu_tasks(vcs_general *g) {
    return take_offers(g, 0, false, false);
}

static VCS_NOT_INLINE bool take_gpu_tasks(vcs_general *g, uint32_t r) {
    return take_offers(g, r, true, false);
}

static VCS_NOT_INLINE bool take_exactly(vcs_general *g, uint32_t r) {
    return take_offers(g, r, r > 0, true);
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
        vcs_devices_free_all(&g->devices, resource->instances);
    }
    line_up(g, r, exact);
    const bool done = exact ? take_exactly(g, r) : r == 0 ? take_cpu_tasks(g) : take_gpu_tasks(g, r);
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
    memcpy(g->next, g->heads, sizeof(uint64_t) * (g->class_count + sim->competitor_count));
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
    const double decay = g->sim.decay;
    bool serves = true;
    for (uint32_t i = 0; i < g->account_count; i++) {
        const uint32_t a = g->accounts[i];
        vcs_sliced_account *account = &g->sim.accounts[a];
        if (moved) {
            vcs_sliced_follow(&g->sim, account);
        }
        double rec = account->rate + account->above * decay;
        if (rec < vcs_max(account->rate * LEAST_PART, LEAST_REC)) {
            rec = vcs_sliced_rec(&g->sim, account);
            serves &= !(rec > 0.0) || rec >= LEAST_REC;
        }
        g->rec[a] = rec;
        g->load[a] = 0.0;
    }
    return serves;
}

static void find_exact_rec(vcs_general *g) {
    for (uint32_t i = 0; i < g->account_count; i++) {
        g->load[g->accounts[i]] = 0.0;
        g->rec[g->accounts[i]] = vcs_sliced_rec(&g->sim, &g->sim.accounts[g->accounts[i]]);
    }
}

/* Nothing was picked yet. */
static void forget_pick(vcs_general *g) {
    for (uint32_t i = 0; i < g->listed_count; i++) {
        g->classes[g->listed[i]].picked = 0;
    }
    g->listed_count = g->settled_count;
}

static void pick(vcs_general *g) {
    if (g->needs_exact || !find_approximate_rec(g) || !pick_by(g, false)) {
        forget_pick(g);
        find_exact_rec(g);
        pick_by(g, true);
    }
}

/* ---- What follows from a pick ---- */

/* Stops and starts tasks of a class so that those run that were picked. */
static void run_picked(vcs_task_class *class, int64_t now) {
    vcs_class_task *const tasks = class->tasks, *const picked = tasks + class->picked;
    vcs_class_task *task = tasks + class->running;
    int64_t least = class->next_finish;
    for (; task < picked; task++) {
        task->time += now;
        least = vcs_min_i64(task->time, least);
    }
    if (task > picked) {
        do {
            (--task)->time -= now;
        } while (task > picked);
        least = VCS_NEVER;
        for (task = tasks; task < picked; task++) {
            least = vcs_min_i64(task->time, least);
        }
    }
    class->running = class->picked;
    class->next_finish = least;
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
static void use_more(vcs_general *g, vcs_task_class *class) {
    const int64_t more = (int64_t) class->picked - class->settled;
    class->settled = class->picked;
    g->used[class->first_usage + class->resource] += more * class->units;
    g->used[class->first_usage] += more * class->cpu_units;
}

/* What a project uses from now on. Nothing happens if it is the same, as when it was settled before. */
static void use_picked(vcs_general *g, uint32_t project) {
    const size_t first = vcs_sliced_index(&g->sim, project, 0), end = first + g->sim.resource_count;
    const int64_t *const used = g->used;
    vcs_sliced_usage *const usages = g->sim.usages;
    bool changes = false;
    for (size_t i = first; i < end; i++) {
        if (usages[i].used != used[i]) {
            vcs_sliced_set_used(&g->sim, &usages[i], used[i]);
            changes = true;
        }
    }
    if (changes && !g->sim.freeze) {
        charge_accounts(g, project);
    }
}

/* Returns when the first of the tasks that run now finishes; VCS_NEVER if none runs. */
static int64_t settle(vcs_general *g) {
    uint32_t *const listed = g->listed, *const changed = g->changed;
    vcs_task_class *const classes = g->classes;
    const uint32_t count = g->listed_count;
    const int64_t now = g->sim.now;
    int64_t first = VCS_NEVER;
    uint32_t due = 0, changes = 0, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = listed[i];
        vcs_task_class *class = &classes[k];
        if (class->running != class->picked) {
            run_picked(class, now);
        }
        if (class->settled != class->picked) {
            use_more(g, class);
            changed[changes++] = class->project;
        }
        if (class->next_finish <= first) {
            due = class->next_finish < first ? k : VCS_NONE;
            first = class->next_finish;
        }
        class->picked = 0;
        listed[kept] = k;
        kept += class->settled > 0;
    }
    g->due = due;
    g->listed_count = g->settled_count = kept;
    for (uint32_t i = 0; i < changes; i++) {
        use_picked(g, changed[i]);
    }
    return first;
}

/* Whether tasks of a class were not picked although the limits would let one run. */
static bool has_unpicked(const vcs_general *g, const vcs_task_class *class) {
    return class->settled < class->unfinished && has_room(g, class);
}

/* Something is idle for the first time: beside that, a task that waits does not fit. */
static void note_waiting(vcs_general *g, uint32_t resource) {
    for (uint32_t k = 0; k < g->class_count; k++) {
        const vcs_task_class *class = &g->classes[k];
        vcs_project_resource_forecasts(g->sim.state)[class->first_usage + class->resource].waits_for_fit |=
            class->resource == resource && has_unpicked(g, class);
    }
}

/* What is free of each resource after the pick is idle from now on. */
static void settle_resources(vcs_general *g) {
    for (uint32_t r = 0; r < g->sim.resource_count; r++) {
        if (vcs_sliced_settle(&g->sim, &g->sim.resources[r])) {
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
    const vcs_task_class *class = &g->classes[k];
    uint64_t *head = &g->heads[vcs_first_head(g, class->competitor)];
    while ((uint32_t)*head != k) {
        head++;
    }
    g->sim.effort += vcs_replace_first(head, vcs_next_of(class, k, 0));
}

/* Tasks of a class whose time has come finish. The others that run close up from the back. */
static void finish_of_class(vcs_general *g, uint32_t k) {
    vcs_task_class *class = &g->classes[k];
    uint32_t place = class->running;
    class->next_finish = VCS_NEVER;
    for (uint32_t i = place; i-- > 0;) {
        if (class->tasks[i].time == g->sim.now) {
            vcs_sliced_finish(&g->sim, class->tasks[i].task);
        } else {
            class->next_finish = vcs_min_i64(class->tasks[i].time, class->next_finish);
            class->tasks[--place] = class->tasks[i];
        }
    }
    class->tasks += place;
    class->unfinished -= place;
    class->running -= place;
    find_head(g, k);
}

static void finish_due(vcs_general *g) {
    if (g->due != VCS_NONE) {
        finish_of_class(g, g->due);
        return;
    }
    for (uint32_t k = 0; k < g->class_count; k++) {
        if (g->classes[k].next_finish == g->sim.now) {
            finish_of_class(g, k);
        }
    }
}

void vcs_sliced_general(vcs_state *state, vcs_wrr_summary *summary) {
    vcs_general g;
    vcs_general_lay_out(&g, state);
    pick(&g);
    int64_t first_finish = settle(&g);
    settle_resources(&g);
    note_first_pick(&g);
    vcs_sliced_end_of_step end;
    while ((end = vcs_sliced_step(&g.sim, first_finish)) < VCS_SLICED_ALL_DONE) {
        if (end == VCS_SLICED_SOME_FINISH) {
            finish_due(&g);
        }
        pick(&g);
        first_finish = settle(&g);
        settle_resources(&g);
    }
    vcs_sliced_report(&g.sim, end == VCS_SLICED_STOPPED, summary);
}
