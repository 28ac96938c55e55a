/*
 * The sliced simulation for every host, from the first pick to the last finish.
 *
 * Rule 4.3; the plain reference is tests/oracle/oracle_sliced.c.
 *
 *   sliced_classes.c   lays out the tasks in classes
 *   sliced_slices.c    slices under way at the start
 *
 * A pick chooses tasks in rank order until nothing is free. It starts from nothing in every step and counts the tasks
 * chosen of each class. Then only the difference from the previous step is stopped and started.
 *
 * A key is the negated priority: the task with the least key goes first. Ties go to the competitor listed first, with
 * the lower project id. The key of a competitor grows as its tasks are picked, so it is kept approximately: each task
 * adds a step. Where two keys are too close to compare, the pick is repeated with the exact keys of rule 1.5. So the
 * result is always by exact keys.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/sliced/sliced_general.h"

#include "vcsched/core/compiler.h"
#include "vcsched/core/invariant.h"
#include "vcsched/simulation/sliced/class_limits.h"
#include "vcsched/simulation/sliced/sliced_classes.h"
#include "vcsched/simulation/sliced/sliced_slices.h"
#include "vcsched/simulation/sliced/sliced_time.h"

#include <float.h>
#include <string.h>

/* ---- REC ---- */

/* Below this REC, approximate keys do not serve: they might be denormal, which a thread may flush to 0. */
#define LEAST_REC 1e-80

/* Below this part of its terms, approximate REC has lost digits. */
#define LEAST_PART 0x1p-10

static void follow_all(vcs_general *g) {
    for (uint32_t i = 0; i < g->account_count; i++) {
        vcs_sliced_follow(&g->sim, &g->sim.accounts[g->accounts[i]]);
    }
}

/* Rarely needed, so kept out of the loop. */
static VCS_NOT_INLINE double exact_rec(vcs_general *g, const vcs_sliced_account *account) {
    return vcs_sliced_rec(&g->sim, account);
}

/* Finds REC of all accounts, approximate REC if that will do. Returns whether it serves for approximate keys. */
VCS_INLINE bool find_rec(vcs_general *g, bool exact) {
    const vcs_sliced_account *const all = g->sim.accounts;
    const double decay = g->sim.decay;
    double *const found = g->rec;
    bool serves = true;
    for (const uint32_t *index = g->accounts, *end = index + g->account_count; index < end; index++) {
        const vcs_sliced_account *account = &all[*index];
        double rec = account->rate + account->above * decay;
        if (exact || rec < vcs_max(account->rate * LEAST_PART, LEAST_REC)) {
            rec = exact_rec(g, account);
            serves &= !(rec > 0.0) || rec >= LEAST_REC;
        }
        found[*index] = rec;
    }
    return serves;
}

/* ---- Keys ---- */

/* Approximate keys are right to within half of this part of them: each task picked rounds once more. */
#define TOLERANCE (VCS_MOST_APPROXIMATE * 0x1p-52)

/* The key of rule 1.5, from whole units. */
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

static bool is_listed_before(const vcs_sliced_offer *offer, const vcs_sliced_offer *other) {
    VCS_INVARIANT(offer != NULL && other != NULL); /* no key equals the keys at the ends of a group */
    return offer < other;
}

/* Whether an offer goes before the offer in front of it. */
static bool overtakes(const vcs_sliced_place *place, const vcs_sliced_place *front) {
    return place->key <= front->key && (place->key < front->key || is_listed_before(place->offer, front->offer));
}

/* Moves an offer up past every offer that it overtakes. Returns how many these are. */
static inline uint64_t move_up(const vcs_sliced_line *line, vcs_sliced_place *place) {
    const vcs_sliced_place moved = *place, *const from = place;
    do {
        VCS_INVARIANT(place > line->first && place < line->end); /* no offer overtakes the beginning of a group */
        *place = place[-1];
        place--;
    } while (overtakes(&moved, place - 1));
    *place = moved;
    return (uint64_t)(from - place);
}

/* Sorts the offers, which are nearly in the order of the previous pick. Returns how often one overtakes another. */
VCS_INLINE uint64_t line_up(vcs_general *g, const vcs_sliced_line *line, bool exact) {
    uint64_t count = 0;
    for (vcs_sliced_place *place = line->first; place < line->end; place++) {
        vcs_sliced_offer *offer = place->offer;
        if (offer != NULL) {
            place->key = exact ? exact_key(g, offer->competitor) : *offer->rec * offer->weight + offer->load;
            offer->load = 0.0;
            offer->next = offer->first;
            if (overtakes(place, place - 1)) {
                count += move_up(line, place);
            }
        }
    }
    return count;
}

/* Moves the first offer, with a key that has grown, back past every offer that overtakes it. Returns how many do. */
static inline uint64_t fall_back(const vcs_sliced_line *line, vcs_sliced_place *place) {
    const vcs_sliced_place moved = *place, *const from = place;
    do {
        VCS_INVARIANT(place >= line->first && place < line->end - 1); /* the end of a group does not overtake */
        *place = place[1];
        place++;
    } while (overtakes(place + 1, &moved));
    *place = moved;
    return (uint64_t)(place - from);
}

/* Up to this key the first offer goes before the second by exact keys, too. */
VCS_INLINE double clear_key(const vcs_sliced_line *line, const vcs_sliced_place *place) {
    VCS_INVARIANT(place >= line->first && place < line->end); /* behind a group another one begins */
    return place[1].key * (1.0 - TOLERANCE);
}

/* ---- The pick ---- */

static vcs_task_class *class_at(const vcs_general *g, uint32_t k) {
    VCS_INVARIANT(k < g->class_count); /* it was listed, or is the class of a task */
    return &g->classes[k];
}

/* A number of unfinished tasks of a class. */
static uint32_t some_tasks(const vcs_general *g, uint32_t count) {
    VCS_INVARIANT(count <= g->sim.state->task_count); /* no more than there are */
    return count;
}

/* An unfinished task of a class, or the end of their list. */
static vcs_class_task *task_at(const vcs_general *g, const vcs_task_class *class, uint32_t index) {
    vcs_class_task *const task = class->tasks + some_tasks(g, index);
    VCS_INVARIANT(task >= g->tasks && task < g->tasks + 2 * (size_t)g->sim.state->task_count); /* all tasks and ends */
    return task;
}

/* The end of `heads`, or of `next`. */
static const uint64_t *end_of(const vcs_general *g, const uint64_t *first) {
    return first + g->class_count + g->sim.competitor_count;
}

static uint64_t *next_of(const vcs_general *g, const vcs_sliced_offer *offer) {
    uint64_t *const next = offer->next;
    VCS_INVARIANT(next != NULL && next >= g->next && next < end_of(g, g->next)); /* VCS_NO_TASK ends the list */
    return next;
}

/* Adds units in use: no more than there are, or a few uses of 32 bits. */
static int64_t add_units(int64_t used, int64_t units) {
    VCS_INVARIANT(used >= 0 && used <= INT64_MAX / 4);
    VCS_INVARIANT(units >= -INT64_MAX / 4 && units <= INT64_MAX / 4);
    return used + units;
}

/* ---- Limits per device ---- */

/* Occupies devices for a task of a class with such a limit, if it fits. */
static VCS_NOT_INLINE bool occupy_few_on_each(vcs_general *g, vcs_cpus *cpus, const vcs_task_class *class) {
    uint64_t found = 0;
    if (!vcs_cpu_share_fits(cpus, class->cpu_units) ||
        !vcs_devices_find(&g->devices, class->units, vcs_devices_within_limits(g, class), &found)) {
        return false;
    }
    vcs_devices_occupy(&g->devices, class->units, found);
    VCS_INVARIANT(cpus->free >= INT64_MIN / 4 && class->cpu_units <= INT64_MAX / 4); /* as in vcs_cpus_occupy() */
    cpus->free -= class->cpu_units;
    vcs_note_device_use(g, class, found);
    return true;
}

/* Notes after a pick for a resource which classes would fit but for such a limit. */
static void note_device_limits(vcs_general *g, uint32_t resource) {
    uint64_t found;
    for (uint32_t k = 0; k < g->class_count; k++) {
        vcs_task_class *class = &g->classes[k];
        if (class->has_device_limit && g->sim.competitors[class->competitor].resource == resource) {
            class->is_at_device_limit =
                vcs_devices_find(&g->devices, class->units, class->allowed, &found) &&
                !vcs_devices_find(&g->devices, class->units, vcs_devices_within_limits(g, class), &found);
        }
    }
}

/* Occupies devices for a task of a class if it fits. Mostly it needs one. */
VCS_INLINE bool occupy_devices(vcs_devices *devices, const vcs_task_class *class) {
    uint64_t found = 0;
    if (class->units > 0 && class->units <= VCS_ONE) {
        const uint32_t device = vcs_devices_find_one(devices, class->units, class->allowed);
        if (device == VCS_NONE) {
            return false;
        }
        const int32_t free = devices->free[device];
        VCS_INVARIANT(free >= -VCS_DEVICE_EXCESS && free <= VCS_ONE); /* the task fits */
        devices->free[device] = free - (int32_t) class->units;
        return true;
    }
    if (!vcs_devices_find(devices, class->units, class->allowed, &found)) {
        return false;
    }
    vcs_devices_occupy(devices, class->units, found);
    return true;
}

/* Occupies instances for a task of a class if it fits. After GPU tasks, vcs_cpus_note_free() is still to be called. */
VCS_INLINE bool occupy(vcs_general *g, vcs_cpus *cpus, bool is_gpu, const vcs_task_class *class) {
    if (!is_gpu && vcs_cpu_task_fits(cpus, class->units)) {
        vcs_cpus_occupy_by_cpu_task(cpus, class->units);
        return true;
    }
    if (is_gpu && vcs_cpu_share_fits(cpus, class->cpu_units) && occupy_devices(&g->devices, class)) {
        VCS_INVARIANT(cpus->free >= INT64_MIN / 4 && class->cpu_units <= INT64_MAX / 4); /* as in vcs_cpus_occupy() */
        cpus->free -= class->cpu_units;
        return true;
    }
    return false;
}

/* Likewise, if the limits of its project and application let one more task run. */
VCS_INLINE bool occupy_within_limits(vcs_general *g, vcs_cpus *cpus, bool is_gpu, const vcs_task_class *class) {
    if (!class->is_limited) {
        return occupy(g, cpus, is_gpu, class);
    }
    if (!vcs_has_room(g, class)) {
        return false;
    }
    const bool fits = class->has_device_limit ? occupy_few_on_each(g, cpus, class) : occupy(g, cpus, is_gpu, class);
    if (fits) {
        vcs_use_room(g, class);
    }
    return fits;
}

/* Notes the first wide task that would fit alone and within its limits, but has no room beside the tasks picked. */
static VCS_NOT_INLINE void note_held(vcs_general *g, const vcs_task_class *class) {
    if (class->units > VCS_ONE && class->units <= g->all_cpus.largest && vcs_has_room(g, class)) {
        g->held = class->units;
    }
}

/*
 * Picks tasks for a resource. Returns false if two approximate keys were too close to compare. Inline, so that CPUs,
 * GPUs and approximate keys each get their own loop.
 */
VCS_INLINE bool pick_offers(vcs_general *g, uint32_t r, bool is_gpu, bool exact) {
    const vcs_sliced_line *const line = &g->lines[r];
    vcs_sliced_place *place = line->first;
    const int64_t least = g->least_use[r];
    vcs_cpus cpus = g->cpus;
    uint64_t effort = line_up(g, line, exact);
    double clear = clear_key(line, place);
    bool decided = true;
    for (;; effort++) {
        VCS_INVARIANT(place >= line->first && place < line->end); /* the pick is over behind the last offer */
        vcs_sliced_offer *offer = place->offer;
        VCS_INVARIANT(offer != NULL); /* not at an end of a group */
        uint64_t *const next = next_of(g, offer);
        const uint64_t task = *next;
        const uint32_t k = (uint32_t)task;
        if (task == VCS_NO_TASK) {
            place++;
            if (place->offer == NULL) {
                if (place == line->end) {
                    effort++;
                    break;
                }
                place += 2;
            }
            clear = clear_key(line, place);
        } else if (!exact && place->key > clear) {
            decided = false;
            break;
        } else if (!occupy_within_limits(g, &cpus, is_gpu, class_at(g, k))) {
            offer->next = next + 1;
            if (!is_gpu && g->held == 0) {
                note_held(g, class_at(g, k));
            }
        } else {
            vcs_task_class *const class = class_at(g, k);
            vcs_count_picked(g, class, k);
            if (exact) {
                g->taken[class->usage] = add_units(g->taken[class->usage], class->units);
                g->taken[class->cpu_usage] = add_units(g->taken[class->cpu_usage], class->cpu_units);
            } else if (is_gpu) {
                vcs_add_load(offer->below, class->other_load);
            }
            if (is_gpu ? vcs_devices_are_full(&g->devices, least) : !vcs_cpu_task_fits(&cpus, least)) {
                break;
            }
            vcs_replace_first(next, end_of(g, g->next), task_at(g, class, class->picked)->arrival, &effort);
            place->key = exact ? exact_key(g, offer->competitor) : place->key + class->step;
            if (overtakes(place + 1, place)) {
                effort += fall_back(line, place);
                clear = clear_key(line, place);
            }
        }
    }
    if (is_gpu) {
        vcs_cpus_note_free(&cpus);
    }
    g->cpus = cpus;
    g->sim.effort += effort;
    return decided;
}

static VCS_NOT_INLINE bool pick_cpu_tasks(vcs_general *g) {
    return pick_offers(g, 0, false, false);
}

static VCS_NOT_INLINE bool pick_gpu_tasks(vcs_general *g, uint32_t r) {
    return pick_offers(g, r, true, false);
}

static VCS_NOT_INLINE bool pick_exactly(vcs_general *g, uint32_t r) {
    return pick_offers(g, r, r > 0, true);
}

VCS_INLINE bool pick_for(vcs_general *g, uint32_t r, bool exact) {
    vcs_sliced_resource *resource = &g->sim.resources[r];
    if (resource->first == resource->end) {
        resource->free = r == 0 ? g->cpus.free : resource->free;
        return true;
    }
    if (r > 0) {
        vcs_devices_free_all(&g->devices, resource->instances);
        g->device_use_count = 0;
    }
    if (g->slice_count > 0) {
        vcs_pick_slices(g, r, exact);
    }
    const bool done = exact ? pick_exactly(g, r) : r == 0 ? pick_cpu_tasks(g) : pick_gpu_tasks(g, r);
    if (r == 0) {
        resource->free = g->cpus.free;
    } else {
        vcs_add_up_free(&g->devices, resource);
    }
    if (r > 0 && g->sim.state->has_device_limits) {
        note_device_limits(g, r);
    }
    return done;
}

VCS_INLINE bool pick_by(vcs_general *g, bool exact) {
    vcs_sliced *sim = &g->sim;
    sim->effort += g->class_count;
    g->cpus = g->all_cpus;
    g->held = 0;
    if (exact) {
        memset(g->taken, 0, sizeof(int64_t) * (size_t)sim->project_count * sim->resource_count);
    }
    memcpy(g->room, g->limits, sizeof(uint64_t) * (g->limit_count + g->class_count + sim->competitor_count));
    for (uint32_t r = sim->resource_count; r-- > 0;) {
        if (!pick_for(g, r, exact)) {
            return false;
        }
    }
    return true;
}

/* Undoes the pick, except for its effort. */
static void forget_pick(vcs_general *g) {
    VCS_INVARIANT(g->listed_count <= g->class_count); /* no class is listed twice */
    for (uint32_t i = 0; i < g->listed_count; i++) {
        class_at(g, g->listed[i])->picked = 0;
    }
    g->listed_count = g->settled_count;
}

/* Picks by approximate keys. Returns false if they do not decide. */
static bool pick_approximately(vcs_general *g) {
    if (vcs_sliced_let_decay(&g->sim)) {
        follow_all(g);
    }
    return find_rec(g, false) && pick_by(g, false);
}

static void pick_once(vcs_general *g) {
    if (g->needs_exact || !pick_approximately(g)) {
        forget_pick(g);
        find_rec(g, true);
        pick_by(g, true);
    }
}

static void pick(vcs_general *g) {
    g->sim.pause = vcs_end_slices(g);
    pick_once(g);
    if (g->slice_count > 0 && vcs_slices_yield(g)) {
        forget_pick(g);
        g->sim.pause = vcs_end_slices(g);
        pick_once(g);
    }
}

/* ---- Starting, stopping and charging ---- */

/* Stops and starts tasks of a class so that the picked tasks run. */
static void run_picked(const vcs_general *g, vcs_task_class *class, int64_t now) {
    vcs_class_task *const tasks = class->tasks, *const picked = task_at(g, class, class->picked);
    vcs_class_task *const running = task_at(g, class, class->running);
    int64_t least = class->next_finish;
    for (vcs_class_task *task = running; task < picked; task++) {
        const int64_t left = task->time;
        VCS_INVARIANT(left >= 0 && left <= VCS_FOREVER); /* at first, and it only becomes less */
        task->time = left + now;
        least = vcs_min_i64(task->time, least);
    }
    if (running > picked) {
        for (vcs_class_task *task = running; task > picked;) {
            task--;
            const int64_t finish = task->time;
            VCS_INVARIANT(finish >= now && finish <= 2 * VCS_FOREVER); /* tasks that were due have finished */
            task->time = finish - now;
        }
        least = VCS_NEVER;
        for (vcs_class_task *task = tasks; task < picked; task++) {
            least = vcs_min_i64(task->time, least);
        }
    }
    class->running = class->picked;
    class->next_finish = least;
}

static void charge(vcs_general *g, size_t index, double flops) {
    vcs_sliced_account *account = &g->sim.accounts[index];
    vcs_sliced_charge(&g->sim, account, flops);
    vcs_sliced_follow(&g->sim, account);
}

/* Counts the use by a class after the number of its running tasks has changed. */
static void use_more(vcs_general *g, vcs_task_class *class) {
    const int64_t more = (int64_t)some_tasks(g, class->picked) - some_tasks(g, class->settled);
    class->settled = class->picked;
    g->used[class->usage] = add_units(g->used[class->usage], more * class->units);
    g->used[class->cpu_usage] = add_units(g->used[class->cpu_usage], more * class->cpu_units);
}

static double flops_of(const vcs_general *g, size_t first, uint32_t resource) {
    return vcs_instances(g->used[first + resource]) * g->sim.resources[resource].flops;
}

/*
 * Charges a project for its use from now on, if that has changed. With local accounting each resource has an account;
 * else the project has one for all.
 */
static void use_picked(vcs_general *g, uint32_t project) {
    vcs_sliced *const sim = &g->sim;
    const size_t first = vcs_sliced_index(sim, project, 0);
    const uint32_t resources = sim->resource_count;
    double flops = 0.0;
    bool changes = false;
    for (uint32_t r = 0; r < resources; r++) {
        vcs_sliced_usage *usage = &sim->usages[first + r];
        if (usage->used != g->used[first + r]) {
            vcs_sliced_set_used(sim, usage, g->used[first + r]);
            changes = true;
        }
        flops += flops_of(g, first, r);
    }
    if (!changes || sim->freeze) {
        return;
    }
    if (!sim->local) {
        charge(g, project, flops);
        return;
    }
    for (uint32_t r = 0; r < resources; r++) {
        charge(g, first + r, flops_of(g, first, r));
    }
}

/* Makes the picked tasks run and charges their projects. Returns the first finish; VCS_NEVER if no task runs. */
static int64_t settle(vcs_general *g) {
    uint32_t *const listed = g->listed, *const changed = g->changed;
    const uint32_t count = g->listed_count;
    VCS_INVARIANT(count <= g->class_count); /* no class is listed twice */
    const int64_t now = g->sim.now;
    VCS_INVARIANT(now >= 0 && now <= VCS_FOREVER); /* up to the horizon */
    int64_t first = VCS_NEVER;
    uint32_t due = 0, changes = 0, kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = listed[i];
        vcs_task_class *class = class_at(g, k);
        if (class->running != class->picked) {
            run_picked(g, class, now);
        }
        if (class->settled != class->picked) {
            use_more(g, class);
            if (!g->is_changed[class->project]) {
                g->is_changed[class->project] = true;
                VCS_INVARIANT(changes < g->sim.project_count); /* the project is not among them yet */
                changed[changes++] = class->project;
            }
        }
        if (class->next_finish <= first) {
            due = class->next_finish < first ? k : VCS_NONE;
            first = class->next_finish;
        }
        class->picked = 0;
        VCS_INVARIANT(kept <= i); /* no class is kept twice */
        listed[kept] = k;
        kept += class->settled > 0;
    }
    g->due = due;
    g->listed_count = g->settled_count = kept;
    for (uint32_t i = 0; i < changes; i++) {
        const uint32_t project = changed[i];
        VCS_INVARIANT(project < g->sim.project_count); /* the project of a class */
        g->is_changed[project] = false;
        use_picked(g, project);
    }
    return first;
}

/* Notes the projects with waiting tasks that do not fit when a resource is first idle. */
static void note_waiting(vcs_general *g, uint32_t resource) {
    for (uint32_t k = 0; k < g->class_count; k++) {
        const vcs_task_class *class = &g->classes[k];
        vcs_project_resource_forecasts(g->sim.state)[class->usage].waits_for_fit |=
            g->sim.competitors[class->competitor].resource == resource && class->settled < class->unfinished &&
            vcs_has_room(g, class) && !class->is_at_device_limit; /* not picked, although the limits would let it run */
    }
}

static void settle_resources(vcs_general *g) {
    for (uint32_t r = 0; r < g->sim.resource_count; r++) {
        vcs_sliced_resource *resource = &g->sim.resources[r];
        resource->useless = resource->parts;
        if (g->slice_count > 0 && resource->free >= VCS_LEAST_FREE && vcs_waits_for_slices(g, r)) {
            resource->useless += resource->free;
            resource->free = 0;
        }
        if (vcs_sliced_settle(&g->sim, resource)) {
            note_waiting(g, r);
        }
    }
}

/* ---- Time ---- */

/* Updates the head of a class after its first tasks have finished. */
static void find_head(vcs_general *g, uint32_t k) {
    const vcs_task_class *class = &g->classes[k];
    uint64_t *head = &g->heads[g->competitors[class->competitor].first_head];
    for (;; head++) {
        VCS_INVARIANT(head < end_of(g, g->heads)); /* it is there, since a task of the class was unfinished */
        if ((uint32_t)*head == k) {
            break;
        }
    }
    vcs_replace_first(head, end_of(g, g->heads), task_at(g, class, 0)->arrival, &g->sim.effort);
}

/* Finishes the tasks of a class that are due. The other running tasks close up from the back. */
static void finish_of_class(vcs_general *g, uint32_t k) {
    vcs_task_class *class = &g->classes[k];
    uint32_t front = some_tasks(g, class->running);
    class->next_finish = VCS_NEVER;
    for (uint32_t i = front; i-- > 0;) {
        const vcs_class_task task = *task_at(g, class, i);
        if (task.time == g->sim.now) {
            const uint64_t arrival = task.arrival >> 32;
            VCS_INVARIANT(arrival < g->sim.state->task_count); /* a task, and not the end of the list */
            vcs_sliced_finish(&g->sim, g->order[arrival]);
        } else {
            class->next_finish = vcs_min_i64(task.time, class->next_finish);
            VCS_INVARIANT(front > i); /* finished tasks left gaps */
            *task_at(g, class, --front) = task;
        }
    }
    class->tasks = task_at(g, class, front);
    class->unfinished -= front;
    class->running -= front;
    find_head(g, k);
}

/* Finishes the tasks that are due, mostly of one class. */
static void finish_due(vcs_general *g) {
    const bool several = g->due == VCS_NONE;
    VCS_INVARIANT(several || g->due < g->class_count); /* it was listed */
    const uint32_t end = several ? g->class_count : g->due + 1;
    for (uint32_t k = several ? 0 : g->due; k < end; k++) {
        if (g->classes[k].next_finish == g->sim.now) {
            finish_of_class(g, k);
        }
    }
}

void vcs_sliced_general(vcs_state *state, vcs_wrr_summary *summary) {
    vcs_general g;
    vcs_general_open(&g, state);
    vcs_find_slices(&g);
    vcs_general_lay_out(&g);
    vcs_classify_slices(&g);
    follow_all(&g);
    vcs_sliced_end_of_step end;
    do {
        pick(&g);
        const int64_t first_finish = settle(&g);
        settle_resources(&g);
        if (g.sim.steps == 0) {
            vcs_general_note_first_pick(&g);
        }
        end = vcs_sliced_step(&g.sim, first_finish);
        if (end == VCS_SLICED_SOME_FINISH) {
            finish_due(&g);
        }
    } while (end < VCS_SLICED_ALL_DONE);
    vcs_sliced_report(&g.sim, end == VCS_SLICED_STOPPED, summary);
}
