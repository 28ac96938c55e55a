/*
 * What a client has seen of the spells of its host.
 *
 * Rule 15.1; worked by hand in tests/vcsched/chance/test_spells.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/chance/finish.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"
#include "vcsched/interface/fields/chance_fields.h"

#include <vcsched/chance.h>

/* As many spells the prior counts for. */
#define PRIOR_SPELLS 2.0

static int check_record(const vcs_spells *spells) {
    return vcs_check_record(spells, &vcs_spells_layout, NULL);
}

static void count(double *total, uint32_t *spells, double seconds) {
    if (*spells < UINT32_MAX && *total + seconds <= VCS_MAX_TIME) {
        *total += seconds;
        *spells += 1;
    }
}

int vcs_spells_add(vcs_spells *spells, uint32_t was_on, double seconds) {
    int code = vcs_first_error(check_record(spells), was_on > 1 ? VCS_ERR_FLAGS : VCS_OK);
    code = vcs_first_error(code, vcs_check_number(seconds, 0.0, VCS_MAX_SECONDS));
    if (code != VCS_OK) {
        return code;
    }
    if (was_on) {
        count(&spells->on_total, &spells->on_count, seconds);
    } else {
        count(&spells->off_total, &spells->off_count, seconds);
    }
    return VCS_OK;
}

static double mean_with_prior(double total, uint32_t spells, double prior) {
    return vcs_min((total + PRIOR_SPELLS * prior) / (spells + PRIOR_SPELLS), VCS_MAX_SECONDS);
}

static vcs_mean_spells means_of(const vcs_spells *spells, double fraction) {
    vcs_mean_spells means;
    means.on = vcs_max(VCS_MIN_ON, mean_with_prior(spells->on_total, spells->on_count, VCS_PRIOR_ON));
    means.off = fraction > 0.0 ? vcs_min(means.on / fraction * (1.0 - fraction), VCS_MAX_SECONDS) : 0.0;
    if (spells->off_count >= VCS_OFF_SPELLS_NEEDED) {
        means.off = mean_with_prior(spells->off_total, spells->off_count, means.off);
    }
    return means;
}

int vcs_spells_means(const vcs_spells *spells, double fraction, double *on, double *off) {
    int code = on == NULL || off == NULL ? VCS_ERR_NULL : check_record(spells);
    code = vcs_first_error(code, vcs_check_number(fraction, 0.0, 1.0));
    if (code == VCS_OK) {
        const vcs_mean_spells means = means_of(spells, fraction);
        *on = means.on;
        *off = means.off;
    }
    return code;
}
