/*
 * The sliced simulation of a small uniform host, in which picks are few and all numbers lie side by side.
 *
 * Rule 4.3; the plain reference is tests/oracle/oracle_sliced.c. What holds for every uniform host is told in
 * sliced_uniform.c. This form holds no rule of its own: where two keys are too close to compare, it gives up, and the
 * uniform form begins anew.
 *
 * A pick stays as it is for a while, which is known beforehand: keys are linear in `decay`, which falls with time. So
 * the gap between the last task that runs and the first one that waits closes no faster than the fastest key above it
 * falls and the fastest key below it rises. Until then only the end of a project's last task changes the pick. No key
 * is computed, and whole hours pass at once: 20 tasks of four projects on 4 CPUs take 13 picks instead of 45.
 *
 * With 20 tasks of three projects on 4 CPUs it takes 12,000 instructions, the uniform form 30,000; with 50 tasks 23,700
 * and 71,900 (tests/bench/count_instructions.sh).
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/sliced/sliced_few.h"

#include "vcsched/core/invariant.h"
#include "vcsched/simulation/limits.h"
#include "vcsched/simulation/sliced/sliced_time.h"
#include "vcsched/simulation/sliced/uniform_pick.h"
#include "vcsched/simulation/sliced/uniform_queues.h"

/* Beyond these numbers, searching from end to end is slower than the uniform form. */
#define MOST_COMPETITORS 16u
#define MOST_TASKS 64u

/* Each charge rounds a key anew. After this many, the errors might add up to the tolerance. */
#define MOST_PICKS 1000u

/* A task that runs. */
typedef struct running_task {
    int64_t finish;
    uint32_t task;
    uint16_t competitor;
    uint16_t place; /* among the waiting tasks: a later one stops first */
} running_task;

/* Of its unfinished tasks the first ones to arrive run. */
typedef struct competitor {
    double rate, scaled; /* the key of its first task is rate + scaled * decay */
    double rate_of_task; /* `rate` of each task that runs */
    double load;         /* key that one task adds */
    double key;          /* key of the first task in the present pick */
    vcs_sliced_usage *usage;
    /* numbers of tasks */
    int32_t unfinished;
    int32_t running;
    int32_t count;    /* tasks to run */
    int32_t used;     /* tasks that are charged for */
    uint32_t waiting; /* place of the first waiting task */
    uint32_t unused;
} competitor;

typedef struct few {
    vcs_sliced sim;
    uint32_t first, end; /* the running tasks, by finish */
    uint32_t changed;    /* competitors of which something changes in the present step, as bits */
    bool all_run;        /* there is a CPU for each task */
    double largest;      /* the largest number that went into a key, or more */
    int64_t kept_until;  /* until then the pick stays, unless a project runs out of tasks */
    uint32_t picks;
    competitor competitors[MOST_COMPETITORS];
    running_task running[MOST_TASKS]; /* after those that have finished */
    vcs_uniform_waiting waiting[MOST_TASKS];
} few;

/* ---- Layout ---- */

/* Counts the tasks of each project; returns false if one is not plain. */
static bool count_tasks(vcs_sliced *sim) {
    const vcs_state *state = sim->state;
    const vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        if (tasks[i].takes_part) {
            if (tasks[i].resource != 0 || tasks[i].cpu_units != VCS_ONE) {
                return false;
            }
            sim->demands[vcs_sliced_index(sim, tasks[i].project, 0)].tasks++;
        }
    }
    return true;
}

/* Notes the numbers that go into a competitor's keys. */
static inline void note_largest(few *f, const competitor *of) {
    const double scaled = of->scaled;
    f->largest = vcs_max(of->rate + (scaled < 0.0 ? -scaled : scaled), f->largest);
}

/* Returns the end of its tasks, which begin at `place`; 0 if its keys cannot be compared with others. */
static uint32_t open_competitor(few *f, uint32_t c, uint32_t place) {
    const vcs_sliced_competitor *from = &f->sim.competitors[c];
    const vcs_priority_sums *sums = &f->sim.resources[0].sums;
    const size_t index = vcs_sliced_index(&f->sim, from->project, 0);
    competitor *to = &f->competitors[c];
    const double weight = 1.0 / (sums->rec * from->fraction), load = sums->load_coefficient * weight;
    if (!vcs_sliced_is_moderate(weight) || !vcs_sliced_is_moderate(load) || from->group > 0) {
        return 0;
    }
    to->count = to->running = to->used = 0;
    to->unfinished = (int32_t)f->sim.demands[index].tasks;
    to->usage = &f->sim.usages[index];
    to->rate = 0.0;
    to->scaled = f->sim.accounts[from->account].rec * weight;
    to->rate_of_task = VCS_CREDITS_PER_FLOPS * f->sim.resources[0].flops * weight;
    to->load = load;
    to->waiting = place;
    note_largest(f, to);
    return place + f->sim.demands[index].tasks;
}

static bool lay_out(few *f, vcs_state *state) {
    if (state->task_count > MOST_TASKS || state->project_count > MOST_COMPETITORS || !vcs_has_whole_cpus(state) ||
        vcs_has_limits(state) || state->has_instance_limits != 0) {
        return false;
    }
    const vcs_counts counts = vcs_counts_of(state);
    vcs_arena arena = vcs_scratch(state);
    vcs_sliced_allocate(&f->sim, &counts, &arena);
    vcs_sliced_begin(&f->sim, state);
    if (!count_tasks(&f->sim)) {
        return false;
    }
    vcs_sliced_line_up(&f->sim);
    f->first = f->end = 0;
    f->largest = 0.0;
    f->picks = 0;
    f->changed = 0;
    f->all_run = false;
    uint32_t places[MOST_COMPETITORS], place = 0; /* of the next task of each project */
    for (uint32_t c = 0; c < f->sim.competitor_count; c++) {
        places[f->sim.competitors[c].project] = place;
        place = open_competitor(f, c, place);
        if (place == 0) {
            return false;
        }
    }
    const uint32_t *arrival = vcs_arrival_order(state);
    for (uint32_t i = 0; i < state->task_count; i++) {
        const vcs_prepared_task *task = &vcs_prepared_tasks(state)[arrival[i]];
        if (task->takes_part) {
            f->waiting[places[task->project]++] = (vcs_uniform_waiting){.left = task->run_time, .task = arrival[i]};
        }
    }
    return true;
}

/* ---- Starting and stopping ---- */

static void start_task(few *f, uint32_t c) {
    competitor *of = &f->competitors[c];
    const uint32_t place = of->waiting++;
    VCS_INVARIANT(place < MOST_TASKS && f->end < MOST_TASKS); /* some task waits; others run or have finished */
    const int64_t finish = f->sim.now + f->waiting[place].left;
    running_task *const first = &f->running[f->first], *at = &f->running[f->end++];
    for (; at > first && at[-1].finish > finish; at--) {
        *at = at[-1];
    }
    *at = (running_task){finish, f->waiting[place].task, (uint16_t)c, (uint16_t)place};
    of->running++;
    f->sim.effort++;
}

/* Stops the last task to arrive. */
static void stop_task(few *f, uint32_t c) {
    competitor *of = &f->competitors[c];
    uint32_t last = f->end;
    for (uint32_t i = f->first; i < f->end; i++) {
        if (f->running[i].competitor == c && (last == f->end || f->running[i].place > f->running[last].place)) {
            last = i;
        }
    }
    VCS_INVARIANT(last < f->end && of->waiting > 0); /* some task of it runs */
    f->waiting[--of->waiting] =
        (vcs_uniform_waiting){.left = f->running[last].finish - f->sim.now, .task = f->running[last].task};
    f->end--;
    for (; last < f->end; last++) {
        f->running[last] = f->running[last + 1];
    }
    of->running--;
    f->sim.effort++;
}

/* Notes a use, unless it begins after the end of the buffer, where no shortfall counts. */
static void note_use(few *f, competitor *of) {
    of->used = of->count;
    if (f->sim.now < f->sim.buffer_end) {
        vcs_sliced_set_used(&f->sim, of->usage, of->count * VCS_ONE);
    }
}

/* Charges for what runs from now on: the key goes on from its present value. */
static void charge(few *f, competitor *of) {
    if (!f->sim.freeze) {
        of->rate = of->count * of->rate_of_task;
        of->scaled = (of->key - of->rate) / f->sim.decay;
        note_largest(f, of);
    }
}

/* Starts and stops tasks as the pick says. */
static void settle(few *f) {
    for (; f->changed != 0; f->changed &= f->changed - 1) {
        const uint32_t c = vcs_lowest_bit(f->changed);
        competitor *of = &f->competitors[c];
        while (of->running < of->count) {
            start_task(f, c);
        }
        while (of->running > of->count) {
            stop_task(f, c);
        }
        if (of->used != of->count) {
            note_use(f, of);
            charge(f, of);
        }
    }
}

/* ---- The pick ---- */

/* Greater than each key, since recent work is at most its own sum and weights are moderate; and less than each. */
#define BEYOND_KEYS 1e300
#define BELOW_KEYS (-1.0)

/* The boundary between the tasks that run and the tasks that wait. */
typedef struct cut {
    uint32_t out; /* competitor of `last` */
    uint32_t in;  /* competitor of `next` */
    double last;  /* the greatest key that runs */
    double next;  /* the least key that waits */
    double then;  /* the least that waits for another competitor */
} cut;

static inline void look_at(const few *f, uint32_t c, cut *at) {
    const competitor *of = &f->competitors[c];
    const double next = of->key + of->count * of->load;
    if (of->count < of->unfinished && next < at->then) {
        at->then = next < at->next ? at->next : next;
        at->in = next < at->next ? c : at->in;
        at->next = vcs_min(next, at->next);
    }
    const double last = of->key + (of->count - 1) * of->load; /* `next` less `load` would lose digits */
    if (of->count > 0 && last > at->last) {
        at->last = last;
        at->out = c;
    }
}

static inline cut find_cut(const few *f) {
    cut at = {0, 0, BELOW_KEYS, BEYOND_KEYS, BEYOND_KEYS};
    for (uint32_t c = 0; c < f->sim.competitor_count; c++) {
        look_at(f, c, &at);
    }
    return at;
}

/* Fills in the keys, and finds the cut. Returns how many CPUs are free if as many tasks run as before. */
static int32_t find_keys(few *f, cut *at) {
    int32_t free = (int32_t)f->sim.resources[0].instances;
    *at = (cut){0, 0, BELOW_KEYS, BEYOND_KEYS, BEYOND_KEYS};
    for (uint32_t c = 0; c < f->sim.competitor_count; c++) {
        competitor *of = &f->competitors[c];
        of->key = of->rate + of->scaled * f->sim.decay;
        of->count = of->unfinished < of->count ? of->unfinished : of->count;
        free -= of->count;
        look_at(f, c, at);
    }
    return free;
}

/* Whether the keys are so far apart that no rounding changes their order. The uniform form finds that, too. */
static inline bool is_clear(const few *f, double last, double next) {
    return last < next - 4.0 * VCS_UNIFORM_TOLERANCE * (f->largest + next);
}

static void change_count(few *f, uint32_t c, int32_t change) {
    competitor *of = &f->competitors[c];
    of->count += change;
    VCS_INVARIANT(of->count >= 0 && of->count <= of->unfinished); /* a waiting task starts, or a running one stops */
    f->changed |= UINT32_C(1) << c;
}

/* How fast the gap between running and waiting tasks closes at most, per unit of decay. */
static double closing_speed(const few *f) {
    double rise = -VCS_INFINITY, fall = -VCS_INFINITY;
    for (uint32_t c = 0; c < f->sim.competitor_count; c++) {
        const competitor *of = &f->competitors[c];
        rise = vcs_max(-of->scaled, rise); /* no key rises without running tasks */
        if (of->count < of->unfinished) {
            fall = vcs_max(of->scaled, fall);
        }
    }
    return rise + fall;
}

/* The part of a gap that must stay open: far more than the tolerance, so that its ends can be compared at any time. */
#define LEAST_GAP (0x1p12 * VCS_UNIFORM_TOLERANCE)

/* A part of the gap that covers the rounding of times and speeds. */
#define MOST_OF_GAP (1.0 - 0x1p-10)

/* Finds how long the pick stays, after the accounts have been charged. */
static void keep(few *f, double last, double next) {
    const double gap = next - last;
    /* 2^-t is at least 1 - t * ln 2. */
    const double speed = f->sim.freeze ? 0.0 : closing_speed(f) * f->sim.decay * VCS_LN2;
    const double span = MOST_OF_GAP * gap * f->sim.half_life;
    f->kept_until = !(gap > LEAST_GAP * (f->largest + next)) ? f->sim.now
                    : span >= speed * (double)VCS_FOREVER    ? VCS_NEVER
                                                             : f->sim.now + (int64_t)(span / speed);
}

static void let_decay(few *f) {
    const int64_t base = f->sim.base;
    if (vcs_sliced_let_decay(&f->sim)) { /* which began anew with 1 */
        const double power = vcs_exp2(-(double)(f->sim.now - base) / f->sim.half_life);
        f->largest = 0.0;
        for (uint32_t c = 0; c < f->sim.competitor_count; c++) {
            f->competitors[c].scaled *= power;
            note_largest(f, &f->competitors[c]);
        }
    }
}

/* Runs the first waiting task. */
static void run_next(few *f, cut *at) {
    const competitor *of = &f->competitors[at->in];
    change_count(f, at->in, 1);
    if (at->next > at->last) {
        at->last = at->next;
        at->out = at->in;
    }
    const double next = of->count < of->unfinished ? of->key + of->count * of->load : BEYOND_KEYS;
    if (next < at->then) {
        at->next = next;
    } else {
        *at = find_cut(f);
    }
}

/* More tasks wait than CPUs are there. Returns false if two keys are too close to compare. */
static bool pick(few *f) {
    if (f->picks++ == MOST_PICKS) {
        return false;
    }
    let_decay(f);
    cut at;
    for (int32_t free = find_keys(f, &at); free > 0; free--) {
        run_next(f, &at);
    }
    while (!is_clear(f, at.last, at.next)) {
        if (!is_clear(f, at.next, at.last)) {
            return false;
        }
        change_count(f, at.out, -1);
        change_count(f, at.in, 1);
        at = find_cut(f);
    }
    settle(f);
    keep(f, at.last, at.next);
    return true;
}

/* ---- Time ---- */

/* Finishes all tasks that are due. */
static void finish_due(few *f) {
    do {
        const running_task *due = &f->running[f->first++];
        competitor *of = &f->competitors[due->competitor];
        vcs_sliced_finish(&f->sim, due->task);
        of->unfinished--;
        of->running--;
        f->changed |= UINT32_C(1) << due->competitor;
    } while (f->first < f->end && f->running[f->first].finish == f->sim.now);
}

/* Where the pick stays, starts the next tasks of the competitors. Returns false if one has too few. */
static bool go_on(few *f) {
    if (f->sim.now >= f->kept_until) {
        return false;
    }
    for (; f->changed != 0; f->changed &= f->changed - 1) {
        const uint32_t c = vcs_lowest_bit(f->changed);
        const competitor *of = &f->competitors[c];
        if (of->unfinished < of->count) {
            return false;
        }
        while (of->running < of->count) {
            start_task(f, c);
        }
    }
    return true;
}

/* There is a CPU for each task: all run, and no key is compared any more. */
static void run_all(few *f) {
    for (; f->changed != 0; f->changed &= f->changed - 1) {
        const uint32_t c = vcs_lowest_bit(f->changed);
        competitor *of = &f->competitors[c];
        of->count = of->unfinished;
        while (of->running < of->count) {
            start_task(f, c);
        }
        if (of->used != of->count) {
            note_use(f, of);
        }
    }
    f->sim.resources[0].free = (int64_t)(f->sim.resources[0].instances - f->sim.unfinished) * VCS_ONE;
    vcs_sliced_settle(&f->sim, &f->sim.resources[0]);
    f->kept_until = VCS_NEVER;
}

/* Decides what runs now. Returns false if two keys are too close to compare. */
static bool choose(few *f) {
    if (f->sim.unfinished > f->sim.resources[0].instances) {
        return pick(f);
    }
    if (!f->all_run) {
        f->all_run = true;
        f->changed = (UINT32_C(1) << f->sim.competitor_count) - 1;
    }
    run_all(f);
    return true;
}

/* Notes the use by each project, and the idle instances, from the start. GPUs are idle throughout. */
static void note_first_pick(few *f) {
    for (uint32_t c = 0; c < f->sim.competitor_count; c++) {
        const size_t index = vcs_sliced_index(&f->sim, f->sim.competitors[c].project, 0);
        vcs_project_resource_forecasts(f->sim.state)[index].used_now = f->competitors[c].count;
    }
    for (uint32_t r = 1; r < f->sim.resource_count; r++) {
        vcs_sliced_settle(&f->sim, &f->sim.resources[r]);
    }
    vcs_sliced_note_idle(&f->sim);
}

static int64_t first_finish(const few *f) {
    return f->first < f->end ? f->running[f->first].finish : VCS_NEVER;
}

bool vcs_sliced_few(vcs_state *state, vcs_wrr_summary *summary) {
    few f;
    if (!lay_out(&f, state) || !choose(&f)) {
        return false;
    }
    note_first_pick(&f);
    vcs_sliced_end_of_step end;
    while ((end = vcs_sliced_steps(&f.sim, first_finish(&f), f.kept_until)) < VCS_SLICED_ALL_DONE) {
        if (end == VCS_SLICED_SOME_FINISH) {
            finish_due(&f);
        }
        if (!go_on(&f) && !choose(&f)) {
            return false;
        }
    }
    vcs_sliced_report(&f.sim, end == VCS_SLICED_STOPPED, summary);
    return true;
}
