/*
 * The credit granted for the claims of valid results.
 *
 * Rule 8.8; the plain reference is tests/oracle/oracle_transition.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/check/check.h"
#include "vcsched/interface/fields/unit_fields.h"
#include "vcsched/core/number.h"
#include "vcsched/unit/unit.h"

#include <vcsched/unit.h>

/* Sums of claims added in rising order, so that they do not depend on the order of the results. */
typedef struct tally {
    uint32_t count;
    double middle; /* sum without the lowest and the highest */
    double lowest, second, last_but_one, highest;
} tally;

static void add(tally *t, double claim) {
    t->count++;
    if (t->count == 1) {
        t->lowest = claim;
    } else if (t->count == 2) {
        t->second = claim;
    } else {
        t->middle += t->highest;
        t->last_but_one = t->highest;
    }
    t->highest = claim;
}

/* A mean lies between its least and its greatest number; clamped, because rounding may push it out. */
static double mean_of_middle(const tally *t) {
    return vcs_min(vcs_max(t->middle / (t->count - 2), t->second), t->last_but_one);
}

/* With classes, the claims of one class count, as far as it is not judged yet; without, all are known to be valid. */
static bool is_claim(const vcs_claims *claims, uint32_t i) {
    return claims->classes == NULL ||
           (claims->classes[i] == claims->class_number && vcs_is_pending(vcs_element(claims->results, i)));
}

static double claim_of(const vcs_claims *claims, uint32_t i) {
    const vcs_result *result = vcs_element(claims->results, i);
    return result->claimed + 0.0; /* not -0: then the sign of a sum would depend on the order */
}

/* The next claim in rising order, equal claims by index; VCS_NONE after the greatest. */
static uint32_t next_claim(const vcs_claims *claims, uint32_t last) {
    uint32_t next = VCS_NONE;
    for (uint32_t i = 0; i < claims->results->count; i++) {
        const double claim = claim_of(claims, i);
        const bool is_above =
            last == VCS_NONE || claim > claim_of(claims, last) || (claim == claim_of(claims, last) && i > last);
        if (is_claim(claims, i) && is_above && (next == VCS_NONE || claim < claim_of(claims, next))) {
            next = i;
        }
    }
    return next;
}

double vcs_credit_of_claims(const vcs_claims *claims, double max_single_claim) {
    tally t = {.count = 0};
    for (uint32_t i = next_claim(claims, VCS_NONE); i != VCS_NONE; i = next_claim(claims, i)) {
        add(&t, claim_of(claims, i));
    }
    if (t.count == 1 && max_single_claim > 0.0) {
        return vcs_min(t.lowest, max_single_claim);
    }
    return t.count > 2 ? mean_of_middle(&t) : t.lowest;
}

int vcs_credit_granted(const vcs_array *results, double max_single_claim, double *granted, vcs_error *error) {
    const vcs_claims claims = {.results = results};
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_check_array(results, &vcs_result_layout, error) : code;
    for (uint32_t i = 0; code == VCS_OK && i < results->count; i++) {
        code = vcs_check_number(((const vcs_result *)vcs_element(results, i))->claimed, 0.0, VCS_MAX_CREDIT);
        if (code != VCS_OK) {
            return vcs_fail(error, code, &vcs_result_layout, i, VCS_FIELD(vcs_result, claimed), "is out of range");
        }
    }
    if (code != VCS_OK) {
        return code;
    }
    code = vcs_check_number(max_single_claim, 0.0, VCS_MAX_CREDIT);
    code = code == VCS_OK ? vcs_check_place(granted, "granted is NULL", error)
                          : vcs_refuse(error, code, "max_single_claim is out of range");
    if (code == VCS_OK) {
        *granted = vcs_credit_of_claims(&claims, max_single_claim);
    }
    return code;
}
