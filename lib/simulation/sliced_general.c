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

/* ---- REC ---- */

/* Where REC is so small that keys might be denormal, which a thread may flush to 0, approximate ones do not serve. */
#define LEAST_REC 1e-80

/* REC that is not below this does not become so small before all accounts are followed anew. */
#define AMPLE_REC 1e-74

/* An account has changed. Its REC gets that small only if it earns nothing. */
static void watch(vcs_general *g, const vcs_sliced_account *account) {
    g->may_be_tiny |= account->rate == 0.0 && account->above > 0.0 && account->above < AMPLE_REC;
}

static void follow_all(vcs_general *g) {
    g->may_be_tiny = false;
    for (uint32_t i = 0; i < g->account_count; i++) {
        vcs_sliced_account *account = &g->sim.accounts[g->accounts[i]];
        vcs_sliced_follow(&g->sim, account);
        watch(g, account);
    }
}

/* Lets time pass for the REC that is nearly right. */
static void let_decay(vcs_general *g) {
    if (vcs_sliced_let_decay(&g->sim)) {
        follow_all(g);
    }
}

/* Whether REC of all accounts serves for approximate keys. */
static bool rec_serves(vcs_general *g) {
    bool serves = true;
    for (uint32_t i = 0; g->may_be_tiny && i < g->account_count; i++) {
        const double rec = vcs_sliced_rec(&g->sim, &g->sim.accounts[g->accounts[i]]);
        serves &= !(rec > 0.0) || rec >= LEAST_REC;
    }
    return serves;
}

/* ---- Keys ---- */

/* Approximate keys are right to within half of this part of them: each task that is taken rounds one more time. */
#define TOLERANCE (VCS_MOST_APPROXIMATE * 0x1p-52)

/* As rule 1.5 has it, from whole units. */
static double exact_key(const vcs_general *g, uint32_t c) {
    const vcs_sliced_competitor *competitor = &g->sim.competitors[c];
    const vcs_priority_sums *sums = &g->sim.resources[competitor->resource].sums;
    const int64_t *taken = &g->taken[vcs_sliced_index(&g->sim, competitor->project, 0)];
    double load = (double)taken[g->sim.local ? competitor->resource : 0];
    for (uint32_t r = 1; r < g->sim.resource_count && !g->sim.local; r++) {
        load += (double)taken[r] * g->sim.resources[r].speed;
    }
    const double x = g->rec[c] + load / (double)VCS_ONE * sums->load_coefficient;
    return vcs_min(-vcs_priority_of_fraction(x, sums->rec, competitor->fraction), DBL_MAX);
}

/* ---- The line of offers ---- */

/* Whether an offer goes before the one in front of it. */
static bool overtakes(const vcs_sliced_place *place, const vcs_sliced_place *front) {
    return place->key <= front->key && (place->key < front->key || place->offer < front->offer);
}

/* REC as it is, of an account where the one that is nearly right has lost digits. Rare: kept out of the loops. */
static VCS_NOT_INLINE double mended_rec(vcs_general *g, const vcs_sliced_account *account) {
    return vcs_sliced_rec(&g->sim, account);
}

/* Digits are lost where REC is so small a part of the terms it is made of. */
#define LEAST_PART 0x1p-10

/* The key before a task is taken for the resource. */
VCS_INLINE double approximate_key(vcs_general *g, const vcs_sliced_offer *offer, double decay) {
    const vcs_sliced_account *account = offer->account;
    double rec = account->rate + account->above * decay;
    if (rec < vcs_max(account->rate * LEAST_PART, LEAST_REC)) {
        rec = mended_rec(g, account);
    }
    return rec * offer->weight + offer->load;
}

/* An offer overtakes the one in front of it: moves it to its place in its group. Returns how many it overtakes. */
static inline uint64_t move_up(vcs_sliced_place *place, const vcs_sliced_place *group) {
    const vcs_sliced_place moved = *place, *const from = place;
    do {
        *place = place[-1];
        place--;
    } while (place > group && overtakes(&moved, place - 1));
    *place = moved;
    return (uint64_t)(from - place);
}

/* Puts the offers in order, which is hardly another than in the pick before. Returns how many overtake another. */
VCS_INLINE uint64_t line_up(vcs_general *g, const vcs_sliced_line *line, bool exact) {
    const double decay = g->sim.decay;
    const vcs_sliced_place *group = line->first;
    uint64_t count = 0;
    for (vcs_sliced_place *place = line->first; place < line->end; place++) {
        vcs_sliced_offer *offer = place->offer;
        if (offer == NULL) {
            group = place + 1;
        } else {
            place->key = exact ? exact_key(g, offer->competitor) : approximate_key(g, offer, decay);
            offer->load = 0.0;
            offer->next = offer->first;
            if (place > group && overtakes(place, place - 1)) {
                count += move_up(place, group);
            }
        }
    }
    return count;
}

/* The key of the first offer has grown, and the second overtakes it: moves it back. Returns how many overtake it. */
static inline uint64_t fall_back(vcs_sliced_place *place) {
    const vcs_sliced_place moved = *place, *const from = place;
    do {
        *place = place[1];
        place++;
    } while (overtakes(place + 1, &moved));
    *place = moved;
    return (uint64_t)(place - from);
}

/* Whether the exact keys might say otherwise than that the first offer goes before the second. */
static bool is_close(const vcs_sliced_place *place) {
    return place[1].key * (1.0 - TOLERANCE) < place->key;
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
    return true;
}

/* What a GPU task uses counts for the rank of its project elsewhere. */
VCS_INLINE void add_load(vcs_sliced_offer *below, double load) {
    for (; below != NULL; below = below->below) {
        below->load += load * below->load_weight;
    }
}

/* A task of class k was taken. */
VCS_INLINE void count_taken(vcs_general *g, vcs_task_class *class, uint32_t k) {
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
    const vcs_sliced_line *const line = &g->lines[r];
    vcs_sliced_place *place = line->first;
    vcs_task_class *const classes = g->classes;
    const int64_t least = g->least_use[r];
    vcs_cpus cpus = g->cpus;
    uint64_t effort = line_up(g, line, exact);
    bool decided = true;
    for (;; effort++) {
        vcs_sliced_offer *offer = place->offer;
        const uint64_t next = *offer->next;
        const uint32_t k = (uint32_t)next;
        vcs_task_class *class = &classes[k];
        if (next == VCS_NO_TASK) {
            place++;
            if (place->offer == NULL && ++place == line->end) {
                effort++;
                break;
            }
        } else if (!exact && is_close(place)) {
            decided = false;
            break;
        } else if (!has_room(g, class) || !take(g, &cpus, is_gpu, class)) {
            offer->next++;
        } else {
            count_taken(g, class, k);
            if (exact) {
                g->taken[class->first_usage + class->resource] += class->units;
                g->taken[class->first_usage] += class->cpu_units;
            } else if (is_gpu) {
                add_load(offer->below, class->other_load);
            }
            if (is_gpu ? vcs_devices_are_full(&g->devices, least) : !vcs_cpu_task_fits(&cpus, least)) {
                break;
            }
            effort += vcs_replace_first(offer->next, vcs_next_of(class, k, class->picked));
            place->key = exact ? exact_key(g, offer->competitor) : place->key + class->step;
            if (overtakes(place + 1, place)) {
                effort += fall_back(place);
            }
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
    const bool done = exact ? take_exactly(g, r) : r == 0 ? take_cpu_tasks(g) : take_gpu_tasks(g, r);
    resource->free = r == 0 ? g->cpus.free : free_of_devices(&g->devices);
    return done;
}

static bool pick_by(vcs_general *g, bool exact) {
    vcs_sliced *sim = &g->sim;
    sim->effort += g->class_count;
    g->cpus = g->all_cpus;
    if (exact) {
        memset(g->taken, 0, sizeof(int64_t) * (size_t)sim->project_count * sim->resource_count);
    }
    memcpy(g->room, g->limits, sizeof(uint32_t) * ((size_t)sim->project_count + sim->state->app_count + 1));
    memcpy(g->next, g->heads, sizeof(uint64_t) * (g->class_count + sim->competitor_count));
    for (uint32_t r = sim->resource_count; r-- > 0;) {
        if (!pick_for(g, r, exact)) {
            return false;
        }
    }
    return true;
}

static void find_exact_rec(vcs_general *g) {
    for (uint32_t c = 0; c < g->sim.competitor_count; c++) {
        g->rec[c] = vcs_sliced_rec(&g->sim, g->offers[c].account);
    }
}

/* Nothing was picked yet. */
static void forget_pick(vcs_general *g) {
    for (uint32_t i = 0; i < g->listed_count; i++) {
        g->classes[g->listed[i]].picked = 0;
    }
    g->listed_count = g->settled_count;
}

/* Returns false if approximate keys do not decide. */
static bool pick_approximately(vcs_general *g) {
    let_decay(g);
    return rec_serves(g) && pick_by(g, false);
}

static void pick(vcs_general *g) {
    if (g->needs_exact || !pick_approximately(g)) {
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
    vcs_sliced_account *account = &g->sim.accounts[index];
    vcs_sliced_charge(&g->sim, account, flops);
    vcs_sliced_follow(&g->sim, account);
    watch(g, account);
}

/* With local accounting each resource has an account, else the sum goes to that of the project. */
static void charge_accounts(vcs_general *g, uint32_t project) {
    const size_t first = vcs_sliced_index(&g->sim, project, 0);
    const uint32_t last = g->sim.resource_count - 1;
    double flops = 0.0;
    for (uint32_t r = 0; r <= last; r++) {
        flops += flops_of(g, &g->used[first], r);
        if (g->sim.local || r == last) {
            charge(g, g->sim.local ? first + r : project, flops);
            flops = 0.0;
        }
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
            if (!g->is_changed[class->project]) {
                g->is_changed[class->project] = true;
                changed[changes++] = class->project;
            }
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
        g->is_changed[changed[i]] = false;
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
    follow_all(&g);
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
