/*
 * Which tasks are given up, so that no decision counts on them.
 *
 * Rules 15.3 and 15.7; the plain references are tests/oracle/oracle_chance.c and oracle_likely.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/host/given_up.h"
#include "vcsched/chance/give_up.h"
#include "vcsched/chance/last_connection.h"
#include "vcsched/host/convert.h"
#include "vcsched/host/host_spells.h"

#include <stdbool.h>

/* What is the same for all tasks. */
static vcs_give_up_terms common_terms(const vcs_state *state) {
    const vcs_mean_spells spells = vcs_spells_of(state);
    return (vcs_give_up_terms){
        .rule = state->parameters.give_up,
        .on = spells.on,
        .off = spells.off,
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

/* Why the task is given up; 0 = it is not. Tasks that are suspended wait for whoever suspended them. */
static uint32_t why_given_up(const vcs_state *state, uint32_t index, vcs_give_up_terms *terms) {
    const vcs_prepared_task *task = &vcs_prepared_tasks(state)[index];
    if (!task->takes_part || (vcs_projects(state)[task->project].flags & VCS_PROJECT_KEEPS_TASKS) != 0) {
        return 0;
    }
    const double window = last_moment(state, task) - state->now;
    terms->remaining = task->remaining;
    if (vcs_is_surely_kept(terms, window)) {
        return 0;
    }
    terms->deadline = task->deadline;
    terms->total = vcs_task_records(state)[index].total;
    terms->bound =
        vcs_last_connection(vcs_max(task->deadline - task->received, 0.0), 0.0, state->parameters.connect_every);
    double chance;
    const uint32_t reason = vcs_give_up_reason(terms, window, &chance);
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
    vcs_give_up_terms terms = common_terms(state);
    state->given_up_count = 0;
    vcs_set_eligibilities(state); /* some may have been given up, by other parameters or estimates */
    for (uint32_t i = 0; may_give_up && i < state->task_count; i++) {
        tasks[i].given_up = why_given_up(state, i, &terms);
        if (tasks[i].given_up != 0) {
            tasks[i].takes_part = tasks[i].can_start = 0;
            state->given_up_count++;
        }
    }
}
