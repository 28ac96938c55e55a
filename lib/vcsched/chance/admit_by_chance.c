/*
 * Whether a job is taken, by its chance to be done in time.
 *
 * Rule 15.5; the plain reference is tests/oracle/oracle_chance.c. The margin of a waiting task is in margin.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/chance/admit_by_chance.h"

#include "vcsched/chance/finish.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/chance_fields.h"

#include <vcsched/chance.h>

int vcs_admit_init(vcs_admit_terms *terms, uint32_t size) {
    const vcs_admit_terms filled = {
        .struct_size = size,
        .window = VCS_INFINITY,
        .on = VCS_INFINITY,
        .least_margin = VCS_INFINITY,
        .below_best = 0.2,
        .max_loss = 0.05,
        .give_up_below = 0.1,
        .floor_above = 0.05,
    };
    return vcs_hand_out_new(terms, size, VCS_FIRST_admit_terms, &filled, sizeof filled);
}

static vcs_job_chances chances_of(const vcs_admit_terms *terms) {
    const vcs_mean_spells spells = {terms->on, terms->off};
    vcs_workload job = {.remaining = terms->remaining, .spread = terms->spread};
    vcs_job_chances found;
    found.at_once = vcs_chance_of_workload(job, terms->window, spells);
    job.wait = terms->wait;
    found.after_wait = vcs_chance_of_workload(job, terms->window, spells);
    return found;
}

/* What keeps a job out that is not below the floor, or VCS_REASON_LIKELY. */
static uint32_t objection(const vcs_admit_terms *terms, vcs_job_chances job) {
    if (job.at_once < terms->best - terms->below_best) {
        return VCS_REASON_SMALLER_CHANCE;
    }
    if (job.after_wait < job.at_once - terms->max_loss) {
        return VCS_REASON_WAIT_COSTS;
    }
    return terms->added > terms->least_margin ? VCS_REASON_TAKES_MARGIN : VCS_REASON_LIKELY;
}

uint32_t vcs_admit_reason(const vcs_admit_terms *terms, vcs_job_chances *chances) {
    const vcs_job_chances job = *chances = chances_of(terms);
    const vcs_workload as_estimated = {.remaining = terms->remaining};
    const vcs_mean_spells spells = {terms->on, terms->off};
    /* Above the chance below which it would be given up at once. Who gives up goes by the estimate alone. */
    const double floor = vcs_min(1.0, terms->give_up_below + terms->floor_above);
    if (job.at_once < floor || vcs_chance_of_workload(as_estimated, terms->window, spells) < floor) {
        return VCS_REASON_SMALL_CHANCE;
    }
    const uint32_t reason = objection(terms, job);
    const int idle = (terms->flags & VCS_ADMIT_IDLE) != 0;
    return reason != VCS_REASON_LIKELY && idle ? VCS_REASON_FOR_IDLE : reason;
}

int vcs_admit_by_chance(const vcs_admit_terms *terms, uint32_t *admitted, uint32_t *reason, double *chance,
                        double *waiting, vcs_error *error) {
    vcs_admit_terms known;
    int code = vcs_check_error(error);
    code = code == VCS_OK ? vcs_copy_input(&known, terms, &vcs_admit_terms_layout, error) : code;
    code = code == VCS_OK ? vcs_check_place(admitted, "admitted is NULL", error) : code;
    if (code != VCS_OK) {
        return code;
    }
    vcs_job_chances job;
    const uint32_t why = vcs_admit_reason(&known, &job);
    *admitted = vcs_is_taken(why);
    if (reason != NULL) {
        *reason = why;
    }
    if (chance != NULL) {
        *chance = job.at_once;
    }
    if (waiting != NULL) {
        *waiting = job.after_wait;
    }
    return VCS_OK;
}
