/*
 * The sliced simulation of a uniform host, from the first pick to the last finish.
 *
 * Rule 4.3; the plain reference is tests/oracle/oracle_sliced.c.
 *
 * If n tasks of a project run, they are its first n unfinished tasks in order of arrival.
 *
 *   uniform_queues.c   whether this form applies; lays out the tasks as queues
 *   uniform_pick.c     how many tasks of each project run
 *
 * Half of the competitors change in a step, and no processor can predict which. So loops over them avoid branches.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/simulation/sliced/sliced_uniform.h"

#include "vcsched/core/invariant.h"
#include "vcsched/simulation/sliced/sliced_time.h"
#include "vcsched/simulation/sliced/uniform_pick.h"

/* ---- Starting and stopping ---- */

static void start_tasks(vcs_uniform *u, uint32_t c) {
    vcs_uniform_queue *queue = &u->queues[c];
    for (; u->running[c] < u->count[c]; u->running[c] += 1.0) {
        vcs_uniform_waiting *const first = queue->waiting;
        VCS_INVARIANT(first >= u->waiting && first < u->waiting + u->sim.state->task_count); /* some task waits */
        queue->waiting = first + 1;
        const vcs_uniform_waiting next = *first;
        VCS_INVARIANT(next.left >= 0 && next.left <= VCS_FOREVER); /* at first, and it only becomes less */
        vcs_stack_push(&queue->running, u->sim.now + next.left, next.task);
        u->sim.effort++;
    }
    u->next_finish[c] = vcs_stack_least(&queue->running);
}

static void start_listed(vcs_uniform *u, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t c = u->starting[i];
        VCS_INVARIANT(c < u->sim.competitor_count); /* it was listed */
        start_tasks(u, c);
    }
}

static void stop_tasks(vcs_uniform *u, uint32_t c) {
    vcs_uniform_queue *queue = &u->queues[c];
    for (; u->running[c] > u->count[c]; u->running[c] -= 1.0) {
        vcs_uniform_waiting *const first = queue->waiting, *const last = first - 1;
        VCS_INVARIANT(first > u->waiting &&
                      first <= u->waiting + u->sim.state->task_count); /* others stood before it */
        queue->waiting = last;
        int64_t finish;
        last->task = vcs_stack_pop(&queue->running, &finish);
        VCS_INVARIANT(finish >= u->sim.now && finish <= 2 * VCS_FOREVER); /* tasks that were due have finished */
        last->left = finish - u->sim.now;
        u->sim.effort++;
    }
    u->next_finish[c] = vcs_stack_least(&queue->running);
}

/* Units of a competitor's tasks to run. */
static int64_t units_of(const vcs_uniform *u, uint32_t c) {
    const double count = u->count[c];
    VCS_INVARIANT(VCS_IS_NUMBER(count) && count >= 0.0 && count <= u->sim.state->task_count); /* a number of tasks */
    return (int64_t)count * VCS_ONE;
}

/* Notes a use, unless it begins after the end of the buffer, where no shortfall counts, and there are no limits. */
static void note_use(vcs_uniform *u, uint32_t c) {
    vcs_sliced *sim = &u->sim;
    vcs_sliced_usage *usage = &sim->usages[vcs_sliced_index(sim, sim->competitors[c].project, 0)];
    if (sim->now < sim->buffer_end || usage->enough > 0) {
        vcs_sliced_set_used(sim, usage, units_of(u, c));
    }
}

static void charge(vcs_uniform *u, uint32_t c) {
    vcs_sliced *sim = &u->sim;
    u->used[c] = u->count[c];
    note_use(u, c);
    if (!sim->freeze) {
        vcs_sliced_charge(sim, &sim->accounts[sim->competitors[c].account], u->count[c] * sim->resources[0].flops);
        vcs_uniform_follow(u, c);
    }
}

/* Starts and stops tasks as the pick says, and charges the accounts. */
static void settle(vcs_uniform *u) {
    uint32_t starting = 0, stopping = 0, charged = 0;
    for (uint32_t c = 0; c < u->sim.competitor_count; c++) {
        const double count = u->count[c], running = u->running[c], used = u->used[c];
        u->starting[starting] = c;
        u->stopping[stopping] = c;
        u->charged[charged] = c;
        starting += running < count;
        stopping += running > count;
        charged += (used < count) | (used > count);
    }
    start_listed(u, starting);
    for (uint32_t i = 0; i < stopping; i++) {
        const uint32_t c = u->stopping[i];
        VCS_INVARIANT(c < u->sim.competitor_count); /* it was listed */
        stop_tasks(u, c);
    }
    for (uint32_t i = 0; i < charged; i++) {
        const uint32_t c = u->charged[i];
        VCS_INVARIANT(c < u->sim.competitor_count); /* it was listed */
        charge(u, c);
    }
    vcs_sliced_settle(&u->sim, &u->sim.resources[0]);
}

/* ---- Time ---- */

/* Two minima side by side, since each minimum waits for the previous one. */
static int64_t first_finish(const vcs_uniform *u) {
    const int64_t *finishes = u->next_finish;
    const uint32_t count = u->sim.competitor_count;
    int64_t even = VCS_TREE_EMPTY, odd = VCS_TREE_EMPTY;
    uint32_t c = 0;
    for (; c + 2 <= count; c += 2) {
        even = vcs_min_i64(finishes[c], even);
        odd = vcs_min_i64(finishes[c + 1], odd);
    }
    return c < count ? vcs_min_i64(finishes[c], vcs_min_i64(even, odd)) : vcs_min_i64(even, odd);
}

static void finish_first(vcs_uniform *u, uint32_t c) {
    vcs_uniform_queue *queue = &u->queues[c];
    vcs_sliced_finish(&u->sim, vcs_stack_pop_least(&queue->running));
    u->next_finish[c] = vcs_stack_least(&queue->running);
    const double unfinished = u->unfinished[c] - 1.0, running = u->running[c] - 1.0;
    VCS_INVARIANT(unfinished >= running && running >= 0.0); /* it was running */
    u->unfinished[c] = unfinished;
    u->running[c] = running;
    u->group_unfinished[u->sim.competitors[c].group]--;
}

/* Finishes all tasks that are due. Returns the number of their competitors, which it puts into `starting`. */
static uint32_t finish_due(vcs_uniform *u) {
    uint32_t finishing = 0;
    for (uint32_t c = 0; c < u->sim.competitor_count; c++) {
        if (u->next_finish[c] == u->sim.now) {
            u->starting[finishing++] = c;
            do {
                finish_first(u, c);
            } while (u->next_finish[c] == u->sim.now);
        }
    }
    return finishing;
}

static void let_decay(vcs_uniform *u) {
    if (vcs_sliced_let_decay(&u->sim)) {
        u->largest = 0.0;
        for (uint32_t c = 0; c < u->sim.competitor_count; c++) {
            vcs_uniform_follow(u, c);
        }
    }
}

/* Notes the use by each project, and the idle instances, from the start. GPUs are idle throughout. */
static void note_first_pick(vcs_uniform *u) {
    vcs_sliced *sim = &u->sim;
    for (uint32_t c = 0; c < sim->competitor_count; c++) {
        const size_t index = vcs_sliced_index(sim, sim->competitors[c].project, 0);
        vcs_project_resource_forecasts(sim->state)[index].used_now = vcs_instances(units_of(u, c));
    }
    for (uint32_t r = 1; r < sim->resource_count; r++) {
        vcs_sliced_settle(sim, &sim->resources[r]);
    }
    vcs_sliced_note_idle(sim);
}

/* Runs to the end once there is a CPU for each task: all run, and none is compared any more. */
static vcs_sliced_end_of_step run_out(vcs_uniform *u) {
    vcs_sliced_resource *cpus = &u->sim.resources[0];
    vcs_sliced_end_of_step end;
    while ((end = vcs_sliced_step(&u->sim, first_finish(u))) < VCS_SLICED_ALL_DONE) {
        const uint32_t finishing = end == VCS_SLICED_SOME_FINISH ? finish_due(u) : 0;
        for (uint32_t i = 0; i < finishing; i++) {
            const uint32_t c = u->starting[i];
            VCS_INVARIANT(c < u->sim.competitor_count); /* it was listed */
            u->count[c] = u->unfinished[c];
            note_use(u, c);
        }
        cpus->free = (int64_t)(cpus->instances - u->sim.unfinished) * VCS_ONE;
        vcs_sliced_settle(&u->sim, cpus);
    }
    return end;
}

bool vcs_sliced_uniform(vcs_state *state, vcs_wrr_summary *summary) {
    vcs_uniform u;
    if (!vcs_uniform_lay_out(&u, state)) {
        return false;
    }
    vcs_uniform_pick(&u);
    settle(&u);
    note_first_pick(&u);
    vcs_sliced_end_of_step end;
    while ((end = vcs_sliced_step(&u.sim, first_finish(&u))) < VCS_SLICED_ALL_DONE) {
        let_decay(&u);
        const uint32_t finishing = end == VCS_SLICED_SOME_FINISH ? finish_due(&u) : 0;
        if (vcs_uniform_pick(&u)) {
            start_listed(&u, finishing); /* the tasks that follow */
        } else {
            settle(&u);
        }
        if (u.sim.unfinished <= u.sim.resources[0].instances) {
            end = run_out(&u);
            break;
        }
    }
    vcs_sliced_report(&u.sim, end == VCS_SLICED_STOPPED, summary);
    return true;
}
