/*
 * What a unit needs now: copies, validation, assimilation, and the deletion of files.
 *
 * Rule 8.3; the plain reference is tests/oracle/oracle_transition.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/core/compiler.h"
#include "vcsched/core/number.h"
#include "vcsched/unit/unit.h"

#include <vcsched/unit.h>

/* Rule 8.3g: a unit without a known event is checked after the longer of this time and this many delay bounds. */
#define SAFETY_NET (10 * 86400.0)
#define SAFETY_NET_BOUNDS 1.5

/* Rule 8.3g: a transition this long after it was due is late; how long the unit is then left alone. */
#define LAG 60.0
#define REST_PER_LAG 2.0
#define GREATEST_REST 86400.0

/* A unit during its transition, after the steps so far. */
typedef struct transition {
    vcs_unit_call call;
    uint32_t error_mask;          /* as it becomes */
    bool is_canonical_gone;       /* see vcs_is_canonical_gone() */
    uint32_t unsent, in_progress; /* copies that may still succeed */
    uint32_t successes;           /* not invalid, judged or not */
    uint32_t never_compared;      /* successes that no validation has seen */
    uint32_t inconclusive;        /* successes that were compared without a consensus */
    uint32_t unsendable;          /* copies that could not be sent */
    uint32_t client_errors;       /* copies that failed on their hosts */
    uint32_t no_reply;            /* copies that were given up, and may still be reported */
} transition;

/* ---- A result after the steps so far ---- */

static bool is_in_progress(const transition *t, const vcs_result *result) {
    return result->server_state == VCS_RESULT_IN_PROGRESS && t->call.now < result->deadline;
}

/* Whether the result may still change. A failed unit withdraws unsent copies and judges nothing any more. */
static bool is_open(const transition *t, const vcs_result *result) {
    const bool is_to_be_judged = vcs_is_pending(result) && !t->is_canonical_gone;
    return is_in_progress(t, result) || (t->error_mask == 0 && (vcs_is_waiting(result) || is_to_be_judged));
}

/* Not inline: units seldom fail, so one copy of the code is enough. */
static VCS_NOT_INLINE void fail_unit(transition *t, uint32_t error, uint32_t reason) {
    if ((t->error_mask & error) == 0) {
        t->error_mask |= error;
        vcs_change_unit(&t->call, VCS_FIELD_UNIT_ERROR_MASK, t->error_mask, reason);
    }
}

/* ---- Rule 8.3, letter by letter ---- */

/* a. Overdue copies are given up. All copies are counted on the way. */
static void give_up_overdue(transition *t) {
    for (uint32_t i = 0; i < t->call.results->count; i++) {
        const vcs_result *result = vcs_result_at(&t->call, i);
        const bool is_late = result->server_state == VCS_RESULT_IN_PROGRESS && t->call.now >= result->deadline;
        const bool is_pending = vcs_is_pending(result);
        if (is_late) {
            vcs_end_result(&t->call, i, VCS_OUTCOME_NO_REPLY, VCS_REASON_OVERDUE);
        }
        t->unsent += vcs_is_waiting(result);
        t->in_progress += is_in_progress(t, result);
        t->successes += vcs_is_success(result);
        t->never_compared += is_pending && result->validate_state == VCS_VALIDATE_INIT;
        t->inconclusive += is_pending && result->validate_state == VCS_VALIDATE_INCONCLUSIVE;
        t->unsendable += result->outcome == VCS_OUTCOME_COULDNT_SEND;
        t->client_errors += result->outcome == VCS_OUTCOME_CLIENT_ERROR;
        t->no_reply += result->outcome == VCS_OUTCOME_NO_REPLY || is_late;
    }
}

/* b. Successes are compared when there is a quorum; once there is a canonical result, each is compared with it. */
static void ask_for_validation(transition *t) {
    const vcs_unit *unit = t->call.unit;
    const bool is_wanted = unit->canonical != 0 ? t->never_compared + t->inconclusive > 0
                                                : t->never_compared > 0 && t->successes >= unit->min_quorum;
    if (is_wanted && unit->need_validate == 0) {
        vcs_change_unit(&t->call, VCS_FIELD_UNIT_NEED_VALIDATE, 1, VCS_REASON_QUORUM);
    }
}

/* c. Reasons to fail. Validation finds too many successes. */
static void look_for_errors(transition *t) {
    const vcs_unit *unit = t->call.unit;
    if (t->unsendable > 0) {
        fail_unit(t, VCS_UNIT_COULDNT_SEND, VCS_REASON_COULDNT_SEND);
    }
    if (t->client_errors > unit->max_error) {
        fail_unit(t, VCS_UNIT_TOO_MANY_ERRORS, VCS_REASON_TOO_MANY_ERRORS);
    }
    if (t->call.results->count > unit->max_total) {
        fail_unit(t, VCS_UNIT_TOO_MANY_TOTAL, VCS_REASON_TOO_MANY_TOTAL);
    }
}

/* Homogeneous redundancy: if no copy sent so far helps to compare, a new copy may go to any class of hosts. */
static void free_class(transition *t) {
    const uint32_t useful = t->in_progress + t->successes + t->no_reply;
    if (t->call.unit->hr_class != 0 && useful == 0 && t->call.results->count > t->unsent) {
        vcs_change_unit(&t->call, VCS_FIELD_UNIT_HR_CLASS, 0, VCS_REASON_CLASS_FREE);
    }
}

/* How many copies should be unsent, in progress or successful: N, or one more than the successes if all disagree. */
static uint32_t wanted_copies(const transition *t) {
    const bool is_undecided = t->inconclusive > 0 && t->never_compared == 0;
    const bool is_target_too_low = is_undecided && t->call.unit->target_nresults <= t->successes;
    return is_target_too_low ? t->successes + 1 : t->call.unit->target_nresults;
}

/* d. Missing copies are asked for, up to max_total. */
static void make_copies(transition *t) {
    const vcs_unit *unit = t->call.unit;
    if (t->error_mask != 0 || unit->canonical != 0) {
        return;
    }
    free_class(t);
    const uint32_t wanted = wanted_copies(t), present = t->unsent + t->in_progress + t->successes;
    const uint32_t missing = wanted > present ? wanted - present : 0;
    const uint32_t allowed = unit->max_total - t->call.results->count; /* not negative, or the unit would have failed */
    const uint32_t more = (uint32_t)vcs_min_u64(missing, allowed);
    /* Even with these there may be no quorum, or no further copy may be left to settle a disagreement. */
    const uint32_t to_come = t->unsent + t->in_progress + more;
    const bool is_out_of_reach = to_come + t->successes < unit->min_quorum || (to_come == 0 && t->never_compared == 0);
    if (missing > 0 && is_out_of_reach) {
        fail_unit(t, VCS_UNIT_TOO_MANY_TOTAL, VCS_REASON_QUORUM_OUT_OF_REACH);
    } else if (more > 0) {
        vcs_ask_for_results(&t->call, more, VCS_REASON_COPIES_MISSING);
    }
}

/* e. A failed unit is finished. */
static void end_failed(transition *t) {
    if (t->error_mask == 0) {
        return;
    }
    for (uint32_t i = 0; i < t->call.results->count; i++) {
        const vcs_result *result = vcs_result_at(&t->call, i);
        if (vcs_is_waiting(result)) {
            vcs_end_result(&t->call, i, VCS_OUTCOME_DIDNT_NEED, VCS_REASON_UNIT_FAILED);
        } else if (vcs_is_pending(result)) {
            vcs_change_result(&t->call, i, VCS_FIELD_RESULT_VALIDATE_STATE, VCS_VALIDATE_NO_CHECK,
                              VCS_REASON_UNIT_FAILED);
        }
    }
    if (t->call.unit->assimilate_state == VCS_ASSIMILATE_INIT) {
        vcs_change_unit(&t->call, VCS_FIELD_UNIT_ASSIMILATE_STATE, VCS_ASSIMILATE_READY, VCS_REASON_UNIT_FAILED);
    }
}

/* When files may be deleted; +infinity before the unit is assimilated. */
static double deletion_time(const vcs_unit *unit) {
    return unit->assimilate_state == VCS_ASSIMILATE_DONE ? unit->assimilated + unit->delete_delay : VCS_INFINITY;
}

/* f. Once the unit is assimilated, files that nothing needs are deleted: the canonical result's and the unit's last. */
static void release_files(transition *t) {
    if (t->call.now < deletion_time(t->call.unit)) {
        return;
    }
    bool is_any_open = false;
    for (uint32_t i = 0; i < t->call.results->count; i++) {
        is_any_open = is_any_open || is_open(t, vcs_result_at(&t->call, i));
    }
    for (uint32_t i = 0; i < t->call.results->count; i++) {
        const vcs_result *result = vcs_result_at(&t->call, i);
        if (vcs_is_pending(result) && t->is_canonical_gone && t->error_mask == 0) {
            vcs_change_result(&t->call, i, VCS_FIELD_RESULT_VALIDATE_STATE, VCS_VALIDATE_TOO_LATE,
                              VCS_REASON_CANONICAL_GONE);
        }
        const bool is_needed = i == t->call.canonical ? is_any_open : is_open(t, result);
        if (result->file_delete_state == VCS_FILES_INIT && !is_needed) {
            vcs_change_result(&t->call, i, VCS_FIELD_RESULT_FILE_DELETE_STATE, VCS_FILES_READY,
                              VCS_REASON_FILES_NOT_NEEDED);
        }
    }
    if (!is_any_open && t->call.unit->file_delete_state == VCS_FILES_INIT) {
        vcs_change_unit(&t->call, VCS_FIELD_UNIT_FILE_DELETE_STATE, VCS_FILES_READY, VCS_REASON_FILES_NOT_NEEDED);
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

/* The next thing that is known to happen. */
static check_time next_known(const transition *t) {
    const vcs_unit *unit = t->call.unit;
    check_time next = {VCS_INFINITY, VCS_REASON_WAITS_FOR_EVENT};
    for (uint32_t i = 0; i < t->call.results->count; i++) {
        const vcs_result *result = vcs_result_at(&t->call, i);
        if (is_in_progress(t, result)) {
            check_by(&next, result->deadline, VCS_REASON_NEXT_DEADLINE);
        }
    }
    if (t->call.now < deletion_time(unit)) {
        check_by(&next, deletion_time(unit), VCS_REASON_DELETE_DELAY);
    }
    if (next.time == VCS_INFINITY && unit->canonical == 0 && t->error_mask == 0) {
        const double safety_net = vcs_max(SAFETY_NET_BOUNDS * unit->delay_bound, SAFETY_NET);
        check_by(&next, t->call.now + safety_net, VCS_REASON_SAFETY_NET);
    }
    return next;
}

/*
 * g. The unit is checked again when something is known to happen. All known events are still to come, so a second
 * transition at the same time is not due. The later this transition is, the later the next: a server that cannot keep
 * up does not fall further behind.
 */
static void set_next_check(transition *t) {
    check_time next = next_known(t);
    const double lag = t->call.now - t->call.unit->transition_time;
    const double earliest = t->call.now + vcs_min(REST_PER_LAG * lag, GREATEST_REST);
    if (lag > LAG && next.time < earliest) {
        next = (check_time){earliest, VCS_REASON_LAGS};
    }
    vcs_change_unit_time(&t->call, VCS_FIELD_UNIT_TRANSITION_TIME, next.time, next.reason);
}

static void take_steps(transition *t) {
    t->error_mask = t->call.unit->error_mask;
    t->is_canonical_gone = vcs_is_canonical_gone(&t->call);
    give_up_overdue(t);
    ask_for_validation(t);
    look_for_errors(t);
    make_copies(t);
    end_failed(t);
    release_files(t);
    set_next_check(t);
}

int vcs_transition(const vcs_unit *unit, const vcs_array *results, double now, const vcs_array *changes,
                   uint32_t *change_count, vcs_error *error) {
    transition t = {.error_mask = 0};
    const int code = vcs_begin_call(&t.call, unit, results, now, changes, change_count, error);
    if (code != VCS_OK) {
        return code;
    }
    if (now >= unit->transition_time) {
        take_steps(&t);
    }
    *change_count = t.call.change_count;
    return VCS_OK;
}
