/*
 * What a unit needs now: copies, validation, assimilation, and the deletion of files.
 *
 * Rule 8.3; the plain reference is tests/oracle/oracle_transition.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "interface/argument.h"
#include "interface/check.h"
#include "core/number.h"
#include "unit/change.h"
#include "unit/unit.h"

#include <vcsched/transition.h>

/* Rule 8.3g: when to check a unit for which nothing is known to happen: after this time, or this many delay bounds. */
#define SAFETY_NET (10 * 86400.0)
#define SAFETY_NET_BOUNDS 1.5

/* Rule 8.3g: how long a unit is left alone when transitions run late. */
#define LEAST_REST 60.0
#define GREATEST_REST 86400.0
#define REST_PER_LAG 2.0

/* A unit during its transition: what is given, and what the steps so far have made of it. */
typedef struct transition {
    vcs_given_unit given;
    double now;
    vcs_change_list *changes;
    vcs_unit unit;                 /* as it becomes */
    uint32_t unsent, in_progress;  /* copies that may still succeed */
    uint32_t successes;            /* all that are not invalid, judged or not */
    uint32_t never_compared;       /* those of them that no validation has seen */
    uint32_t inconclusive;         /* those of them that were compared without a consensus */
    uint32_t unsendable;           /* copies that could not be sent */
    uint32_t client_errors;        /* copies that failed on their hosts */
    uint32_t no_reply;             /* copies that were given up, and may still be reported */
} transition;

/* ---- What the changes so far have made of a result ---- */

static bool has_failed(const transition *t) {
    return t->unit.error_mask != 0;
}

static bool is_overdue(const transition *t, const vcs_result *result) {
    return result->server_state == VCS_RESULT_IN_PROGRESS && t->now > result->deadline;
}

static bool is_in_progress(const transition *t, const vcs_result *result) {
    return result->server_state == VCS_RESULT_IN_PROGRESS && !is_overdue(t, result);
}

/* A failed unit withdraws its unsent copies. */
static bool is_over(const transition *t, const vcs_result *result) {
    return !is_in_progress(t, result) && !(vcs_is_waiting(result) && !has_failed(t));
}

/* A failed unit judges nothing any more, and nothing can be compared with files that are gone. */
static bool is_pending(const transition *t, const vcs_result *result) {
    const vcs_result *canonical = vcs_canonical_of(&t->given);
    return vcs_is_pending(result) && !has_failed(t) && !(canonical != NULL && vcs_are_files_gone(canonical));
}

static void count_result(transition *t, const vcs_result *result) {
    t->unsent += vcs_is_waiting(result);
    t->in_progress += is_in_progress(t, result);
    t->successes += vcs_is_success(result);
    t->never_compared += vcs_is_pending(result) && result->validate_state == VCS_VALIDATE_INIT;
    t->inconclusive += vcs_is_pending(result) && result->validate_state == VCS_VALIDATE_INCONCLUSIVE;
    t->unsendable += result->outcome == VCS_OUTCOME_COULDNT_SEND;
    t->client_errors += result->outcome == VCS_OUTCOME_CLIENT_ERROR;
    t->no_reply += result->outcome == VCS_OUTCOME_NO_REPLY || is_overdue(t, result);
}

/* ---- Changes of the unit ---- */

static void set_unit(transition *t, uint32_t field, uint32_t *current, uint32_t value, uint32_t reason) {
    if (*current != value) {
        *current = value;
        vcs_change_integer(t->changes, VCS_NONE, field, value, reason);
    }
}

static void fail(transition *t, uint32_t error, uint32_t reason) {
    set_unit(t, VCS_FIELD_UNIT_ERROR_MASK, &t->unit.error_mask, t->unit.error_mask | error, reason);
}

/* ---- Rule 8.3, letter by letter ---- */

/* a. Copies after their deadline are given up. */
static void give_up_overdue(transition *t) {
    for (uint32_t i = 0; i < t->given.results.count; i++) {
        const vcs_result *result = vcs_result_at(&t->given, i);
        if (is_overdue(t, result)) {
            vcs_change_integer(t->changes, i, VCS_FIELD_RESULT_SERVER_STATE, VCS_RESULT_OVER, VCS_REASON_OVERDUE);
            vcs_change_integer(t->changes, i, VCS_FIELD_RESULT_OUTCOME, VCS_OUTCOME_NO_REPLY, VCS_REASON_OVERDUE);
        }
        count_result(t, result);
    }
}

/* b. Successes are compared when there is a quorum of them; once there is a canonical result, each one with that. */
static void ask_for_validation(transition *t) {
    bool is_wanted = t->unit.canonical != 0 ? t->never_compared + t->inconclusive > 0
                                            : t->never_compared > 0 && t->successes >= t->unit.min_quorum;
    if (is_wanted) {
        set_unit(t, VCS_FIELD_UNIT_NEED_VALIDATE, &t->unit.need_validate, 1, VCS_REASON_QUORUM);
    }
}

/* c. Reasons to fail. Too many successes are found by validation. */
static void look_for_errors(transition *t) {
    if (t->unsendable > 0) {
        fail(t, VCS_UNIT_COULDNT_SEND, VCS_REASON_COULDNT_SEND);
    }
    if (t->client_errors > t->unit.max_error) {
        fail(t, VCS_UNIT_TOO_MANY_ERRORS, VCS_REASON_TOO_MANY_ERRORS);
    }
    if (t->given.results.count > t->unit.max_total) {
        fail(t, VCS_UNIT_TOO_MANY_TOTAL, VCS_REASON_TOO_MANY_TOTAL);
    }
}

/* Homogeneous redundancy: if no copy sent so far is of use for comparing, a new one may go to any class of hosts. */
static void free_class(transition *t) {
    uint32_t useful = t->in_progress + t->successes + t->no_reply;
    if (t->unit.hr_class != 0 && useful == 0 && t->given.results.count > t->unsent) {
        t->unit.hr_class = 0;
        vcs_change_integer(t->changes, VCS_NONE, VCS_FIELD_UNIT_HR_CLASS, 0, VCS_REASON_CLASS_FREE);
    }
}

/* How many copies should be unsent, in progress or successful: N, or one more than the successes if all disagree. */
static uint32_t wanted_copies(const transition *t) {
    bool is_undecided = t->inconclusive > 0 && t->never_compared == 0;
    bool is_target_too_low = is_undecided && t->unit.target_nresults <= t->successes;
    return is_target_too_low ? t->successes + 1 : t->unit.target_nresults;
}

/* Whether even with `more` copies there is no quorum, or no further copy can settle a disagreement. */
static bool is_quorum_out_of_reach(const transition *t, uint32_t more) {
    uint32_t to_come = t->unsent + t->in_progress + more;
    return to_come + t->successes < t->unit.min_quorum || (to_come == 0 && t->never_compared == 0);
}

/* d. Missing copies are asked for, up to max_total. */
static void make_copies(transition *t) {
    if (has_failed(t) || t->unit.canonical != 0) {
        return;
    }
    free_class(t);
    uint32_t wanted = wanted_copies(t), present = t->unsent + t->in_progress + t->successes;
    uint32_t missing = wanted > present ? wanted - present : 0;
    uint32_t allowed = t->unit.max_total - t->given.results.count; /* not negative, or the unit would have failed */
    uint32_t more = (uint32_t)vcs_min_u64(missing, allowed);
    if (missing > 0 && is_quorum_out_of_reach(t, more)) {
        fail(t, VCS_UNIT_TOO_MANY_TOTAL, VCS_REASON_QUORUM_OUT_OF_REACH);
    } else if (more > 0) {
        vcs_change_create(t->changes, more, VCS_REASON_COPIES_MISSING);
    }
}

static void withdraw(transition *t, uint32_t i) {
    vcs_change_integer(t->changes, i, VCS_FIELD_RESULT_SERVER_STATE, VCS_RESULT_OVER, VCS_REASON_UNIT_FAILED);
    vcs_change_integer(t->changes, i, VCS_FIELD_RESULT_OUTCOME, VCS_OUTCOME_DIDNT_NEED, VCS_REASON_UNIT_FAILED);
}

/* e. A failed unit is finished. */
static void end_failed(transition *t) {
    if (!has_failed(t)) {
        return;
    }
    for (uint32_t i = 0; i < t->given.results.count; i++) {
        const vcs_result *result = vcs_result_at(&t->given, i);
        if (vcs_is_waiting(result)) {
            withdraw(t, i);
        } else if (vcs_is_pending(result)) {
            vcs_change_integer(t->changes, i, VCS_FIELD_RESULT_VALIDATE_STATE, VCS_VALIDATE_NO_CHECK,
                               VCS_REASON_UNIT_FAILED);
        }
    }
    if (t->unit.assimilate_state == VCS_ASSIMILATE_INIT) {
        set_unit(t, VCS_FIELD_UNIT_ASSIMILATE_STATE, &t->unit.assimilate_state, VCS_ASSIMILATE_READY,
                 VCS_REASON_UNIT_FAILED);
    }
}

static double end_of_delete_delay(const transition *t) {
    return t->unit.assimilated + t->unit.delete_delay;
}

static bool may_delete(const transition *t) {
    return t->unit.assimilate_state == VCS_ASSIMILATE_DONE && t->now >= end_of_delete_delay(t);
}

/* Whether every result is over, and every success judged. */
static bool is_all_settled(const transition *t) {
    for (uint32_t i = 0; i < t->given.results.count; i++) {
        const vcs_result *result = vcs_result_at(&t->given, i);
        if (!is_over(t, result) || is_pending(t, result)) {
            return false;
        }
    }
    return true;
}

static void release_outputs(transition *t, uint32_t i, bool is_settled) {
    const vcs_result *result = vcs_result_at(&t->given, i);
    bool is_needed = i == t->given.canonical ? !is_settled : !is_over(t, result) || is_pending(t, result);
    if (result->file_delete_state == VCS_FILES_INIT && !is_needed) {
        vcs_change_integer(t->changes, i, VCS_FIELD_RESULT_FILE_DELETE_STATE, VCS_FILES_READY,
                           VCS_REASON_FILES_NOT_NEEDED);
    }
}

/* f. Once the unit is assimilated, files are deleted when nothing needs them: canonical outputs and inputs last. */
static void release_files(transition *t) {
    if (!may_delete(t)) {
        return;
    }
    bool is_settled = is_all_settled(t);
    for (uint32_t i = 0; i < t->given.results.count; i++) {
        const vcs_result *result = vcs_result_at(&t->given, i);
        if (vcs_is_pending(result) && !is_pending(t, result) && !has_failed(t)) {
            vcs_change_integer(t->changes, i, VCS_FIELD_RESULT_VALIDATE_STATE, VCS_VALIDATE_TOO_LATE,
                               VCS_REASON_CANONICAL_GONE);
        }
        release_outputs(t, i, is_settled);
    }
    if (is_settled && t->unit.file_delete_state == VCS_FILES_INIT) {
        set_unit(t, VCS_FIELD_UNIT_FILE_DELETE_STATE, &t->unit.file_delete_state, VCS_FILES_READY,
                 VCS_REASON_FILES_NOT_NEEDED);
    }
}

/* When to check the unit again, and why. */
typedef struct check_time {
    double time;
    uint32_t reason;
} check_time;

static void check_by(check_time *next, double time, uint32_t reason) {
    if (time < next->time) {
        *next = (check_time){time, reason};
    }
}

static double safety_net(const transition *t) {
    return t->now + vcs_max(SAFETY_NET_BOUNDS * t->unit.delay_bound, SAFETY_NET);
}

/* The next thing that is known to happen. */
static check_time next_known(const transition *t) {
    check_time next = {VCS_INFINITY, VCS_REASON_WAITS_FOR_EVENT};
    for (uint32_t i = 0; i < t->given.results.count; i++) {
        const vcs_result *result = vcs_result_at(&t->given, i);
        if (is_in_progress(t, result)) {
            check_by(&next, result->deadline, VCS_REASON_NEXT_DEADLINE);
        }
    }
    if (t->unit.assimilate_state == VCS_ASSIMILATE_DONE && !may_delete(t)) {
        check_by(&next, end_of_delete_delay(t), VCS_REASON_DELETE_DELAY);
    }
    if (next.time == VCS_INFINITY && t->unit.canonical == 0 && !has_failed(t)) {
        check_by(&next, safety_net(t), VCS_REASON_SAFETY_NET);
    }
    return next;
}

/* How long to leave the unit alone: the later this transition is, the longer. */
static double rest(const transition *t) {
    double lag = t->now - t->given.unit->transition_time;
    return vcs_min(vcs_max(REST_PER_LAG * lag, LEAST_REST), GREATEST_REST);
}

/* g. The unit is checked again when something is known to happen, but not immediately if transitions run late. */
static void set_next_check(transition *t) {
    check_time next = next_known(t);
    double earliest = t->now + rest(t);
    if (next.time < earliest) {
        next = (check_time){earliest, VCS_REASON_LAGS};
    }
    vcs_change_number(t->changes, VCS_NONE, VCS_FIELD_UNIT_TRANSITION_TIME, next.time, next.reason);
}

int vcs_transition(const vcs_unit *unit, const vcs_result *results, uint32_t result_size, uint32_t result_count,
                   double now, vcs_change *changes, uint32_t change_size, uint32_t change_capacity,
                   uint32_t *change_count, vcs_error *error) {
    int code = vcs_check_error(error);
    if (code != VCS_OK) {
        return code;
    }
    vcs_change_list list;
    transition t = {.now = now, .changes = &list};
    code = vcs_take_unit(&t.given, unit, results, result_size, result_count, error);
    if (code == VCS_OK) {
        code = vcs_check_now(now, error);
    }
    if (code == VCS_OK) {
        code = vcs_begin_changes(&list, changes, change_size, change_capacity, change_count, result_count, error);
    }
    if (code != VCS_OK) {
        return code;
    }
    t.unit = *unit;
    if (now > unit->transition_time) {
        give_up_overdue(&t);
        ask_for_validation(&t);
        look_for_errors(&t);
        make_copies(&t);
        end_failed(&t);
        release_files(&t);
        set_next_check(&t);
    }
    *change_count = list.count;
    return VCS_OK;
}
