/*
 * How much later a waiting task could finish.
 *
 * Rule 15.5; the plain reference is tests/oracle/oracle_chance.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "vcsched/chance/finish.h"
#include "vcsched/core/number.h"
#include "vcsched/interface/check/argument.h"

#include <vcsched/chance.h>

double vcs_margin_of(double window, double finish, vcs_mean_spells spells) {
    if (window == VCS_INFINITY) {
        return window;
    }
    const double fraction = spells.on == VCS_INFINITY ? 1.0 : spells.on / (spells.on + spells.off);
    const double computed = fraction * window;
    const double breaks = vcs_max(0.0, computed) / spells.on;
    return computed - fraction * spells.off * vcs_sqrt(2.0 * breaks) - finish;
}

int vcs_chance_margin(double window, double finish, double on, double off, double *margin) {
    const vcs_mean_spells spells = {on, off};
    int code = margin == NULL ? VCS_ERR_NULL : VCS_OK;
    code = vcs_first_error(code, window == VCS_INFINITY ? VCS_OK : vcs_check_time(window));
    code = vcs_first_error(code, vcs_check_number(finish, 0.0, VCS_MAX_SECONDS));
    code = vcs_first_error(code, vcs_check_spells(spells));
    if (code == VCS_OK) {
        *margin = vcs_margin_of(window, finish, spells);
    }
    return code;
}
