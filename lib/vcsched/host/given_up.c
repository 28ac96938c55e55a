/*
 * Which tasks are given up, so that no decision counts on them.
 *
 * Rules 15.3, 15.7 and 15.8; the plain references are tests/oracle/oracle_chance.c and oracle_likely.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/host/given_up.h"
#include "vcsched/chance/give_up.h"
#include "vcsched/chance/hours.h"
#include "vcsched/chance/last_connection.h"
#include "vcsched/core/compiler.h"
#include "vcsched/host/convert.h"
#include "vcsched/host/host_spells.h"

#include <stdbool.h>

/* What is the same for all tasks. */
static vcs_give_up_terms common_terms(const vcs_state *state, const vcs_hourly *host) {
    return (vcs_give_up_terms){
        .rule = state->parameters.give_up,
        .on = host->spells.on,
        .off = host->spells.off,
        .threshold = state->parameters.give_up_below,
    };
}

/*
 * By when a task must be done, so that its result is reported by its deadline. A host that may be connected now waits
 * for the task. Where its next connection is not known, they are counted from that by which the task came, as admission
 * did then.
 */
static double last_moment(const vcs_state *state, const vcs_prepared_task *task) {
    const double interval = state->parameters.connect_every, next = state->host.next_connection;
    if (next == 0.0) {
        return vcs_last_connection(task->deadline, task->received, interval);
    }
    if (interval == 0.0 || next <= state->now) {
        return task->deadline;
    }
    return next <= task->deadline ? vcs_last_connection(task->deadline, next, interval) : -VCS_INFINITY;
}

/* Not inline, so that hosts without hours do not pay for them. */
VCS_NOT_INLINE static void take_hours(const vcs_hourly *host, double now, double window, vcs_give_up_terms *terms) {
    const vcs_mean_spells spells = vcs_spells_by_hours(host, now, window);
    terms->on = spells.on;
    terms->off = spells.off;
}

static uint32_t reason_of(const vcs_state *state, const vcs_hourly *host, double window,
                          const vcs_give_up_terms *terms) {
    double chance;
    return host->count > 0
               ? vcs_give_up_reason_within(terms, window, vcs_spells_by_hours(host, state->now, terms->bound), &chance)
               : vcs_give_up_reason(terms, window, &chance);
}

/* Why the task is given up; 0 = it is not. Tasks that are suspended wait for whoever suspended them. */
static uint32_t why_given_up(const vcs_state *state, uint32_t index, const vcs_hourly *host, vcs_give_up_terms *terms) {
    const vcs_prepared_task *task = &vcs_prepared_tasks(state)[index];
    if (!task->takes_part || (vcs_projects(state)[task->project].flags & VCS_PROJECT_KEEPS_TASKS) != 0) {
        return 0;
    }
    const double window = last_moment(state, task) - state->now;
    terms->remaining = task->remaining;
    if (host->count > 0) {
        take_hours(host, state->now, window, terms);
    }
    if (vcs_is_surely_kept(terms, window)) {
        return 0;
    }
    terms->deadline = task->deadline;
    terms->total = vcs_task_records(state)[index].total;
    terms->bound =
        vcs_last_connection(vcs_max(task->deadline - task->received, 0.0), 0.0, state->parameters.connect_every);
    const uint32_t reason = reason_of(state, host, window, terms);
    if (reason == VCS_REASON_DEADLINE_OVER && task->deadline > state->now) {
        return VCS_REASON_TIME_TOO_SHORT; /* no connection is left */
    }
    return reason == VCS_REASON_KEPT ? 0 : reason;
}

void vcs_give_up_tasks(vcs_state *state) {
    vcs_prepared_task *tasks = vcs_prepared_tasks(state);
    const bool may_give_up = state->parameters.give_up != VCS_GIVE_UP_NEVER;
    if (!may_give_up && state->given_up_count == 0) {
        return;
    }
    const vcs_hourly host = vcs_hourly_of(state);
    vcs_give_up_terms terms = common_terms(state, &host);
    state->given_up_count = 0;
    vcs_set_eligibilities(state); /* some may have been given up, by other parameters or estimates */
    for (uint32_t i = 0; may_give_up && i < state->task_count; i++) {
        tasks[i].given_up = why_given_up(state, i, &host, &terms);
        if (tasks[i].given_up != 0) {
            tasks[i].takes_part = tasks[i].can_start = 0;
            state->given_up_count++;
        }
    }
}
