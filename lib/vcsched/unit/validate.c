/*
 * Which results of a unit are right, given which of them are equal.
 *
 * Rules 8.4 and 8.8; the plain reference is tests/oracle/oracle_transition.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/interface/check/argument.h"
#include "vcsched/core/number.h"
#include "vcsched/unit/unit.h"

#include <vcsched/unit.h>

typedef struct validation {
    vcs_unit_call call;
    const uint32_t *classes;
    bool is_any_later; /* a success stays pending, because it cannot be judged now */
} validation;

/* ---- Verdicts on one result ---- */

static void judge(validation *v, uint32_t i, uint32_t verdict, uint32_t reason) {
    vcs_change_result(&v->call, i, VCS_FIELD_RESULT_VALIDATE_STATE, verdict, reason);
}

static void accept(validation *v, uint32_t i, double credit) {
    judge(v, i, VCS_VALIDATE_VALID, VCS_REASON_AGREES);
    vcs_change_result(&v->call, i, VCS_FIELD_RESULT_CREDITED, 1, VCS_REASON_AGREES);
    if (credit != 0.0) {
        vcs_change_result_number(&v->call, i, VCS_FIELD_RESULT_GRANTED, credit, VCS_REASON_AGREES);
    }
}

/* The numbers from this one on have a meaning of their own. */
static bool is_comparable(const validation *v, uint32_t i) {
    return v->classes[i] < VCS_CLASS_LATER;
}

/* Judges a result that cannot be compared, or is wrong in itself; or not, if that will pass. */
static void leave_out(validation *v, uint32_t i) {
    switch (v->classes[i]) {
    case VCS_CLASS_LATER:
        v->is_any_later = true;
        break;
    case VCS_CLASS_FAILED:
        judge(v, i, VCS_VALIDATE_INVALID, VCS_REASON_COMPARISON_FAILED);
        break;
    case VCS_CLASS_WRONG:
        judge(v, i, VCS_VALIDATE_INVALID, VCS_REASON_WRONG);
        break;
    default:
        vcs_change_result(&v->call, i, VCS_FIELD_RESULT_OUTCOME, VCS_OUTCOME_VALIDATE_ERROR, VCS_REASON_NOT_COMPARABLE);
        judge(v, i, VCS_VALIDATE_ERROR, VCS_REASON_NOT_COMPARABLE);
        break;
    }
}

/* ---- With a canonical result ---- */

static void compare_with_canonical(validation *v, uint32_t i) {
    const uint32_t right = v->classes[v->call.canonical];
    if (vcs_is_canonical_gone(&v->call) || right == VCS_NONE || right == VCS_CLASS_FAILED) {
        judge(v, i, VCS_VALIDATE_TOO_LATE, VCS_REASON_CANONICAL_GONE);
    } else if (right == VCS_CLASS_LATER) {
        v->is_any_later = true;
    } else if (!is_comparable(v, i)) {
        leave_out(v, i);
    } else if (v->classes[i] == right) {
        accept(v, i, vcs_result_at(&v->call, v->call.canonical)->granted);
    } else {
        judge(v, i, VCS_VALIDATE_INVALID, VCS_REASON_DIFFERS);
    }
}

/* ---- Without one: the quorum ---- */

/* A success that takes part in the vote. */
static bool is_voter(const validation *v, uint32_t i) {
    return vcs_is_pending(vcs_result_at(&v->call, i)) && is_comparable(v, i);
}

static bool is_member(const validation *v, uint32_t i, uint32_t class_number) {
    return v->classes[i] == class_number && is_voter(v, i);
}

static uint64_t id_of(const validation *v, uint32_t i) {
    return vcs_result_at(&v->call, i)->id;
}

/* The member of a class with the least id above the id of `after`; VCS_NONE if there is none. */
static uint32_t next_member(const validation *v, uint32_t class_number, uint32_t after) {
    uint32_t next = VCS_NONE;
    for (uint32_t i = 0; i < v->call.results->count; i++) {
        bool is_above = after == VCS_NONE || id_of(v, i) > id_of(v, after);
        if (is_member(v, i, class_number) && is_above && (next == VCS_NONE || id_of(v, i) < id_of(v, next))) {
            next = i;
        }
    }
    return next;
}

/* A class of equal results. */
typedef struct faction {
    uint32_t first;  /* its member with the least id; VCS_NONE = there is no such class */
    double strength; /* the weight of its members, added in order of id, or their number */
} faction;

static faction gather(const validation *v, uint32_t first) {
    const bool is_by_weight = v->call.unit->quorum_rule == VCS_QUORUM_WEIGHTED;
    faction gathered = {first, 0.0};
    for (uint32_t i = first; i != VCS_NONE; i = next_member(v, v->classes[first], i)) {
        gathered.strength += is_by_weight ? vcs_result_at(&v->call, i)->weight : 1.0;
    }
    return gathered;
}

static bool is_quorum(const vcs_unit *unit, double strength, uint32_t voters) {
    switch (unit->quorum_rule) {
    case VCS_QUORUM_WEIGHTED:
        return strength >= unit->quorum_weight;
    case VCS_QUORUM_EQUAL:
        return strength >= unit->min_quorum;
    default:
        return strength >= unit->min_quorum && strength > voters - strength;
    }
}

/* The consensus: the strongest class that makes a quorum. There is none if two are equally strong. */
static faction find_consensus(const validation *v, uint32_t voters) {
    faction best = {VCS_NONE, 0.0};
    bool is_tied = false;
    for (uint32_t i = 0; i < v->call.results->count; i++) {
        if (!is_voter(v, i) || next_member(v, v->classes[i], VCS_NONE) != i) {
            continue; /* each class is handled once, at its first member */
        }
        faction candidate = gather(v, i);
        if (is_quorum(v->call.unit, candidate.strength, voters) && candidate.strength >= best.strength) {
            is_tied = best.first != VCS_NONE && candidate.strength == best.strength;
            best = candidate;
        }
    }
    return is_tied ? (faction){VCS_NONE, 0.0} : best;
}

/* The credit of each member of the winning class (rule 8.8). */
static double credit_of_members(const validation *v, uint32_t canonical) {
    const vcs_claims claims = {v->call.results, v->classes, v->classes[canonical]};
    return v->call.unit->credit_rule == VCS_CREDIT_FIXED
               ? v->call.unit->fixed_credit
               : vcs_credit_of_claims(&claims, v->call.unit->max_single_claim);
}

static void elect(validation *v, uint32_t canonical) {
    const double credit = credit_of_members(v, canonical);
    vcs_change_unit(&v->call, VCS_FIELD_UNIT_CANONICAL, id_of(v, canonical), VCS_REASON_CANONICAL);
    for (uint32_t i = 0; i < v->call.results->count; i++) {
        if (vcs_is_waiting(vcs_result_at(&v->call, i))) {
            vcs_end_result(&v->call, i, VCS_OUTCOME_DIDNT_NEED, VCS_REASON_CANONICAL);
        } else if (is_member(v, i, v->classes[canonical])) {
            accept(v, i, credit);
        } else if (is_voter(v, i)) {
            judge(v, i, VCS_VALIDATE_INVALID, VCS_REASON_DIFFERS);
        }
    }
    vcs_change_unit(&v->call, VCS_FIELD_UNIT_ASSIMILATE_STATE, VCS_ASSIMILATE_READY, VCS_REASON_CANONICAL);
}

/* Without a consensus, one more copy may decide, unless there are too many already. */
static void go_on(validation *v, uint32_t voters) {
    const vcs_unit *unit = v->call.unit;
    for (uint32_t i = 0; i < v->call.results->count; i++) {
        if (is_voter(v, i) && vcs_result_at(&v->call, i)->validate_state == VCS_VALIDATE_INIT) {
            judge(v, i, VCS_VALIDATE_INCONCLUSIVE, VCS_REASON_NO_CONSENSUS);
        }
    }
    if (voters > unit->max_success) {
        vcs_change_unit(&v->call, VCS_FIELD_UNIT_ERROR_MASK, VCS_UNIT_TOO_MANY_SUCCESSES,
                        VCS_REASON_TOO_MANY_SUCCESSES);
    } else if (voters >= unit->target_nresults && unit->target_nresults < unit->max_total) {
        uint32_t more = (uint32_t)vcs_min_u64((uint64_t)voters + 1, unit->max_total);
        vcs_change_unit(&v->call, VCS_FIELD_UNIT_TARGET_NRESULTS, more, VCS_REASON_NO_CONSENSUS);
    }
}

static void vote(validation *v) {
    uint32_t voters = 0;
    for (uint32_t i = 0; i < v->call.results->count; i++) {
        voters += is_voter(v, i);
        if (vcs_is_pending(vcs_result_at(&v->call, i)) && !is_comparable(v, i)) {
            leave_out(v, i);
        }
    }
    if (v->is_any_later || voters < v->call.unit->min_quorum) {
        return;
    }
    faction consensus = find_consensus(v, voters);
    if (consensus.first != VCS_NONE) {
        elect(v, consensus.first);
    } else {
        go_on(v, voters);
    }
}

/* ---- All results ---- */

static void judge_all(validation *v) {
    const vcs_unit *unit = v->call.unit;
    if (unit->canonical != 0) {
        for (uint32_t i = 0; i < v->call.results->count; i++) {
            if (vcs_is_pending(vcs_result_at(&v->call, i))) {
                compare_with_canonical(v, i);
            }
        }
    } else if (unit->error_mask == 0) {
        vote(v);
    }
    if (!v->is_any_later) {
        if (unit->need_validate != 0) {
            vcs_change_unit(&v->call, VCS_FIELD_UNIT_NEED_VALIDATE, 0, VCS_REASON_JUDGED);
        }
        vcs_forget_failures(&v->call, VCS_UNIT_WORK_COMPARE);
    }
    vcs_change_unit_time(&v->call, VCS_FIELD_UNIT_TRANSITION_TIME, v->call.now, VCS_REASON_JUDGED);
}

int vcs_validate(const vcs_unit *unit, const vcs_array *results, const uint32_t *classes, double now,
                 const vcs_array *changes, uint32_t *change_count, vcs_error *error) {
    validation v = {.classes = classes};
    int code = vcs_begin_call(&v.call, unit, results, now, changes, change_count, error);
    code = code == VCS_OK && results->count > 0 ? vcs_check_place(classes, "classes is NULL", error) : code;
    if (code == VCS_OK) {
        judge_all(&v);
        *change_count = v.call.change_count;
    }
    return code;
}
