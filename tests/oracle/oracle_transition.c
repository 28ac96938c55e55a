/* SPDX-License-Identifier: MIT */
#include "oracle/oracle_transition.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static uint32_t count_outcome(const vcs_result *results, uint32_t count, uint32_t outcome) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        found += results[i].outcome == outcome;
    }
    return found;
}

static uint32_t count_server_state(const vcs_result *results, uint32_t count, uint32_t server_state) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        found += results[i].server_state == server_state;
    }
    return found;
}

/* Successes in one validate state. */
static uint32_t count_successes_in(const vcs_result *results, uint32_t count, uint32_t validate_state) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        found += results[i].outcome == VCS_OUTCOME_SUCCESS && results[i].validate_state == validate_state;
    }
    return found;
}

static uint32_t count_successes(const vcs_result *results, uint32_t count) {
    return count_outcome(results, count, VCS_OUTCOME_SUCCESS) -
           count_successes_in(results, count, VCS_VALIDATE_INVALID);
}

static uint32_t count_fresh(const vcs_result *results, uint32_t count) {
    return count_successes_in(results, count, VCS_VALIDATE_INIT);
}

static uint32_t count_pending(const vcs_result *results, uint32_t count) {
    return count_fresh(results, count) + count_successes_in(results, count, VCS_VALIDATE_INCONCLUSIVE);
}

static uint32_t count_waiting(const vcs_result *results, uint32_t count) {
    return count_server_state(results, count, VCS_RESULT_INACTIVE) +
           count_server_state(results, count, VCS_RESULT_UNSENT);
}

static vcs_result *find(vcs_result *results, uint32_t count, uint64_t id) {
    for (uint32_t i = 0; i < count; i++) {
        if (id != 0 && results[i].id == id) {
            return &results[i];
        }
    }
    return NULL;
}

static bool is_pending(const vcs_result *result) {
    return count_pending(result, 1) == 1;
}

static bool is_waiting(const vcs_result *result) {
    return count_waiting(result, 1) == 1;
}

static void end_unsent(vcs_result *result) {
    if (is_waiting(result)) {
        result->server_state = VCS_RESULT_OVER;
        result->outcome = VCS_OUTCOME_DIDNT_NEED;
    }
}

/* Rule 8.3d, without the creation itself. */
static uint32_t copies_to_make(vcs_unit *unit, const vcs_result *results, uint32_t count) {
    uint32_t on_the_way = count_waiting(results, count) + count_server_state(results, count, VCS_RESULT_IN_PROGRESS);
    uint32_t successes = count_successes(results, count);
    bool all_disagree = count_fresh(results, count) == 0 && count_pending(results, count) > 0;
    long target = unit->target_nresults;
    if (all_disagree && target < (long)successes + 1) {
        target = (long)successes + 1;
    }
    long needed = target - (long)on_the_way - (long)successes;
    long allowed = (long)unit->max_total - (long)count;
    if (needed <= 0) {
        return 0;
    }
    if (on_the_way + successes + allowed < (long)unit->min_quorum) {
        unit->error_mask |= VCS_UNIT_TOO_MANY_TOTAL;
    } else if (allowed > 0) {
        return (uint32_t)(needed < allowed ? needed : allowed);
    } else if (on_the_way == 0 && count_fresh(results, count) == 0) {
        unit->error_mask |= VCS_UNIT_TOO_MANY_TOTAL;
    }
    return 0;
}

/* Homogeneous redundancy: nothing that was sent is, or may become, a success. */
static void reset_class(vcs_unit *unit, const vcs_result *results, uint32_t count) {
    uint32_t sent = count - count_waiting(results, count);
    if (sent > 0 && count_server_state(results, count, VCS_RESULT_IN_PROGRESS) == 0 &&
        count_successes(results, count) == 0 && count_outcome(results, count, VCS_OUTCOME_NO_REPLY) == 0) {
        unit->hr_class = 0;
    }
}

/* Rule 8.3f. */
static void release(vcs_unit *unit, vcs_result *results, uint32_t count) {
    vcs_result *canonical = find(results, count, unit->canonical);
    bool gone = canonical != NULL && (canonical->file_delete_state == VCS_FILES_DONE ||
                                      canonical->file_delete_state == VCS_FILES_ERROR);
    for (uint32_t i = 0; gone && i < count; i++) {
        if (is_pending(&results[i])) {
            results[i].validate_state = VCS_VALIDATE_TOO_LATE;
        }
    }
    bool settled = count_server_state(results, count, VCS_RESULT_OVER) == count && count_pending(results, count) == 0;
    for (uint32_t i = 0; i < count; i++) {
        bool releasable = results[i].server_state == VCS_RESULT_OVER && !is_pending(&results[i]);
        if (&results[i] == canonical) {
            releasable = settled;
        }
        if (releasable && results[i].file_delete_state == VCS_FILES_INIT) {
            results[i].file_delete_state = VCS_FILES_READY;
        }
    }
    if (settled && unit->file_delete_state == VCS_FILES_INIT) {
        unit->file_delete_state = VCS_FILES_READY;
    }
}

/* Rule 8.3g. */
static double next_time(const vcs_unit *unit, const vcs_result *results, uint32_t count, double now) {
    const double lag = now - unit->transition_time;
    double next = (double)INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        if (results[i].server_state == VCS_RESULT_IN_PROGRESS) {
            next = fmin(next, results[i].deadline);
        }
    }
    if (unit->assimilate_state == VCS_ASSIMILATE_DONE && now < unit->assimilated + unit->delete_delay) {
        next = fmin(next, unit->assimilated + unit->delete_delay);
    }
    if (isinf(next) && unit->canonical == 0 && unit->error_mask == 0) {
        next = now + fmax(10 * 86400.0, 1.5 * unit->delay_bound);
    }
    return lag > 60.0 ? fmax(next, now + fmin(86400.0, 2 * lag)) : next;
}

uint32_t oracle_transition(vcs_unit *unit, vcs_result *results, uint32_t count, double now) {
    if (now < unit->transition_time) {
        return 0;
    }
    for (uint32_t i = 0; i < count; i++) { /* a */
        if (results[i].server_state == VCS_RESULT_IN_PROGRESS && now >= results[i].deadline) {
            results[i].server_state = VCS_RESULT_OVER;
            results[i].outcome = VCS_OUTCOME_NO_REPLY;
        }
    }
    if (unit->canonical != 0 ? count_pending(results, count) > 0 /* b */
                             : count_fresh(results, count) > 0 && count_successes(results, count) >= unit->min_quorum) {
        unit->need_validate = 1;
    }
    if (count_outcome(results, count, VCS_OUTCOME_COULDNT_SEND) > 0) { /* c */
        unit->error_mask |= VCS_UNIT_COULDNT_SEND;
    }
    if (count_outcome(results, count, VCS_OUTCOME_CLIENT_ERROR) > unit->max_error) {
        unit->error_mask |= VCS_UNIT_TOO_MANY_ERRORS;
    }
    if (count > unit->max_total) {
        unit->error_mask |= VCS_UNIT_TOO_MANY_TOTAL;
    }
    uint32_t made = 0;
    if (unit->error_mask == 0 && unit->canonical == 0) { /* d */
        reset_class(unit, results, count);
        made = copies_to_make(unit, results, count);
    }
    for (uint32_t i = 0; unit->error_mask != 0 && i < count; i++) { /* e */
        end_unsent(&results[i]);
        if (is_pending(&results[i])) {
            results[i].validate_state = VCS_VALIDATE_NO_CHECK;
        }
    }
    if (unit->error_mask != 0 && unit->assimilate_state == VCS_ASSIMILATE_INIT) {
        unit->assimilate_state = VCS_ASSIMILATE_READY;
    }
    if (unit->assimilate_state == VCS_ASSIMILATE_DONE && now >= unit->assimilated + unit->delete_delay) { /* f */
        release(unit, results, count);
    }
    unit->transition_time = next_time(unit, results, count, now); /* g */
    return made;
}

/* ---- Rule 8.4 ---- */

static int by_id(const void *a, const void *b) {
    uint64_t x = (*(vcs_result *const *)a)->id, y = (*(vcs_result *const *)b)->id;
    return (x > y) - (x < y);
}

/* The voters of a unit in order of id, and the vote of each. */
typedef struct ballot {
    vcs_result *voters[64];
    uint32_t classes[64];
    uint32_t count;
} ballot;

static ballot collect(vcs_result *results, uint32_t count, const uint32_t *classes) {
    ballot all = {.count = 0};
    for (uint32_t i = 0; i < count; i++) {
        if (is_pending(&results[i]) && classes[i] != VCS_NONE && classes[i] != VCS_CLASS_WRONG &&
            classes[i] != VCS_CLASS_FAILED && classes[i] != VCS_CLASS_LATER) {
            all.voters[all.count++] = &results[i];
        }
    }
    qsort(all.voters, all.count, sizeof *all.voters, by_id);
    for (uint32_t i = 0; i < all.count; i++) {
        all.classes[i] = classes[all.voters[i] - results];
    }
    return all;
}

/* How strong the class of a voter is, 0 if it makes no quorum. */
static double strength(const vcs_unit *unit, const ballot *all, uint32_t voter) {
    uint32_t members = 0;
    double weight = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->classes[i] == all->classes[voter]) {
            members++;
            weight += all->voters[i]->weight;
        }
    }
    switch (unit->quorum_rule) {
    case VCS_QUORUM_WEIGHTED:
        return weight >= unit->quorum_weight ? weight : 0;
    case VCS_QUORUM_EQUAL:
        return members >= unit->min_quorum ? members : 0;
    default:
        return members >= unit->min_quorum && 2 * members > all->count ? members : 0;
    }
}

/* The first member of the class that is stronger than all others; -1 if there is none. */
static int winner(const vcs_unit *unit, const ballot *all) {
    for (uint32_t i = 0; i < all->count; i++) {
        bool wins = strength(unit, all, i) > 0;
        for (uint32_t k = 0; k < all->count; k++) {
            if (all->classes[k] != all->classes[i] && strength(unit, all, k) >= strength(unit, all, i)) {
                wins = false;
            }
        }
        if (wins) {
            return (int)i;
        }
    }
    return -1;
}

static void leave_out(vcs_result *result, uint32_t class_number) {
    if (class_number == VCS_CLASS_WRONG || class_number == VCS_CLASS_FAILED) {
        result->validate_state = VCS_VALIDATE_INVALID;
    } else if (class_number == VCS_NONE) {
        result->outcome = VCS_OUTCOME_VALIDATE_ERROR;
        result->validate_state = VCS_VALIDATE_ERROR;
    }
}

static void settle(vcs_result *result, bool is_right, double credit) {
    result->validate_state = is_right ? VCS_VALIDATE_VALID : VCS_VALIDATE_INVALID;
    result->credited = is_right;
    result->granted = is_right ? credit : 0;
}

/* ---- Rule 8.8 ---- */

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double oracle_credit(const double *claims, uint32_t count, double max_single_claim) {
    double sorted[64], sum = 0;
    memcpy(sorted, claims, count * sizeof *claims);
    qsort(sorted, count, sizeof *sorted, by_value);
    if (count == 0) {
        return 0;
    }
    if (count == 1 && max_single_claim != 0) {
        return fmin(sorted[0], max_single_claim);
    }
    for (uint32_t i = 1; i + 1 < count; i++) {
        sum += sorted[i];
    }
    return count < 3 ? sorted[0] : fmax(sorted[1], fmin(sorted[count - 2], sum / (count - 2)));
}

static double credit_of_class(const vcs_unit *unit, const ballot *all, uint32_t class_number) {
    double claims[64];
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        if (all->classes[i] == class_number) {
            claims[count++] = all->voters[i]->claimed;
        }
    }
    return unit->credit_rule == VCS_CREDIT_FIXED ? unit->fixed_credit
                                                 : oracle_credit(claims, count, unit->max_single_claim);
}

/* ---- Rule 8.4 again ---- */

static void vote(vcs_unit *unit, vcs_result *results, uint32_t count, const uint32_t *classes) {
    ballot all = collect(results, count, classes);
    for (uint32_t i = 0; i < count; i++) {
        if (is_pending(&results[i])) {
            leave_out(&results[i], classes[i]);
            if (classes[i] == VCS_CLASS_LATER) {
                all.count = 0; /* nobody votes before all can */
            }
        }
    }
    if (all.count < unit->min_quorum) {
        return;
    }
    int won = winner(unit, &all);
    double credit = won < 0 ? 0 : credit_of_class(unit, &all, all.classes[won]);
    for (uint32_t i = 0; i < all.count; i++) {
        if (won < 0) {
            all.voters[i]->validate_state = VCS_VALIDATE_INCONCLUSIVE;
        } else {
            settle(all.voters[i], all.classes[i] == all.classes[won], credit);
        }
    }
    if (won >= 0) {
        unit->canonical = all.voters[won]->id;
        unit->assimilate_state = VCS_ASSIMILATE_READY;
        for (uint32_t i = 0; i < count; i++) {
            end_unsent(&results[i]);
        }
    } else if (all.count > unit->max_success) {
        unit->error_mask |= VCS_UNIT_TOO_MANY_SUCCESSES;
    } else if (unit->target_nresults < all.count + 1) {
        unit->target_nresults = all.count + 1 < unit->max_total ? all.count + 1 : unit->max_total;
    }
}

static void compare(vcs_result *canonical, vcs_result *results, uint32_t count, const uint32_t *classes) {
    uint32_t standard = classes[canonical - results];
    bool gone = canonical->file_delete_state >= VCS_FILES_DONE || standard == VCS_NONE || standard == VCS_CLASS_FAILED;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_pending(&results[i])) {
            continue;
        }
        if (gone) {
            results[i].validate_state = VCS_VALIDATE_TOO_LATE;
        } else if (standard == VCS_CLASS_LATER || classes[i] == VCS_CLASS_LATER) {
            continue;
        } else if (classes[i] == VCS_NONE || classes[i] == VCS_CLASS_WRONG || classes[i] == VCS_CLASS_FAILED) {
            leave_out(&results[i], classes[i]);
        } else {
            settle(&results[i], classes[i] == standard, canonical->granted);
        }
    }
}

/* Whether a success is left for later, of those that were or could be judged. It is still pending then. */
static bool waits_for(const vcs_unit *unit, const vcs_result *canonical, const vcs_result *results, uint32_t count,
                      const uint32_t *classes) {
    bool is_found = false;
    for (uint32_t i = 0; i < count; i++) {
        bool all_wait = canonical != NULL && classes[canonical - results] == VCS_CLASS_LATER;
        is_found = is_found || (is_pending(&results[i]) && (classes[i] == VCS_CLASS_LATER || all_wait));
    }
    return is_found && (canonical != NULL || unit->error_mask == 0);
}

void oracle_validate(vcs_unit *unit, vcs_result *results, uint32_t count, const uint32_t *classes, double now) {
    vcs_result *canonical = find(results, count, unit->canonical);
    if (canonical != NULL) {
        compare(canonical, results, count, classes);
    } else if (unit->error_mask == 0) {
        vote(unit, results, count, classes);
    }
    if (!waits_for(unit, canonical, results, count, classes)) {
        unit->need_validate = 0;
        unit->compare_failures = 0;
        unit->compare_time = 0;
    }
    unit->transition_time = now;
}

/* ---- Rules 8.4 and 8.5: the project's own failures ---- */

void oracle_fail(vcs_unit *unit, uint32_t work, double delay, double now) {
    uint32_t *failures[] = {&unit->compare_failures, &unit->assimilate_failures, &unit->delete_failures};
    double *times[] = {&unit->compare_time, &unit->assimilate_time, &unit->delete_time};
    *failures[work - 1] += *failures[work - 1] < UINT32_MAX;
    *times[work - 1] =
        unit->max_failures > 0 && *failures[work - 1] >= unit->max_failures ? (double)INFINITY : now + delay;
}

/* ---- Rule 8.9 ---- */

void oracle_resend(vcs_unit *unit, vcs_result *result, double estimate, double now) {
    if (unit->canonical != 0 || unit->error_mask != 0 || now + estimate > result->deadline) {
        result->server_state = VCS_RESULT_OVER;
        result->outcome = VCS_OUTCOME_NO_REPLY;
        unit->transition_time = now;
    }
}

/* If this is the verdict on a result, it is void. */
static void forget_verdict(vcs_result *result, uint32_t verdict, uint32_t mark) {
    const bool is_withdrawn = (result->revoked & VCS_REVOKED_RESULT) != 0;
    if (result->outcome == VCS_OUTCOME_SUCCESS && result->validate_state == verdict && !is_withdrawn) {
        result->validate_state = VCS_VALIDATE_INIT;
        result->credited = 0;
        result->granted = 0;
        result->revoked |= mark;
    }
}

void oracle_withdraw(vcs_unit *unit, vcs_result *results, uint32_t count, uint32_t index, double now) {
    vcs_result *result = &results[index];
    const vcs_result was = *result;
    const bool is_early = unit->assimilate_state != VCS_ASSIMILATE_DONE;
    if (was.server_state == VCS_RESULT_IN_PROGRESS || (was.outcome == VCS_OUTCOME_NO_REPLY && is_early)) {
        result->server_state = VCS_RESULT_OVER;
        result->outcome = VCS_OUTCOME_CLIENT_DETACHED;
    } else if (was.outcome == VCS_OUTCOME_SUCCESS && (was.revoked & VCS_REVOKED_RESULT) == 0 && is_early) {
        const bool had_a_say = was.validate_state == VCS_VALIDATE_VALID && unit->canonical != 0;
        if (had_a_say) {
            for (uint32_t i = 0; i < count; i++) {
                forget_verdict(&results[i], VCS_VALIDATE_VALID, VCS_REVOKED_VALID);
                forget_verdict(&results[i], VCS_VALIDATE_INVALID, VCS_REVOKED_INVALID);
                forget_verdict(&results[i], VCS_VALIDATE_TOO_LATE, 0);
            }
            unit->canonical = 0;
            unit->assimilate_state = VCS_ASSIMILATE_INIT;
            unit->assimilate_failures = 0;
            unit->assimilate_time = 0;
        }
        if (had_a_say || was.validate_state == VCS_VALIDATE_INCONCLUSIVE) {
            for (uint32_t i = 0; i < count; i++) {
                forget_verdict(&results[i], VCS_VALIDATE_INCONCLUSIVE, 0);
            }
        }
        *result = was;
        result->validate_state = VCS_VALIDATE_INVALID;
        result->credited = 0;
        result->granted = 0;
        result->revoked |= VCS_REVOKED_RESULT;
    } else {
        result->late_report = VCS_REPORT_WITHDRAWN;
        result->late_received = now;
        return;
    }
    unit->transition_time = now;
}
