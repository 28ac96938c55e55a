/*
 * Whether a task is stopped for good.
 *
 * Rule 15.3; the plain reference is tests/oracle/oracle_chance.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/chance/give_up.h"
#include "vcsched/chance/finish.h"
#include "vcsched/core/compiler.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/chance_fields.h"

#include <vcsched/chance.h>

int vcs_give_up_init(vcs_give_up_terms *terms, uint32_t size, uint32_t rule) {
    const vcs_give_up_terms filled = {
        .struct_size = size,
        .rule = rule,
        .deadline = VCS_INFINITY,
        .bound = VCS_INFINITY,
        .on = VCS_INFINITY,
        .threshold = rule == VCS_GIVE_UP_BY_CHANCE ? 0.1 : 0.9,
    };
    if (rule != VCS_GIVE_UP_BY_CHANCE && rule != VCS_GIVE_UP_BY_SIZE) {
        return VCS_ERR_FLAGS;
    }
    return vcs_hand_out_new(terms, size, VCS_FIRST_give_up_terms, &filled, sizeof filled);
}

/* P(r, W) of a task of exactly known size. */
static double chance_of(double remaining, double window, vcs_mean_spells spells) {
    return vcs_chance_of_workload((vcs_workload){.remaining = remaining}, window, spells);
}

/* The chance that a new job of the kind has, for the part of the work that is left of this one. */
static double chance_of_new_job(const vcs_give_up_terms *terms, vcs_mean_spells spells) {
    const double total = vcs_max(terms->total, terms->remaining);
    return total > 0.0 ? terms->remaining / total * chance_of(total, terms->bound, spells) : 0.0;
}

VCS_INLINE uint32_t reason_of(const vcs_give_up_terms *terms, double window, vcs_mean_spells of_new_job,
                              double *chance) {
    *chance = chance_of(terms->remaining, window, (vcs_mean_spells){terms->on, terms->off});
    if (window <= 0.0) {
        return VCS_REASON_DEADLINE_OVER;
    }
    if (terms->remaining > window) {
        return VCS_REASON_TIME_TOO_SHORT;
    }
    if (terms->rule == VCS_GIVE_UP_BY_CHANCE) {
        return *chance < terms->threshold ? VCS_REASON_UNLIKELY : VCS_REASON_KEPT;
    }
    return *chance < terms->threshold * chance_of_new_job(terms, of_new_job) ? VCS_REASON_NEW_JOB_BETTER
                                                                             : VCS_REASON_KEPT;
}

uint32_t vcs_give_up_reason(const vcs_give_up_terms *terms, double window, double *chance) {
    return reason_of(terms, window, (vcs_mean_spells){terms->on, terms->off}, chance);
}

uint32_t vcs_give_up_reason_within(const vcs_give_up_terms *terms, double window, vcs_mean_spells of_new_job,
                                   double *chance) {
    return reason_of(terms, window, of_new_job, chance);
}

/* By size the threshold is multiplied by the chance of a new job, which is no more than 1. */
bool vcs_is_surely_kept(const vcs_give_up_terms *terms, double window) {
    return vcs_is_surely_as_likely((vcs_workload){.remaining = terms->remaining}, window,
                                   (vcs_mean_spells){terms->on, terms->off}, terms->threshold);
}

int vcs_give_up(const vcs_give_up_terms *terms, double now, uint32_t *give_up, uint32_t *reason, double *chance,
                vcs_error *error) {
    vcs_give_up_terms known;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_copy_input(&known, terms, &vcs_give_up_terms_layout, error) : code;
    code = code == VCS_OK ? vcs_check_place(give_up, "give_up is NULL", error) : code;
    code = code == VCS_OK ? vcs_check_now(now, error) : code;
    if (code != VCS_OK) {
        return code;
    }
    double found;
    const uint32_t why = vcs_give_up_reason(&known, known.deadline - now, &found);
    const uint32_t gone = why != VCS_REASON_KEPT, forbidden = (known.flags & VCS_GIVE_UP_FORBIDDEN) != 0;
    *give_up = gone && !forbidden;
    if (reason != NULL) {
        *reason = gone && forbidden ? VCS_REASON_KEPT_FOR_PROJECT : why;
    }
    if (chance != NULL) {
        *chance = found;
    }
    return VCS_OK;
}
